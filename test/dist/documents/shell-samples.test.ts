import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { freePort, PYTHON_PROGRAMS } from '../../servers/server.ts';

/*
 * The lines for a shell in the documents. Those that start something are run here as a reader would type them; of each
 * other block, the list says what runs it.
 */

const HERE = 'this file';
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['what .ci/run does: npm start and npm test'],
  'CONTRIBUTING.md': [`${HERE}, by name`],
  'docs/bundlers.md': ['test/consumers: esbuild'],
  'docs/cli.md': ['test/dist/library.test.ts', HERE, HERE],
  'docs/client.md': [HERE, 'test/consumers: Vite'],
  'docs/install.md': ['npm run build, before the tests of what it makes'],
  'docs/tutorial-notes.md': [HERE],
  'examples/login/README.md': [HERE],
  'examples/starter/README.md': ['test/browser/examples/starter.test.ts'],
};

const blocksOf = (page: string): string[] =>
  Array.from(readFileSync(page, 'utf8').matchAll(/^```sh\n([^]*?)^```/gm), ([, lines]) => lines!);

/** The lines of a block without their comments. */
const linesOf = (page: string, at: number): string[] =>
  (blocksOf(page)[at] ?? '')
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, ''));

const PATIENCE_MS = 60_000;

/** Until an address answers well. */
async function answer(url: string, headers: Record<string, string> = {}): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  let last = 'it was never asked';
  while (performance.now() < deadline) {
    try {
      const response = await fetch(url, { headers });
      const text = await response.text();
      if (response.ok) return text;
      last = `${response.status} ${text.slice(0, 200)}`;
    } catch (error) {
      last = String(error);
    }
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${url}: ${last}`);
}

describe('the shell lines of the documents', function () {
  this.timeout(2 * PATIENCE_MS);
  let folder: string;
  const started: ChildProcess[] = [];

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sealwright-shell-'))));
  afterEach(async () => {
    for (const child of started.splice(0)) {
      const ended = once(child, 'exit');
      // With what it has started.
      process.kill(-child.pid!);
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** Programs that go on, in the folder of the project. */
  const start = (lines: string): void => {
    const path = `${resolve(PYTHON_PROGRAMS)}:${process.env['PATH']!}`;
    const env = { ...process.env, PATH: path };
    started.push(spawn('bash', ['-c', lines], { env, detached: true, stdio: 'ignore' }));
  };

  it('have each a test', () => {
    const pages = ['.', 'docs', 'docs/design', ...readdirSync('examples').map((name) => `examples/${name}`)];
    const found = pages.flatMap((at) =>
      readdirSync(at)
        .filter((name) => name.endsWith('.md'))
        .map((name) => [join(at, name), blocksOf(join(at, name)).length] as const),
    );
    const listed = Object.entries(BLOCKS).map(([page, { length }]) => [page, length]);
    expect(Object.fromEntries(found.filter(([, count]) => count > 0))).to.deep.equal(Object.fromEntries(listed));
  });

  it('install the package into an empty project, as docs/client.md says', () => {
    const [pack, install, ...more] = linesOf('docs/client.md', 0);
    expect(more).to.deep.equal([]);
    expect(pack).to.include('npm run build && ');
    const [app, checkout] = [join(folder, 'app'), join(folder, 'sealwright')];
    mkdirSync(app);
    // A checkout that is built already; npm packs into the folder in which it is called.
    mkdirSync(join(checkout, 'dist'), { recursive: true });
    symlinkSync(resolve('dist/package'), join(checkout, 'dist/package'));
    const script = [pack!.replace('npm run build && ', ''), `${install!} --offline --no-audit --no-fund`].join('\n');
    execFileSync('bash', ['-euc', script], { cwd: app, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = execFileSync(process.execPath, ['-p', `import('sealwright').then(({ explain }) => console.log(explain('locked')))`], {
      cwd: app,
      encoding: 'utf8',
    });
    expect(printed).to.include('Sealwright is locked.');
  });

  it('name commands that there are, those of CONTRIBUTING.md', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = Array.from(blocksOf('CONTRIBUTING.md')[0]!.matchAll(/npm run ([\w:-]+)/g), ([, name]) => name!);
    expect(named).to.have.length.above(5);
    expect(scripts).to.include.all.keys(...named);
  });

  it('change a group and seal to it, as docs/cli.md says', () => {
    const lines = linesOf('docs/cli.md', 1).join('\n').replace('swp1.AtJ…', '"$(cat ben.txt)"').replace('swg1.BQ…', '"$group"');
    const script = `set -euo pipefail
sealwright() { '${process.execPath}' '${resolve('dist/lib/cli.js')}' "$@"; }
sealwright keygen --out me.key > me.txt
sealwright keygen --out ben.key > ben.txt
echo 'We meet at noon' > plan.txt
${lines.replace('sealwright seal', `group=$(sealwright group show --epochs team.group.txt | grep -o 'swg1\\.[A-Za-z0-9_-]*' | head -n 1)\nsealwright seal`)}`;
    const printed = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect(printed).to.include('We meet at noon');
    const benOpens = () => execFileSync(process.execPath, [resolve('dist/lib/cli.js'), 'open', '--epochs', 'team.group.txt', '--key-file', 'ben.key', '--shared', 'plan.sealed'], { cwd: folder, stdio: 'ignore' });
    expect(benOpens, 'who was removed').to.throw();
  });

  it('compare copies with the release, as docs/cli.md says', () => {
    const chromium = join(folder, '.config/chromium/Default/Extensions', 'a'.repeat(32), '0.1.0_0');
    const firefox = join(folder, '.mozilla/firefox/user.default/extensions/sealwright@sealwright.org.xpi');
    mkdirSync(dirname(firefox), { recursive: true });
    cpSync('dist/chromium', chromium, { recursive: true });
    const zips = readdirSync('dist/artifacts').filter((name) => name.endsWith('.zip'));
    const zipFor = (browser: string) => join('dist/artifacts', zips.find((name) => name.includes(browser))!);
    cpSync(zipFor('firefox'), firefox);
    cpSync(zipFor('chromium'), join(folder, 'sealwright-from-the-store.crx'));
    for (const path of ['dist/lib/extension-files.sha256', 'dist/open.html']) cpSync(path, join(folder, basename(path)));
    const lines = linesOf('docs/cli.md', 2);
    expect(lines).to.have.length(5);
    const script = `set -euo pipefail
npx() { shift; '${process.execPath}' '${resolve('dist/lib/cli.js')}' "$@"; }
${lines.join('\n').replace('…', 'sealwright-from-the-store.crx')}`;
    const env = { ...process.env, HOME: folder };
    const printed = execFileSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    for (const path of [chromium, firefox, 'sealwright-from-the-store.crx', 'the page open.html of the release 0.1.0']) {
      expect(printed).to.include(path);
    }
    expect(printed.match(/version 0\.1\.0, for chromium/g)).to.have.length(3);
    expect(printed.match(/version 0\.1\.0, for firefox/g)).to.have.length(1);
  });

  it('start the notes and their server, as docs/tutorial-notes.md says', async () => {
    const [build, install, init, edit, kinto, notes, ...more] = linesOf('docs/tutorial-notes.md', 0);
    expect([build, install, more]).to.deep.equal(['npm run build', 'pip install kinto==26.5.0', []]);
    const port = await freePort();
    const here = (line: string) => line.replaceAll('kinto.ini', join(folder, 'kinto.ini')).replace('8888', String(port));
    start([init!, edit!, `${kinto!} &`, notes!].map(here).join('\n'));
    expect(await answer('http://localhost:8200/')).to.include('<title>');
    expect(await answer('http://localhost:8200/sealwright.js')).to.include('connectSealwright');
    const authorization = `Basic ${Buffer.from('ada:any password').toString('base64')}`;
    expect(await answer('http://localhost:8200/v1/', { authorization })).to.include('"user"');
  });

  it('start the server of the login, as its README says', async () => {
    start(linesOf('examples/login/README.md', 0).join('\n'));
    expect(await answer('http://localhost:8100/')).to.include('<title>');
  });
});
