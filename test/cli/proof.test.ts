import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fromHex } from '../../src/crypto/bytes.ts';
import { messageDigest } from '../../src/format/chunks/message-digest.ts';
import { sealMessage } from '../../src/format/message.ts';
import { sealingAttributes } from '../../src/format/recipients/attributes.ts';
import { keyFileText } from '../../src/format/recipients/key-file.ts';
import { generateIdentity, identityText, sealingTo } from '../../src/format/recipients/sharing.ts';
import { publicKeyText } from '../../src/format/wire/public-key.ts';
import { readSignedVectors, signerOf } from '../format/attribute-vectors.ts';
import { pattern } from '../format/message-vectors.ts';
import { runIn } from './terminal.ts';

const PRIVATE_KEY = pattern(32);

describe('sealwright (command) and signed messages', () => {
  let folder: string;
  let signer: string;
  const at = (name: string) => join(folder, name);
  const sealwright = (...words: string[]) => runIn({}, ...words);
  const opening = (name: string, ...words: string[]) =>
    sealwright('open', '--shared', '--key-file', at('identity'), ...words, at(name));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealwright-'));
    const identity = await generateIdentity();
    await writeFile(at('identity'), identityText(identity));
    const { publicKey } = await signerOf(PRIVATE_KEY);
    signer = publicKeyText({ type: 'Ed25519', bytes: publicKey });
    const [to] = [sealingTo([identity.publicKey])];
    const seal = async (name: string, message: Uint8Array, pad: boolean, isSigned = true) => {
      const digest = await messageDigest(message, message.length > 2 ** 20 ? 2 ** 20 : 16_384);
      const file = { name: 'a\u202eb.txt', type: 'text/plain' };
      const about = { file, statics: [], digest };
      const attributes = sealingAttributes({
        ...about,
        ...(isSigned && { signer: await signerOf(PRIVATE_KEY) }),
      });
      const options = { purpose: 'stream', pad, attributes, ...to } as const;
      await writeFile(at(name), await sealMessage(options, message));
    };
    await seal('signed', pattern(5_000), false);
    await seal('padded', pattern(40_000), true);
    // Padding and zeros before it that are of the message, over chunks of 1 MiB.
    await seal('zeros', new Uint8Array(2_200_000).fill(0x80, 0, 9), true);
    await seal('unsigned', pattern(10), false, false);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('opens one, says with which key, and writes a proof that it verifies', async () => {
    const messages = { signed: pattern(5_000), padded: pattern(40_000), zeros: undefined };
    for (const [name, message] of Object.entries(messages)) {
      const words = ['--proof', at(`${name}.proof`), '--out', at(`${name}.out`)];
      const { code, complaint } = await opening(name, ...words);
      expect({ code, complaint }).to.deep.equal({
        code: 0,
        complaint: `The sender calls it a_b.txt\nSigned with the key ${signer}: compare it with the sender's\n`,
      });
      if (message) expect(await readFile(at(`${name}.out`))).to.deep.equal(Buffer.from(message));
      const check = ['verify-proof', '--message', at(`${name}.out`)];
      const checked = await sealwright(...check, '--signer', signer, at(`${name}.proof`));
      expect(checked.code, checked.complaint).to.equal(0);
      expect(checked.printed.toString()).to.equal(
        `The signature is valid.\nsigned with     ${signer}\nname            a_b.txt\ntype            text/plain\n` +
          'purpose         stream\nWhose key that is, the proof does not say: compare it.\n',
      );
    }
  });

  it('refuses another message, another signer, and what is no proof', async () => {
    await opening('signed', '--proof', at('proof'), '--out', at('out'));
    await writeFile(at('other'), pattern(5_001));
    const refusals: readonly [string[], number, RegExp][] = [
      [['--message', at('other'), at('proof')], 1, /^sealwright: Not valid: /],
      [[at('proof')], 2, /does not hold the message: give it with --message FILE/],
      [['--message', at('out'), at('other')], 3, /other: /],
      [['--message', at('out'), '--signer', 'swp1.AQ', at('proof')], 3, /--signer: /],
      [['--message', at('nothing'), at('proof')], 4, /There is no file /],
      [['--message', '-', '-'], 2, /Only one FILE can be standard input/],
    ];
    for (const [words, expected, complaint] of refusals) {
      const outcome = await sealwright('verify-proof', ...words);
      expect(outcome.code, words.join(' ')).to.equal(expected);
      expect(outcome.complaint).to.match(complaint);
      expect(outcome.printed.toString()).to.equal('');
    }
    const { publicKey } = await signerOf(pattern(33).subarray(1));
    const other = publicKeyText({ type: 'Ed25519', bytes: publicKey });
    const words = ['verify-proof', '--signer', other, '--message', at('out'), at('proof')];
    const { code, complaint } = await sealwright(...words);
    expect(code).to.equal(1);
    expect(complaint).to.equal(
      `sealwright: Signed, but with another key than --signer: ${signer}\n`,
    );
  });

  it('verifies a proof of a text with the text in it, which it prints', async () => {
    const { proof } = readSignedVectors().find(({ id }) => id === 'signed-text')!;
    await writeFile(at('proof'), proof!);
    const { code, printed } = await sealwright('verify-proof', at('proof'));
    expect(code).to.equal(0);
    expect(printed.toString()).to.match(/^The signature is valid\.\n[^]*\n\nGrüße, Ada 🙂\n$/);
    await writeFile(at('altered'), proof!.replace('Ada', 'Eve'));
    const altered = await sealwright('verify-proof', at('altered'));
    expect({ code: altered.code, printed: altered.printed.length }).to.deep.equal({
      code: 1,
      printed: 0,
    });
  });

  it('writes no proof of a message that is not signed, and then does not open it', async () => {
    const words = ['--proof', at('proof'), '--out', at('out')];
    const { code, complaint } = await opening('unsigned', ...words);
    expect(code).to.equal(1);
    expect(complaint).to.match(/is not signed for others to check/);
    expect(await readdir(folder)).to.not.include.members(['proof', 'out']);
    expect((await opening('unsigned')).complaint).to.equal('The sender calls it a_b.txt\n');
  });

  it('says of a signature of another message that it is not valid', async () => {
    const { sealed, identities } = readSignedVectors().find(({ id }) => id === 'signed-moved')!;
    await writeFile(at('moved'), fromHex(sealed));
    const key = fromHex(identities[0]!.key);
    await writeFile(at('bob'), keyFileText({ key, algorithm: 'X-Wing' }));
    const words = ['open', '--shared', '--key-file', at('bob'), '--proof', at('proof')];
    const { code, complaint } = await sealwright(...words, at('moved'));
    expect(code).to.equal(1);
    expect(complaint).to.equal(
      'It holds a signature that is not valid: take it for unsigned\n' +
        'sealwright: The signature is not valid: no proof was written\n',
    );
    expect(await readdir(folder)).to.not.include('proof');
  });
});
