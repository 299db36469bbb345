import { armor, Encrypter } from 'age-encryption';
import { expect } from 'chai';
import { ageUnarmored } from '../../extension/manager/files/age-file.ts';
import { concat, utf8 } from '../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { scrypt } from '../../src/crypto/kdf/scrypt.ts';
import { EnvelopeError } from '../../src/format/errors.ts';
import { ageFileKey, ageHeader, agePayload, ageScrypt } from '../../open-page/age-file.ts';

const PASSPHRASE = 'abacus stream';
const CHUNK_BYTES = 65_536;
const IDLE = { signal: new AbortController().signal, progress: () => undefined };

/** As `age -p` makes it, with less work. */
function made(contents: Uint8Array, workFactor = 4): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(PASSPHRASE);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(contents);
}

async function opened(file: Uint8Array, passphrase = PASSPHRASE): Promise<Uint8Array> {
  const header = ageHeader(file.subarray(0, 256))!;
  const { salt, cost } = ageScrypt(header);
  const fileKey = ageFileKey(header, scrypt(utf8(passphrase), salt, cost, 32));
  const parts: Uint8Array[] = [];
  const blob = new Blob([file as BlobPart]);
  for await (const part of agePayload(blob, header, fileKey, IDLE)) parts.push(part);
  return concat(...parts);
}

async function failure(file: Uint8Array, passphrase?: string): Promise<unknown> {
  try {
    await opened(file, passphrase);
  } catch (error) {
    return error;
  }
  return undefined;
}

const counting = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31) >> 3);
const text = (file: Uint8Array) => Buffer.from(file).toString('latin1');
const bytes = (latin1: string) => new Uint8Array(Buffer.from(latin1, 'latin1'));

describe('age files under a passphrase', () => {
  for (const length of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 17 * CHUNK_BYTES]) {
    it(`of ${length} bytes open, as the library of age's author has made them`, async () => {
      expect(await opened(await made(counting(length)))).to.deep.equal(counting(length));
    });
  }

  it('open as armored text, with the line ends of any system', async () => {
    const file = await made(utf8('hello'));
    const armored = armor.encode(file);
    for (const written of [armored, armored.replaceAll('\n', '\r\n'), `\ufeff \n${armored}\n\n`]) {
      expect(ageUnarmored(written)).to.deep.equal(file);
    }
    expect(() => ageUnarmored(armored.replace('-----END', '----END'))).to.throw(EnvelopeError);
    // The first characters of the first line of Base64, whatever they are.
    const damaged = armored.replace(/\n[^-\n]{4}/, '\n!!!!');
    expect(() => ageUnarmored(damaged)).to.throw(EnvelopeError);
  });

  it('do not open by another passphrase', async () => {
    expect(await failure(await made(utf8('hello')), 'other')).to.be.instanceOf(AuthenticationError);
  });

  it('do not open with a changed, cut or lengthened payload', async () => {
    const file = await made(counting(2 * CHUNK_BYTES));
    const start = ageHeader(file)!.bytes;
    const sealed = CHUNK_BYTES + 16;
    const flipped = Uint8Array.from(file, (byte, i) => (i === file.length - 1 ? byte ^ 1 : byte));
    const first = file.slice(start + 16, start + 16 + sealed);
    for (const [name, other] of Object.entries({
      flipped,
      'without its end': file.subarray(0, -1),
      'without its last chunk': file.subarray(0, start + 16 + sealed),
      'without any chunk': file.subarray(0, start + 16),
      'without its nonce': file.subarray(0, start + 8),
      'with a byte more': concat(file, Uint8Array.of(0)),
      'with a chunk twice': concat(file.subarray(0, start + 16 + sealed), first),
    })) {
      expect(await failure(other), name).to.be.instanceOf(AuthenticationError);
    }
  });

  it('do not open with a changed header', async () => {
    const file = text(await made(utf8('hello')));
    const [, salt] = /scrypt (\S+)/.exec(file)!;
    const [, mac] = /--- (\S+)/.exec(file)!;
    const [, body] = /scrypt \S+ \d+\n(\S+)/.exec(file)!;
    const turned = (word: string) => (word.startsWith('A') ? 'B' : 'A') + word.slice(1);
    for (const [from, to] of [
      [mac!, turned(mac!)],
      [salt!, turned(salt!)],
      [body!, turned(body!)],
      [' 4\n', ' 5\n'],
    ] as const) {
      const error = await failure(bytes(file.replace(from, to)));
      expect(error instanceof AuthenticationError || error instanceof EnvelopeError).to.equal(true);
    }
    const canonical = bytes(file.replace(mac!, `${mac!.slice(0, -1)}_`));
    expect(await failure(canonical)).to.be.instanceOf(EnvelopeError);
  });

  it('are refused for more than 1 GiB, before any work', async () => {
    const file = text(await made(utf8('hello')));
    const with20 = bytes(file.replace(/( \S{22}) 4\n/, '$1 20\n'));
    expect(ageHeader(with20)!.workFactor).to.equal(20);
    for (const factor of ['21', '63', '99']) {
      const costly = bytes(file.replace(/( \S{22}) 4\n/, `$1 ${factor}\n`));
      expect(() => ageHeader(costly), factor).to.throw(EnvelopeError, 'more than is accepted');
    }
  });

  it('have one form of header, and others are for other recipients or damaged', async () => {
    const file = text(await made(utf8('hello')));
    expect(ageHeader(bytes(file.replace('-> scrypt', '-> X25519')))).to.equal(undefined);
    for (const other of [
      file.replace(' 4\n', ' 04\n'),
      file.replace('\n---', '\n-> grease\n\n---'),
      file.replace('--- ', '---  '),
      file.slice(0, 100),
    ]) {
      expect(() => ageHeader(bytes(other)), other.slice(0, 60)).to.throw(EnvelopeError);
    }
  });
});
