import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { releaseFiles } from '../../scripts/make-release.mjs';
import { installNode, NODES } from '../support/other-nodes.ts';

const COMMIT = { commit: '0'.repeat(40), date: '2026-01-01T00:00:00.000Z' };
/** No sources of a build. */
const SKIPPED = new Set(['node_modules', 'dist', '.cache', 'artifacts', '.git'].map((n) => resolve(n)));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 of every file below a folder, by path. */
function hashes(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    names
      .sort()
      .map((name) => [
        name.slice(folder.length + 1),
        sha256(readFileSync(name)),
      ]),
  );
}

/** Builds the sources in another folder, with this program of Node alone. */
function buildRelease(folder: string, node: string): void {
  cpSync('.', folder, { recursive: true, filter: (source) => !SKIPPED.has(resolve(source)) });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const call = `buildRelease('artifacts/release', ${JSON.stringify(COMMIT)})`;
  // Programs that the build starts are looked for in PATH.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  const script = `import('./scripts/make-release.mjs').then((one) => one.${call})`;
  execFileSync(node, ['-e', script], { cwd: folder, env, stdio: 'pipe' });
}

describe('a second build', () => {
  let programs: string;
  before(() => (programs = mkdtempSync(join(tmpdir(), 'sealwright-nodes-'))));
  after(() => rmSync(programs, { recursive: true, force: true }));

  for (const version of NODES) {
    it(`makes byte-equal files, the release included, in another folder with Node ${version}`, async function () {
      this.timeout(600_000);
      const node = version === process.versions.node ? process.execPath : installNode(version, programs);
      expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).to.equal(`v${version}`);
      const folder = mkdtempSync(join(tmpdir(), 'sealwright-build-'));
      try {
        buildRelease(folder, node);
        expect(hashes('dist')).to.not.be.empty;
        expect(hashes(join(folder, 'dist'))).to.deep.equal(hashes('dist'));
        const release = [...(await releaseFiles(COMMIT))].map(([name, bytes]) => [name, sha256(bytes)]);
        expect(hashes(join(folder, 'artifacts/release'))).to.deep.equal(Object.fromEntries(release));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
