import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

/*
 * dist/lib as another project uses it: plain Node, the subpaths of package.json, no build step. The
 * names are those of the published contract.
 */
interface Packaged {
  version: string;
  exports: Record<string, { types: string; default: string } | string>;
  bin: Record<string, string>;
  man: string;
}
const packaged = JSON.parse(readFileSync('package.json', 'utf8')) as Packaged;

/** A subpath's script and types. */
function exported(subpath: string): { types: string; default: string } {
  const target = packaged.exports[subpath]!;
  if (typeof target === 'string') throw new Error(`${subpath} is a file`);
  return target;
}

interface Classical {
  readonly blockCipher: (name: string) => Promise<{
    decrypt(mode: string, key: Uint8Array, params: object, bytes: Uint8Array): Promise<Uint8Array>;
  }>;
}

const CONTRACT: Record<string, readonly string[]> = {
  './subtle': ['createSubtle', 'engines'],
  './algorithms': [
    ...['aegis128l', 'aegis256', 'aesGcm', 'aesOcb', 'aesCcm', 'aesGcmSiv', 'aesSiv', 'chacha20Poly1305', 'xchacha20Poly1305'],
    ...['sha1', 'sha256', 'sha384', 'sha512', 'sha3_256', 'sha3_384', 'sha3_512', 'blake2b', 'blake3'],
    ...['aesCmac', 'hmac', 'hkdf', 'pbkdf2', 'scrypt', 'argon2id', 'AuthenticationError'],
  ],
  './errors': ['isSealwrightError'],
  './react': ['useSealwright'],
  './format': [
    'AuthenticationError',
    'EnvelopeError',
    'chunkedEncrypt',
    'chunkedDecrypt',
    'sealMessage',
    'openMessage',
    'armor',
    'unarmor',
    'inspect',
    'sealedLength',
    'sealStream',
    'openRange',
    'openSeekable',
    'httpSource',
    'rangeResponse',
    'openStream',
  ],
  './adapters': [
    ...['automergeDocument', 'automergeStorage', 'blindIndexer', 'dexieSealedFields', 'openedPouch'],
    ...['pouchAttachments', 'quarantineOf', 'rxSealedStorage', 'yjsDocument'],
  ],
  './random': ['FortunaGenerator', 'FortunaAccumulator'],
  './sharing': [
    ...['parsePublicKey', 'publicKeyText', 'sealingTo', 'openingWith', 'SHARING_TYPES'],
    ...['generateIdentity', 'identityOf', 'identityText', 'parseIdentity'],
    ...['keyFileText', 'parseKeyFile'],
  ],
  './sync': [
    ...['keyBundleFromSyncKey', 'keyBundleFromKB', 'keyBundleFromJwk', 'keyBundleFromBase64'],
    ...['encryptRecord', 'decryptRecord', 'openCollectionKeys', 'createCollectionKeys'],
    ...['bundleFor', 'syncUsername'],
  ],
  './bigint': ['modExp'],
  './classical': ['dh', 'dsa', 'rsa', 'blockCipher'],
  './legacy': ['openSjclJson', 'ocb2Open'],
};

function sealwright(...args: string[]): string {
  return execFileSync(process.execPath, [packaged.bin['sealwright']!, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

describe('the built library', () => {
  for (const [subpath, names] of Object.entries(CONTRACT)) {
    const name = `sealwright${subpath.slice(1)}`;
    it(`${name} exports ${names.join(', ')}`, async () => {
      // By its own name, as Node resolves it once it is installed.
      const module = (await import(name)) as object;
      expect(Object.keys(module)).to.include.members([...names]);
      const { types } = exported(subpath);
      expect(existsSync(types), types).to.equal(true);
    });
  }

  it('has one family of errors over its subpaths, each of which is a script of its own', async () => {
    const [format, legacy, classical, errors]: string[] = ['format', 'legacy', 'classical', 'errors'];
    const { AuthenticationError, EnvelopeError, inspect } = (await import(`sealwright/${format}`)) as {
      AuthenticationError: typeof Error;
      EnvelopeError: typeof Error;
      inspect: (sealed: Uint8Array) => unknown;
    };
    const { ocb2Open } = (await import(`sealwright/${legacy}`)) as {
      ocb2Open: (params: object, bytes: Uint8Array) => unknown;
    };
    const { blockCipher } = (await import(`sealwright/${classical}`)) as Classical;
    const { isSealwrightError } = (await import(`sealwright/${errors}`)) as {
      isSealwrightError: (error: unknown, ...codes: string[]) => boolean;
    };
    const [key, iv] = [new Uint8Array(16), new Uint8Array(12)];
    const idea = await blockCipher('IDEA');
    for (const open of [
      () => ocb2Open({ key, iv: new Uint8Array(16), associatedData: iv, tagLength: 128 }, new Uint8Array(40)),
      () => idea.decrypt('OCB', key, { iv: new Uint8Array(7) }, new Uint8Array(40)),
    ]) {
      const error = await Promise.resolve().then(open).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(AuthenticationError);
      expect(isSealwrightError(error, 'AUTH_FAILED'), String(error)).to.equal(true);
    }
    try {
      inspect(new Uint8Array(100));
      expect.fail('opened');
    } catch (error) {
      expect(error).to.be.instanceOf(EnvelopeError).and.not.instanceOf(AuthenticationError);
      expect(isSealwrightError(error, 'BAD_ENVELOPE')).to.equal(true);
    }
  });

  it('runs without a package beside it, but for React in sealwright/react', () => {
    const scripts = readdirSync('dist/lib').filter((file) => file.endsWith('.js'));
    const imported = scripts.flatMap((file) =>
      [...readFileSync(`dist/lib/${file}`, 'utf8').matchAll(/^(?:import|\}) .*from ["'](?![./]|node:)(.*)["']/gm)].map(
        ([, name]) => `${name} in ${file}`,
      ),
    );
    expect(imported).to.deep.equal(['react in react.js']);
  });

  it('has the version of package.json in its command', () => {
    expect(sealwright('--version')).to.equal(`sealwright ${packaged.version}\n`);
  });

  it('has the manual page that its command prints', () => {
    expect(readFileSync(packaged.man, 'utf8')).to.equal(sealwright('man'));
  });

  it('reads and writes pipes with its command: -, /dev/stdin, and <(…) of a shell', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-cli-'));
    try {
      const script = `set -eu
sealwright() { '${process.execPath}' '${resolve(packaged.bin['sealwright']!)}' "$@"; }
sealwright keygen --out key >public 2>/dev/null
head -c 3000000 /dev/zero | sealwright seal --to public - >sealed
sealwright open --key-file key --shared --out - - <sealed | cmp - <(head -c 3000000 /dev/zero)
cat sealed | sealwright open --key-file <(cat key) --shared /dev/stdin | wc -c
sealwright inspect --json <(cat sealed) | grep -c '"purpose": "stream"'
sealwright seal --to "$(cat public)" --armor <(echo Grüße) | sealwright open --key-file key --shared -
yes | head -c 9000000 | sealwright seal --to public --out - - | head -c 10 | wc -c`;
      const output = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
      expect(output.split(/\s+/)).to.deep.equal(['3000000', '1', 'Grüße', '10', '']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(60_000);

  it('does with its command what docs/cli.md shows', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-cli-'));
    try {
      const [sample] = /```sh\n([^]*?)```/.exec(readFileSync('docs/cli.md', 'utf8'))!.slice(1);
      // The public key that the first line prints, in place of the page's.
      const [first, ...others] = sample!.replace('swp1.AtJ…', '"$(cat public)"').trim().split('\n');
      const script = `set -euo pipefail
sealwright() { '${process.execPath}' '${resolve(packaged.bin['sealwright']!)}' "$@" 2>/dev/null; }
echo Grüße >letter.txt; mkdir photos; echo picture >photos/one
${first!.replace(/#.*/, '')} >public; cp public friends.txt
${others.join('\n')}
sealwright open --key-file me.key --shared photos.sealed | tar t`;
      const output = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
      expect(JSON.parse(output.slice(0, output.indexOf('}') + 1))).to.include({ recipients: 1 });
      expect(output.slice(output.indexOf('}') + 2)).to.equal('Grüße\nphotos/\nphotos/one\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(60_000);

  it('opens a large armored text with its command in little memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-cli-'));
    try {
      const [key, text, out] = ['key', 'text', 'out'].map((name) => join(folder, name));
      writeFileSync(out!, new Uint8Array(64 << 20));
      sealwright('keygen', '--named', '--out', key!);
      sealwright('seal', '--key-file', key!, '--armor', '--out', text!, out!);
      const peak = "process.on('exit', () => console.error(process.resourceUsage().maxRSS))";
      const words = ['open', '--key-file', key!, '--out', out!, '--force', text!];
      const peakOfOpening = (): number => {
        const { status, stderr } = spawnSync(
          process.execPath,
          ['--import', `data:text/javascript,${encodeURIComponent(peak)}`, packaged.bin['sealwright']!, ...words],
          { encoding: 'utf8' },
        );
        expect(status).to.equal(0);
        return Number(stderr);
      };
      // 240 MB for a half of it while the text was read whole; 95 MB now, of which about 75 MB are Node's own, and 190 MB
      // on a busy machine, where garbage is collected late: the least of several counts.
      const peaks = [peakOfOpening(), peakOfOpening(), peakOfOpening()];
      expect(Math.min(...peaks), 'KiB').to.be.within(1, 300_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(60_000);

  it('seals what the command line tool inspects and opens', async () => {
    const { sealMessage } = (await import(
      pathToFileURL(resolve(exported('./format').default)).href
    )) as { sealMessage: (options: object, plaintext: Uint8Array) => Promise<Uint8Array> };
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-cli-'));
    try {
      const [key, keyId] = [new Uint8Array(32).fill(1), new Uint8Array(16).fill(2)];
      const plaintext = new TextEncoder().encode('Meet me where the river bends.');
      const sealed = await sealMessage({ key, keyId, purpose: 'page' }, plaintext);
      const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
      writeFileSync(join(folder, 'note.sealed'), sealed);
      const exported = { format: 'sealwright-key/1', key: base64url(key), keyId: base64url(keyId) };
      writeFileSync(join(folder, 'key.json'), JSON.stringify(exported));
      expect(sealwright('inspect', join(folder, 'note.sealed'))).to.include('Cobblestone-256');
      const out = join(folder, 'note.txt');
      sealwright(
        'open',
        '--key-file',
        join(folder, 'key.json'),
        '--out',
        out,
        join(folder, 'note.sealed'),
      );
      expect(readFileSync(out, 'utf8')).to.equal('Meet me where the river bends.');
      // A reader that closes the pipe early, such as head: larger than any pipe's buffer.
      const large = await sealMessage({ key, keyId, purpose: 'page' }, new Uint8Array(4 << 20));
      writeFileSync(join(folder, 'large.sealed'), large);
      const words = ['open', '--key-file', join(folder, 'key.json'), join(folder, 'large.sealed')];
      const reading = spawn(process.execPath, [packaged.bin['sealwright']!, ...words]);
      let complaint = '';
      reading.stderr.on('data', (text) => (complaint += String(text)));
      reading.stdout.once('data', () => reading.stdout.destroy());
      const [code] = (await once(reading, 'close')) as [number];
      expect({ code, complaint }).to.deep.equal({ code: 0, complaint: '' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
