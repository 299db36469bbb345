/** The tests of every AEAD mode of src/crypto, as one suite that each mode's test runs. */
import type { CipherCCMTypes, CipherGCMTypes, CipherOCBTypes } from 'node:crypto';
import { createCipheriv } from 'node:crypto';
import { expect } from 'chai';
import type { Aead, BlockCipher } from '../../../src/crypto/contracts.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import { CIPHERS } from '../../support/plain-cipher.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { lengthsTo } from '../../support/nightly.ts';

export interface AeadMode {
  readonly name: 'gcm' | 'ccm' | 'ocb';
  readonly nonces: readonly number[];
  readonly badNonces: readonly number[];
  readonly tags: readonly number[];
  readonly badTags: readonly number[];
  create(cipher: BlockCipher, options?: { readonly tagBytes?: number }): Aead;
}

/** The result of OpenSSL: ciphertext ‖ tag. */
export function openssl(
  mode: AeadMode['name'],
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  associatedData: Uint8Array,
  authTagLength: number,
): Uint8Array {
  const name = `aes-${8 * key.length}-${mode}`;
  // One call for three modes. Only CCM needs the length before it begins.
  const cipher = createCipheriv(
    name as CipherGCMTypes & CipherCCMTypes & CipherOCBTypes,
    key,
    nonce,
    { authTagLength },
  );
  cipher.setAAD(associatedData, { plaintextLength: plaintext.length });
  // Node ignores an update with an empty array that has no memory, and CCM needs one.
  const held = Buffer.concat([plaintext, Uint8Array.of(0)]).subarray(0, plaintext.length);
  const ciphertext = Buffer.concat([cipher.update(held), cipher.final()]);
  return Uint8Array.from(Buffer.concat([ciphertext, cipher.getAuthTag()]));
}

const KEY_BYTES = [16, 24, 32] as const;

export function describeAeadClass(mode: AeadMode): void {
  for (const [name, cipherOf] of CIPHERS) {
    describe(`over ${name}`, () => {
      it('agrees with OpenSSL at edge lengths of message and associated data, in both directions', () => {
        EDGE_LENGTHS.forEach((length, i) => {
          const key = randomBytes(KEY_BYTES[i % 3]!);
          const nonce = randomBytes(mode.nonces[i % mode.nonces.length]!);
          const tagBytes = mode.tags[i % mode.tags.length]!;
          const plaintext = randomBytes(length);
          const associatedData = randomBytes(1 + EDGE_LENGTHS[(i * 7) % EDGE_LENGTHS.length]!);
          const aead = mode.create(cipherOf(key), { tagBytes });
          const sealed = aead.seal(nonce, plaintext, associatedData);
          const expected = openssl(mode.name, key, nonce, plaintext, associatedData, tagBytes);
          expect(sealed, `${length}`).to.deep.equal(expected);
          expect(aead.open(nonce, sealed, associatedData), `${length}`).to.deep.equal(plaintext);
        });
      });

      it('works in place, at any offset, and does not change its inputs', () => {
        for (const length of [0, 5, 16, 500, 520, 9000]) {
          const aead = mode.create(cipherOf(randomBytes(32)));
          const nonce = randomBytes(mode.nonces[0]!);
          const associatedData = unaligned(randomBytes(21), 3);
          const plaintext = randomBytes(length);
          const kept = [nonce, associatedData, plaintext].map((bytes) => bytes.slice());
          const expected = aead.seal(nonce, plaintext, associatedData);
          expect([nonce, associatedData, plaintext]).to.deep.equal(kept);
          for (const shift of [0, 1, 2, 3]) {
            const room = unaligned(new Uint8Array(length + 16), shift);
            room.set(plaintext);
            const sealed = aead.seal(nonce, room.subarray(0, length), associatedData, room);
            expect(sealed.buffer).to.equal(room.buffer);
            expect(sealed).to.deep.equal(expected);
            const opened = aead.open(nonce, sealed, associatedData, sealed);
            expect(opened.buffer).to.equal(room.buffer);
            expect(opened).to.deep.equal(plaintext);
          }
        }
      });

      it('refuses each flipped byte of nonce, associated data, ciphertext and tag, and wipes', () => {
        const aead = mode.create(cipherOf(randomBytes(16)));
        const nonce = randomBytes(mode.nonces[0]!);
        const associatedData = randomBytes(20);
        const sealed = aead.seal(nonce, randomBytes(37), associatedData);
        for (const part of [nonce, associatedData, sealed]) {
          for (let i = 0; i < part.length; i++) {
            part[i]! ^= 1 << (i % 8);
            const into = new Uint8Array(37);
            expect(() => aead.open(nonce, sealed, associatedData, into)).to.throw(
              AuthenticationError,
              /^Authentication failed$/,
            );
            expect([...into], 'nothing unverified stays').to.deep.equal(Array(37).fill(0));
            part[i]! ^= 1 << (i % 8);
          }
        }
        aead.open(nonce, sealed, associatedData);
      });
    });
  }

  const cipherOf = CIPHERS[0]![1];
  const nonce = new Uint8Array(mode.nonces[0]!);

  it('agrees with OpenSSL at lengths from 0 to 4,096, and at 1 MiB', () => {
    const key = randomBytes(16);
    const aead = mode.create(cipherOf(key));
    const source = randomBytes(1 << 20);
    const associatedData = randomBytes(13);
    const unique = randomBytes(nonce.length);
    for (const length of [...lengthsTo(4096), source.length]) {
      const plaintext = source.subarray(0, length);
      const expected = openssl(mode.name, key, unique, plaintext, associatedData, 16);
      const sealed = aead.seal(unique, plaintext, associatedData);
      if (Buffer.compare(sealed, expected) !== 0) expect.fail(`length ${length}`);
    }
  });

  it('treats absent associated data as empty', () => {
    const aead = mode.create(cipherOf(new Uint8Array(16)));
    const sealed = aead.seal(nonce, new Uint8Array(3));
    expect(aead.seal(nonce, new Uint8Array(3), new Uint8Array(0))).to.deep.equal(sealed);
  });

  it('does not write behind its result', () => {
    const aead = mode.create(cipherOf(new Uint8Array(16)));
    const room = new Uint8Array(40).fill(0x5a);
    const sealed = aead.seal(nonce, new Uint8Array(3), undefined, room);
    expect(sealed.length).to.equal(19);
    expect([...room.subarray(19)]).to.deep.equal(Array(21).fill(0x5a));
  });

  it('treats input shorter than a tag as not authentic', () => {
    const aead = mode.create(cipherOf(new Uint8Array(16)));
    for (const length of [0, 1, 15]) {
      expect(() => aead.open(nonce, new Uint8Array(length))).to.throw(AuthenticationError);
    }
  });

  it('allows only the nonces and tags of its standard', () => {
    const aead = mode.create(cipherOf(new Uint8Array(16)));
    for (const length of mode.nonces) aead.seal(new Uint8Array(length), nonce);
    for (const length of mode.badNonces) {
      const bad = new Uint8Array(length);
      expect(() => aead.seal(bad, nonce), `${length}`).to.throw(RangeError, 'nonce');
      expect(() => aead.open(bad, new Uint8Array(16)), `${length}`).to.throw(RangeError, 'nonce');
    }
    for (const tagBytes of mode.badTags) {
      const create = () => mode.create(cipherOf(new Uint8Array(16)), { tagBytes });
      expect(create, `${tagBytes}`).to.throw(RangeError, 'tagBytes');
    }
  });

  it('names the wrong argument', () => {
    const aead = mode.create(cipherOf(new Uint8Array(16)));
    const text = 'text' as unknown as Uint8Array;
    expect(() => aead.seal(text, nonce)).to.throw(TypeError, 'nonce');
    expect(() => aead.seal(nonce, text)).to.throw(TypeError, 'plaintext');
    expect(() => aead.open(nonce, text)).to.throw(TypeError, 'sealed');
    expect(() => aead.seal(nonce, nonce, text)).to.throw(TypeError, 'associatedData');
    expect(() => aead.seal(nonce, nonce, nonce, nonce)).to.throw(RangeError, 'into');
  });
}
