import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readArchive } from '../../src/cli/verify/archive.ts';
import { utf8 } from '../../src/crypto/bytes.ts';
import { packageTarball, zipOf } from '../../scripts/archives.mjs';

const LONG = `docs/${'folder/'.repeat(14)}page.md`;
const FILES = new Map([
  ['dist/lib/cli.js', utf8('#!/usr/bin/env node\n')],
  ['README.md', utf8('# Read me\n'.repeat(100))],
  ['empty.txt', new Uint8Array()],
  [LONG, utf8('deep')],
]);
const reversed = new Map([...FILES].reverse());
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the archives of a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-archives-'));
  after(() => rmSync(folder, { recursive: true }));
  const unpacked = (command: string, ...words: string[]) =>
    execFileSync(command, words, { cwd: folder, encoding: 'utf8' });

  it('are the same bytes in any order, and in any time zone', () => {
    expect(zipOf(FILES)).to.deep.equal(zipOf(reversed));
    expect(packageTarball(FILES, [])).to.deep.equal(packageTarball(reversed, []));
    const script = `import { packageTarball, zipOf } from './scripts/archives.mjs';
      import { createHash } from 'node:crypto';
      const files = new Map([['a.txt', new Uint8Array([1, 2, 3])]]);
      for (const bytes of [zipOf(files), packageTarball(files, [])])
        console.log(createHash('sha256').update(bytes).digest('hex'));`;
    const sums = ['Asia/Tokyo', 'America/Lima'].map((TZ) =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, TZ },
        encoding: 'utf8',
      }),
    );
    expect(sums[0]).to.match(/^([0-9a-f]{64}\n){2}$/);
    expect(sums[1]).to.equal(sums[0]);
  });

  it('stay the same bytes from one version of Node to the next', () => {
    // Of Node 20.20: a change of the writers changes these sums.
    const files = new Map([['a.txt', utf8('hello '.repeat(1000))]]);
    expect([zipOf(files), packageTarball(files, ['a.txt'])].map(sha256)).to.deep.equal([
      '69b59630d8b59f157b1761924d8b30e457e88051e1ee1340ec7d2710de415c26',
      'af04c2a1aaa3fdf006fe664a6c06b4380170c7106904c0ef7c13eb4889951f5a',
    ]);
  });

  it('are a zip with these files', () => {
    const zip = zipOf(FILES);
    const back = [...readArchive(zip, 'a')].map(([path, bytes]) => [path, sha256(bytes)]);
    expect(back).to.deep.equal([...FILES].sort().map(([path, bytes]) => [path, sha256(bytes)]));
  });

  it('are a tarball as npm makes it: below package/, without owner and time, programs executable', () => {
    writeFileSync(join(folder, 'a.tgz'), packageTarball(FILES, ['dist/lib/cli.js']));
    const lines = unpacked('tar', '--utc', '-tvzf', 'a.tgz').trimEnd().split('\n');
    expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).to.deep.equal([
      '-rw-r--r-- 0/0 1000 1970-01-01 00:00 package/README.md',
      '-rwxr-xr-x 0/0 20 1970-01-01 00:00 package/dist/lib/cli.js',
      `-rw-r--r-- 0/0 4 1970-01-01 00:00 package/${LONG}`,
      '-rw-r--r-- 0/0 0 1970-01-01 00:00 package/empty.txt',
    ]);
    unpacked('tar', '-xzf', 'a.tgz');
    for (const [path, bytes] of FILES) {
      expect(readFileSync(join(folder, 'package', path)).equals(bytes), path).to.equal(true);
    }
  });

  it('refuse a path that a tar cannot hold', () => {
    for (const path of ['ä.txt', `${'a'.repeat(120)}.txt`]) {
      expect(() => packageTarball(new Map([[path, utf8('')]]), [])).to.throw(path);
    }
  });
});
