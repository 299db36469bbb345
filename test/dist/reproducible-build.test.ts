import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

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
        createHash('sha256').update(readFileSync(name)).digest('hex'),
      ]),
  );
}

describe('a second build', () => {
  it('makes byte-equal files, zips included, from the same sources in another folder', function () {
    this.timeout(240_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-build-'));
    try {
      const skip = new Set(['node_modules', 'dist', '.cache', 'artifacts', '.git'].map((n) => resolve(n)));
      cpSync('.', folder, { recursive: true, filter: (source) => !skip.has(resolve(source)) });
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
      execFileSync(
        process.execPath,
        ['-e', "import('./scripts/build.mjs').then(({ build }) => build())"],
        { cwd: folder, stdio: 'pipe' },
      );
      expect(hashes(join(folder, 'dist'))).to.deep.equal(hashes('dist'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
