import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { releaseFiles } from '../../scripts/make-release.mjs';

const COMMIT = { commit: '0'.repeat(40), date: '2026-01-01T00:00:00.000Z' };

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

describe('a second build', () => {
  it('makes byte-equal files, the release included, from the same sources in another folder', async function () {
    this.timeout(240_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-build-'));
    try {
      const skip = new Set(['node_modules', 'dist', '.cache', 'artifacts', '.git'].map((n) => resolve(n)));
      cpSync('.', folder, { recursive: true, filter: (source) => !skip.has(resolve(source)) });
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
      const call = `buildRelease('artifacts/release', ${JSON.stringify(COMMIT)})`;
      execFileSync(
        process.execPath,
        ['-e', `import('./scripts/make-release.mjs').then((one) => one.${call})`],
        { cwd: folder, stdio: 'pipe' },
      );
      expect(hashes(join(folder, 'dist'))).to.deep.equal(hashes('dist'));
      const release = [...(await releaseFiles(COMMIT))].map(([name, bytes]) => [name, sha256(bytes)]);
      expect(hashes(join(folder, 'artifacts/release'))).to.deep.equal(Object.fromEntries(release));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
