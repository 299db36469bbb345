import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  armor,
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { expect } from 'chai';
import { hybridRecipient } from '../../src/format/recipients/age-text.ts';
import { parsePublicKey } from '../../src/format/wire/public-key.ts';
import { pattern } from '../format/message-vectors.ts';
import { runIn } from './terminal.ts';

/** Of the payload: none, less than a chunk, whole chunks, and one byte more. */
const LENGTHS = [0, 1, 65_536, 65_537, 200_000];

/* Files of age, by the command and by the library of age's author. */
describe('sealwright (command) with files of age', function () {
  this.timeout(60_000);
  let folder: string;
  /** Identities and their recipients, by kind. */
  const kinds = new Map<string, { readonly identity: string; readonly recipient: string }>();
  const at = (name: string) => join(folder, name);
  const sealwright = (...words: string[]) => runIn({}, ...words);
  const open = (...words: string[]) => sealwright('open', ...words, at('file.age'));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealwright-'));
    for (const [kind, identity] of [
      ['X25519', await generateX25519Identity()],
      ['hybrid', await generateHybridIdentity()],
    ] as const) {
      kinds.set(kind, { identity, recipient: await identityToRecipient(identity) });
      await writeFile(at(kind), `# made for a test\n${identity}\n`);
    }
  });
  after(() => rm(folder, { recursive: true }));

  const madeByAge = async (contents: Uint8Array, ...recipients: string[]) => {
    const encrypter = new Encrypter();
    for (const each of recipients) encrypter.addRecipient(each);
    return encrypter.encrypt(contents);
  };
  const recipientOf = (kind: string) => kinds.get(kind)!.recipient;

  for (const kind of ['X25519', 'hybrid']) {
    it(`seals to ${kind} what age opens, and opens what age sealed, of every length`, async () => {
      const { identity, recipient } = kinds.get(kind)!;
      for (const length of LENGTHS) {
        const contents = pattern(length);
        await writeFile(at('contents'), contents);
        for (const given of [[], ['--armor']]) {
          const to = ['--to', recipient, ...given, '--force', '--out', at('file.age')];
          expect((await sealwright('seal', ...to, at('contents'))).complaint).to.equal('');
          const sealed = new Uint8Array(await readFile(at('file.age')));
          const decrypter = new Decrypter();
          decrypter.addIdentity(identity);
          const file = given.length > 0 ? armor.decode(new TextDecoder().decode(sealed)) : sealed;
          expect(await decrypter.decrypt(file)).to.deep.equal(contents);
          expect((await open('--identity', at(kind))).printed).to.deep.equal(Buffer.from(contents));
        }
        const theirs = await madeByAge(contents, recipient);
        for (const form of [theirs, `\r\n${armor.encode(theirs).replaceAll('\n', '\r\n')}`]) {
          await writeFile(at('file.age'), form);
          expect((await open('--identity', at(kind))).printed).to.deep.equal(Buffer.from(contents));
        }
      }
    });
  }

  it('opens one for several recipients, from standard input in small pieces', async () => {
    const other = await identityToRecipient(await generateX25519Identity());
    const file = await madeByAge(pattern(70_000), other, recipientOf('X25519'));
    const input = Array.from({ length: Math.ceil(file.length / 1_000) }, (_, i) =>
      file.subarray(i * 1_000, (i + 1) * 1_000),
    );
    const opened = await runIn({ input }, 'open', '--identity', at('X25519'), '-');
    expect(opened.printed).to.deep.equal(Buffer.from(pattern(70_000)));
  });

  it('opens with an X-Wing key file what came to its form of age', async () => {
    const made = await sealwright('keygen', '--out', at('x-wing'));
    const { bytes } = parsePublicKey(made.printed.toString().trim());
    await writeFile(at('file.age'), await madeByAge(pattern(10), hybridRecipient(bytes)));
    const { printed } = await open('--key-file', at('x-wing'));
    expect(printed).to.deep.equal(Buffer.from(pattern(10)));
  });

  it('opens what a passphrase sealed, and refuses too much work before any is done', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase('unpaved shiny');
    encrypter.setScryptWorkFactor(10);
    const file = await encrypter.encrypt(pattern(10));
    await writeFile(at('file.age'), file);
    await writeFile(at('words'), 'unpaved shiny\n');
    await writeFile(at('others'), 'unpaved\n');
    const words = ['--passphrase-file', at('words')];
    expect((await open(...words)).printed).to.deep.equal(Buffer.from(pattern(10)));
    expect(await open('--passphrase-file', at('others'))).to.deep.include({ code: 1 });
    expect((await open('--identity', at('X25519'))).complaint).to.contain('--passphrase-file FILE');
    const text = Buffer.from(file)
      .toString('latin1')
      .replace(/( \S{22} )10\n/, '$130\n');
    await writeFile(at('file.age'), Buffer.from(text, 'latin1'));
    expect((await open(...words)).complaint).to.contain('Work factor 30');
  });

  it('leaves nothing behind of a file that was changed, cut off or added to, or is for others', async () => {
    const file = await madeByAge(pattern(200_000), recipientOf('X25519'));
    const changed = (place: number) => file.map((byte, i) => (i === place ? byte ^ 1 : byte));
    /** Another character of Base64: of one that is not, the header itself is damaged. */
    const exchanged = (place: number) => {
      const [b, c] = [0x42, 0x43];
      return file.map((byte, i) => (i !== place ? byte : byte === b ? c : b));
    };
    const stranger = await identityToRecipient(await generateX25519Identity());
    const cases: [string, Uint8Array, number][] = [
      ['last chunk', changed(file.length - 20), 1],
      ['first chunk', changed(file.length - 199_000), 1],
      ['version', changed(20), 3],
      ['share', exchanged(40), 1],
      ['MAC', changed(file.length - 200_000 - 4 * 16 - 16 - 10), 3],
      ['end of a chunk', file.subarray(0, file.length - (200_000 % 65_536) - 16), 1],
      ['end of a file', file.subarray(0, file.length - 1), 1],
      ['nonce', file.subarray(0, 180), 3],
      ['more', Buffer.concat([file, Buffer.of(0)]), 1],
      ['others', await madeByAge(pattern(1), stranger), 1],
    ];
    const before = await readdir(folder);
    for (const [what, bytes, code] of cases) {
      await writeFile(at('file.age'), bytes);
      const refusal = await open('--identity', at('X25519'), '--out', at('opened'));
      expect(refusal.code, `${what}: ${refusal.complaint}`).to.equal(code);
      expect(await readdir(folder), what).to.have.members(before);
    }
  });

  it('says what is wrong with its keys and options, and quotes no identity', async () => {
    const { identity, recipient } = kinds.get('X25519')!;
    await writeFile(at('contents'), 'text');
    await writeFile(at('file.age'), await madeByAge(pattern(1), recipient));
    await writeFile(at('typo'), `${identity.slice(0, -1)}${identity.endsWith('Q') ? 'P' : 'Q'}\n`);
    await writeFile(at('words'), 'unpaved shiny\n');
    const swp = (await sealwright('keygen', '--out', at('me'))).printed.toString().trim();
    const seal = (...words: string[]) => ['seal', ...words, at('contents')];
    await sealwright(...seal('--to', swp, '--out', at('sealed')));
    const cases: [string[], number, string][] = [
      [seal('--to', `${recipient}x`), 3, '--to: not a recipient of age'],
      [seal('--to', recipient, '--to', swp), 3, 'others need a file of their own'],
      [seal('--to', recipient, '--to', recipientOf('hybrid')), 2, 'are not mixed with others'],
      [seal('--to', recipient, '--origin', 'https://a'), 2, 'neither a key file nor a site'],
      [['open', '--identity', at('typo'), at('file.age')], 3, 'does not hold identities of age'],
      [['open', '--shared', '--identity', at('X25519'), at('sealed')], 2, 'not a file of age'],
      [
        ['open', '--passphrase-file', at('words'), at('file.age')],
        2,
        'give the key with --identity',
      ],
      [['open', '--identity', at('X25519'), '--key-file', at('me'), at('file.age')], 2, 'not both'],
      [['open', '--identity', at('X25519'), '--proof', at('p'), at('file.age')], 2, 'nor a proof'],
    ];
    for (const [words, code, complaint] of cases) {
      const refusal = await sealwright(...words);
      expect(refusal, words.join(' ')).to.deep.include({ code, printed: Buffer.alloc(0) });
      expect(refusal.complaint)
        .to.contain(complaint)
        .and.not.match(/SECRET-KEY|unpaved/i);
    }
  });
});
