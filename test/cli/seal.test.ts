import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openMessage } from '../../src/format/message.ts';
import { openingWith, parseIdentity } from '../../src/format/recipients/sharing.ts';
import { unarmor } from '../../src/format/wire/armor.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import { parseKeyFile } from '../../src/format/recipients/key-file.ts';
import { publicKeyText } from '../../src/format/wire/public-key.ts';
import { pattern } from '../format/message-vectors.ts';
import { KEY, ORIGIN } from '../format/support.ts';
import { runIn } from './terminal.ts';

describe('sealwright (command) makes', () => {
  let folder: string;
  let publicKey: string;
  const at = (name: string) => join(folder, name);
  const sealwright = (...words: string[]) => runIn({}, ...words);
  const modeOf = async (name: string) => (await stat(at(name))).mode & 0o777;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealwright-'));
    await writeFile(at('message'), pattern(5_000));
    const made = await sealwright('keygen', '--out', at('identity'));
    publicKey = made.printed.toString().trim();
    await sealwright('keygen', '--named', '--out', at('named'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  describe('keys', () => {
    it('in files of their owner alone, and prints the public half', async () => {
      const identity = await parseIdentity(await readFile(at('identity'), 'utf8'));
      expect(identity.publicKey).to.equal(publicKey);
      expect(parseKeyFile(await readFile(at('named'), 'utf8')).keyId).to.have.length(16);
      expect([await modeOf('identity'), await modeOf('named')]).to.deep.equal([0o600, 0o600]);
    });

    it('on standard output, and says on standard error where the secret went', async () => {
      const { code, printed, complaint } = await sealwright('keygen');
      expect(code).to.equal(0);
      const identity = await parseIdentity(printed.toString());
      expect(complaint).to.match(/^The secret key went to standard output: /);
      expect(complaint).to.contain(identity.publicKey);
    });

    it('never over others, without --force', async () => {
      const before = await readFile(at('identity'), 'utf8');
      const refusal = await sealwright('keygen', '--out', at('identity'));
      expect(refusal.code).to.equal(4);
      expect(await readFile(at('identity'), 'utf8')).to.equal(before);
      expect((await sealwright('keygen', '--out', at('identity'), '--force')).code).to.equal(0);
      expect(await readFile(at('identity'), 'utf8')).to.not.equal(before);
      expect(await readdir(folder)).to.have.members(['identity', 'named', 'message']);
    });
  });

  describe('sealed messages', () => {
    const bound = ['--origin', `${ORIGIN}/page`, '--context', 'row 7'];

    it('to a public key, which its identity opens, of every purpose and as text', async () => {
      for (const purpose of ['stream', 'page', 'field'] as const) {
        for (const armor of [[], ['--armor']]) {
          const words = ['seal', '--to', publicKey, '--purpose', purpose, ...bound, ...armor];
          const { code, printed, complaint } = await sealwright(...words, at('message'));
          expect({ code, complaint }).to.deep.equal({ code: 0, complaint: '' });
          const text = printed.toString('latin1');
          const sealed = armor.length > 0 ? unarmor(text.slice(0, -1)) : new Uint8Array(printed);
          expect(inspect(sealed)).to.include({
            purpose,
            recipients: 1,
            padded: purpose === 'field',
          });
          const identity = await parseIdentity(await readFile(at('identity'), 'utf8'));
          const options = { purpose, origin: ORIGIN, associatedData: Buffer.from('row 7') };
          const shared = { ...options, accept: 'shared', ...openingWith([identity]) } as const;
          expect(await openMessage(shared, sealed)).to.deep.equal(pattern(5_000));
          await writeFile(at('sealed'), printed);
          const open = ['open', '--key-file', at('identity'), '--shared', ...bound, at('sealed')];
          expect((await sealwright(...open)).printed).to.deep.equal(Buffer.from(pattern(5_000)));
        }
      }
    });

    it('to the keys of a file and to a named key beside, each of which opens it', async () => {
      const other = await sealwright('keygen', '--out', at('other'));
      await writeFile(at('people'), `# Ada\n${publicKey}\r\n\n  ${other.printed.toString()}`);
      const to = ['--to', at('people'), '--key-file', at('named'), '--pad'];
      expect((await sealwright('seal', ...to, '--out', at('sealed'), at('message'))).code).to.equal(
        0,
      );
      expect(inspect(await readFile(at('sealed')))).to.include({ recipients: 3, padded: true });
      for (const key of ['identity', 'other', 'named']) {
        const { printed } = await sealwright(
          'open',
          '--shared',
          '--key-file',
          at(key),
          at('sealed'),
        );
        expect(printed).to.deep.equal(Buffer.from(pattern(5_000)));
      }
    });

    it('under a named key, from standard input, of several chunks', async () => {
      const pieces = [pattern(1_500_000), pattern(1), pattern(700_000)];
      const words = ['seal', '--key-file', at('named'), '--armor', '--out', at('sealed'), '-'];
      expect((await runIn({ input: pieces }, ...words)).code).to.equal(0);
      expect(
        inspect(await readFile(at('sealed'), 'latin1').then((text) => text.trim())),
      ).to.include({
        recipients: 0,
        plaintextBytes: 2_200_001,
      });
      const { printed } = await sealwright('open', '--key-file', at('named'), at('sealed'));
      expect(printed.equals(Buffer.concat(pieces))).to.equal(true);
    });

    it('with a passphrase of a file, which opens it, its name included', async () => {
      await writeFile(at('words'), 'unpaved shiny cactus\r\nnot this line\n');
      await writeFile(at('same'), 'unpaved\u00a0shiny cactus');
      await writeFile(at('others'), 'unpaved shiny');
      const sealed = ['seal', '--passphrase-file', at('words'), '--out', at('sealed')];
      expect((await sealwright(...sealed, at('message'))).code).to.equal(0);
      const open = (name: string) =>
        sealwright('open', '--passphrase-file', at(name), at('sealed'));
      const { code, printed, complaint } = await open('same');
      expect({ code, complaint }).to.deep.equal({
        code: 0,
        complaint: 'The sender calls it message\n',
      });
      expect(printed).to.deep.equal(Buffer.from(pattern(5_000)));
      expect(await open('others')).to.deep.include({ code: 1, printed: Buffer.alloc(0) });
      const key = ['open', '--shared', '--key-file', at('identity'), at('sealed')];
      expect((await sealwright(...key)).code).to.equal(1);
    });

    it('and says what is wrong with a passphrase, and quotes nothing of it', async () => {
      await writeFile(at('words'), 'unpaved shiny cactus');
      await writeFile(at('empty'), '\nunpaved');
      await writeFile(at('control'), 'unpaved\u0007');
      await sealwright('seal', '--key-file', at('named'), '--out', at('sealed'), at('message'));
      const words = ['--passphrase-file', at('words')];
      const cases: [string[], number, string][] = [
        [['seal', '--passphrase-file', at('empty'), at('message')], 3, 'must not be empty'],
        [['seal', '--passphrase-file', at('control'), at('message')], 3, 'invisible'],
        [['seal', ...words, '--to', publicKey, at('message')], 2, 'alone'],
        [['seal', ...words, '--key-file', at('named'), at('message')], 2, 'alone'],
        [['open', ...words, '--key-file', at('named'), at('sealed')], 2, 'not both'],
        [['open', ...words, at('sealed')], 2, 'not sealed with a passphrase'],
      ];
      for (const [given, code, message] of cases) {
        const refusal = await sealwright(...given);
        expect(refusal).to.deep.include({ code, printed: Buffer.alloc(0) });
        expect(refusal.complaint).to.contain(message).and.to.not.contain('unpaved');
      }
    });

    it('and prints bytes to a terminal only if told to', async () => {
      const words = ['seal', '--to', publicKey, at('message')];
      const refusal = await runIn({ isTerminal: true }, ...words);
      expect(refusal).to.deep.include({ code: 2, printed: Buffer.alloc(0) });
      expect(refusal.complaint).to.contain('--armor');
      expect((await runIn({ isTerminal: true }, ...words, '--armor')).code).to.equal(0);
      expect((await runIn({ isTerminal: true }, ...words, '--force')).code).to.equal(0);
    });

    it('and says what is wrong with a key', async () => {
      await writeFile(at('people'), `${publicKey}\nother\n`);
      await writeFile(at('nobody'), '# to be done\n');
      const signing = publicKeyText({ type: 'Ed25519', bytes: KEY });
      const lowOrder = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32) });
      const { format, key } = JSON.parse(await readFile(at('named'), 'utf8')) as Record<
        string,
        string
      >;
      await writeFile(at('no-id'), JSON.stringify({ format, key }));
      const cases: [string[], number, RegExp][] = [
        [['--to', publicKey.slice(0, -1)], 3, /^sealwright: --to: not "swp1\." and canonical/],
        [['--to', signing], 3, /^sealwright: --to: this public key checks signatures/],
        [['--to', lowOrder], 3, /^sealwright: A public key is not valid/],
        [['--to', at('people')], 3, /people, line 2: not "swp1\."/],
        [['--to', at('nobody')], 3, /nobody has no public key/],
        [['--to', at('missing')], 4, /There is no file .*missing/],
        [['--key-file', at('identity')], 3, /identity holds an identity: seal to its public key/],
        [['--key-file', at('no-id')], 3, /no-id has no "keyId"/],
      ];
      for (const [words, code, complaint] of cases) {
        const result = await sealwright('seal', ...words, at('message'));
        expect(result, words.join(' ')).to.deep.include({ code, printed: Buffer.alloc(0) });
        expect(result.complaint).to.match(complaint);
      }
    });

    it('and says that an identity opens nothing that has no recipients', async () => {
      await sealwright('seal', '--key-file', at('named'), '--out', at('sealed'), at('message'));
      const result = await sealwright('open', '--key-file', at('identity'), at('sealed'));
      expect(result.code).to.equal(1);
      expect(result.complaint).to.contain('holds an identity, but this message has no recipients');
    });

    it('over existing files only with --force', async () => {
      const words = ['seal', '--to', publicKey, '--out', at('message'), at('message')];
      expect((await sealwright(...words)).code).to.equal(4);
      expect(await readFile(at('message'))).to.deep.equal(Buffer.from(pattern(5_000)));
      expect((await sealwright(...words, '--force')).code).to.equal(0);
    });
  });
});
