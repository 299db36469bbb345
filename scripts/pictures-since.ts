/*
 * `npm run look -- since COMMIT [part of a scene's name]`: the pictures of scripts/screens.ts as the views were at a commit
 * and as they are, with a page that shows both side by side: artifacts/since/index.html.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [commit, filter = ''] = process.argv.slice(2);
if (commit === undefined) throw new RangeError('since which commit?');
const FOLDER = resolve('artifacts/since');
const SIDES = ['before', 'after'] as const;
type Side = (typeof SIDES)[number];

/** @param root of the checkout whose views are drawn; faults of the views end nothing here */
function draw(root: string, side: Side): void {
  rmSync(join(root, 'artifacts/screens'), { recursive: true, force: true });
  const args = [
    'node_modules/tsx/dist/cli.mjs',
    'scripts/screens.ts',
    ...(filter === '' ? [] : [filter]),
  ];
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  cpSync(join(root, 'artifacts/screens'), join(FOLDER, side), { recursive: true });
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const former = mkdtempSync(join(tmpdir(), 'sealwright-since-'));
execFileSync('git', ['worktree', 'add', '--detach', former, commit], { stdio: 'inherit' });
try {
  symlinkSync(resolve('node_modules'), join(former, 'node_modules'));
  draw(former, 'before');
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', former]);
}
draw(resolve('.'), 'after');

const drawn = new Map(SIDES.map((side) => [side, new Set(readdirSync(join(FOLDER, side)))]));
const names = [...new Set(SIDES.flatMap((side) => [...drawn.get(side)!]))].sort();
const figure = (side: Side, name: string) =>
  drawn.get(side)!.has(name)
    ? `<figure><img src="${side}/${name}" alt="" loading="lazy"><figcaption>${side}</figcaption></figure>`
    : '';
const rows = names.map((name) => {
  const pictures = SIDES.map((side) => figure(side, name)).join('');
  return `<h2>${name.replace('.png', '')}</h2><div>${pictures}</div>`;
});
writeFileSync(
  join(FOLDER, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sealwright: views since ${commit}</title>
<style>
body { font: 0.875rem system-ui; margin: 1rem; background: #888; }
div { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; }
figure { margin: 0; }
img { max-width: 32rem; border: 1px solid #444; }
</style>
${rows.join('\n')}
</html>
`,
);
console.log(join(FOLDER, 'index.html'));
