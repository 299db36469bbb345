import { expect } from 'chai';
import { Ccm } from '../../../src/crypto/aead/ccm.ts';
import { ChaCha20Poly1305 } from '../../../src/crypto/aead/chacha20-poly1305.ts';
import { GcmSiv } from '../../../src/crypto/aead/gcm-siv.ts';
import { Gcm } from '../../../src/crypto/aead/gcm.ts';
import { Ocb } from '../../../src/crypto/aead/ocb.ts';
import { XChaCha20Poly1305 } from '../../../src/crypto/aead/xchacha20-poly1305.ts';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { AEADS } from '../../../src/crypto/algorithms.ts';
import type { AeadName } from '../../../src/crypto/algorithms.ts';

interface Sizes {
  readonly nonceBytes?: { readonly min: number; readonly max: number };
  readonly tagBytes: number;
  seal(nonce: Uint8Array, plaintext: Uint8Array): Uint8Array;
}

const key = (bytes: number) => new Uint8Array(bytes).fill(7);
const aes = () => new Aes(key(16));

/** One of each mode. Those with one length of tags take no option. */
const MODES: { readonly [A in AeadName]: (tagBytes?: number) => Sizes } = {
  'AES-GCM': (tagBytes = 16) => new Gcm(aes(), { tagBytes }),
  'AES-OCB': (tagBytes = 16) => new Ocb(aes(), { tagBytes }),
  'AES-CCM': (tagBytes = 16) => new Ccm(aes(), { tagBytes }),
  'AES-GCM-SIV': () => new GcmSiv(aes(), 16, (derived) => new Aes(derived)),
  'ChaCha20-Poly1305': () => new ChaCha20Poly1305(key(32)),
  'XChaCha20-Poly1305': () => new XChaCha20Poly1305(key(32)),
};

/** Tags longer than a block do not exist. */
const TAGS = Array.from({ length: 18 }, (_, length) => length);
const NONCES = Array.from({ length: 33 }, (_, length) => length);

describe('AEADS, the table of algorithms', () => {
  for (const [name, { nonceBytes, tagBytes }] of Object.entries(AEADS)) {
    const make = MODES[name as AeadName];

    it(`has the lengths of nonces that ${name} takes`, () => {
      const mode = make();
      const taken = NONCES.filter((length) => {
        try {
          return mode.seal(new Uint8Array(length), new Uint8Array(1)).length > 0;
        } catch {
          return false;
        }
      });
      const { min, max } = nonceBytes;
      expect(taken).to.deep.equal(NONCES.filter((length) => length >= min && length <= max));
    });

    it(`has the lengths of tags that ${name} makes`, () => {
      const made = TAGS.filter((length) => {
        try {
          return make(length).tagBytes === length;
        } catch {
          return false;
        }
      });
      expect(made).to.deep.equal(tagBytes);
    });
  }
});
