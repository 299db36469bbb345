/**
 * Adapts algorithms of src/crypto to the engine contract. There is one adapter for each kind of algorithm;
 * engines pass their own block cipher.
 */
import { checkTagBytes } from '../crypto/aead/buffers.ts';
import { ChaCha20Poly1305 } from '../crypto/aead/chacha20-poly1305.ts';
import type { Siv } from '../crypto/aead/siv.ts';
import { XChaCha20Poly1305 } from '../crypto/aead/xchacha20-poly1305.ts';
import { copyOf, equal, wipe } from '../crypto/bytes.ts';
import type { Aead, BlockCipher } from '../crypto/contracts.ts';
import { checkBytes } from '../crypto/errors.ts';
import { cbcMac } from '../crypto/mac/cbc-mac.ts';
import type { CmacKey } from '../crypto/mac/cmac.ts';
import type { Hmac } from '../crypto/mac/hmac.ts';
import { ecbDecrypt, ecbEncrypt } from '../crypto/mode/ecb.ts';
import { unwrapKey, wrapKey } from '../crypto/mode/key-wrap.ts';
import { salsa20 } from '../crypto/stream/salsa20.ts';
import type {
  AeadParams,
  Cipher,
  CipherParams,
  ConstantTime,
  KeyedCipher,
  KeyedMac,
  MacAlgorithm,
  NoParams,
  SalsaParams,
} from './contract.ts';

/** An engine's block cipher. */
export interface BlockCiphers<K extends BlockCipher> {
  readonly constantTime: ConstantTime;
  /** @param key 16, 24 or 32 bytes; copied */
  readonly withKey: (key: Uint8Array) => K;
}

/** A mode: the key is set up once, `operations` is called for each message. */
export function modeCipher<K extends BlockCipher, P>(
  { constantTime, withKey }: BlockCiphers<K>,
  operations: (key: K) => Omit<KeyedCipher<P>, 'wipe'>,
): Cipher<P> {
  return {
    constantTime,
    withKey: (bytes) => {
      const key = withKey(bytes);
      return { ...operations(key), wipe: () => key.wipe() };
    },
  };
}

/** An AEAD over a block cipher. `construct` fixes the tag length, so there is one AEAD per tag length. */
export function aeadCipher<K extends BlockCipher>(
  { constantTime, withKey }: BlockCiphers<K>,
  construct: (key: K, options: { readonly tagBytes: number }) => Aead,
): Cipher<AeadParams> {
  return {
    constantTime,
    withKey: (bytes) => {
      const key = withKey(bytes);
      const aeads = new Map<number, Aead>();
      const withTag = (tagBytes: number): Aead => {
        const known = aeads.get(tagBytes) ?? construct(key, { tagBytes });
        aeads.set(tagBytes, known);
        return known;
      };
      return {
        encrypt: ({ nonce, associatedData, tagBytes }, data, into) =>
          withTag(tagBytes).seal(nonce, data, associatedData, into),
        decrypt: ({ nonce, associatedData, tagBytes }, data, into) =>
          withTag(tagBytes).open(nonce, data, associatedData, into),
        wipe: () => {
          for (const each of aeads.values()) each.wipe();
          key.wipe();
        },
      };
    },
  };
}

/** An AEAD whose standard has tags of 16 bytes only. */
export function fixedTagCipher(
  constantTime: ConstantTime,
  construct: (key: Uint8Array) => Aead,
): Cipher<AeadParams> {
  return {
    constantTime,
    withKey: (key) => {
      const keyed = construct(key);
      return {
        encrypt: ({ nonce, associatedData, tagBytes }, data, into) => {
          checkTagBytes(tagBytes, [16]);
          return keyed.seal(nonce, data, associatedData, into);
        },
        decrypt: ({ nonce, associatedData, tagBytes }, data, into) => {
          checkTagBytes(tagBytes, [16]);
          return keyed.open(nonce, data, associatedData, into);
        },
        wipe: () => keyed.wipe(),
      };
    },
  };
}

/** A MAC under one key. `verify` compares in constant time. */
function keyedMac(sign: (data: Uint8Array) => Uint8Array, wipeKey: () => void): KeyedMac {
  return {
    sign,
    verify: (tag, data) => {
      const expected = sign(data);
      const verified = equal(expected, tag);
      wipe(expected);
      return verified;
    },
    wipe: wipeKey,
  };
}

/** HMAC under the key of `mac`, over any hash. */
export function keyedHmac(mac: Hmac): KeyedMac {
  return keyedMac(
    (data) => mac.reset().update(data).digest(),
    () => mac.wipe(),
  );
}

/** The MACs over a block cipher. */
export interface BlockMacs {
  readonly 'AES-CMAC': MacAlgorithm;
  readonly 'AES-CBC-MAC': MacAlgorithm;
}

/**
 * CMAC and CBC-MAC over an engine's AES.
 *
 * @param cmac gives the engine's CMAC, which owns the key
 */
export function blockMacs<K extends BlockCipher>(
  { constantTime, withKey }: BlockCiphers<K>,
  cmac: (key: K) => CmacKey,
): BlockMacs {
  return {
    'AES-CMAC': {
      constantTime,
      withKey: (bytes) => {
        const mac = cmac(withKey(bytes));
        return keyedMac(
          (data) => mac.tag(data),
          () => mac.wipe(),
        );
      },
    },
    'AES-CBC-MAC': {
      constantTime,
      withKey: (bytes) => {
        const key = withKey(bytes);
        return keyedMac(
          (data) => cbcMac(key, data),
          () => key.wipe(),
        );
      },
    },
  };
}

/** The ciphers that need only single blocks, and no parameters. */
export interface BlockModes {
  readonly 'AES-ECB': Cipher<NoParams>;
  readonly 'AES-KW': Cipher<NoParams>;
}

/** ECB and key wrap over an engine's AES. */
export function blockModes<K extends BlockCipher>(ciphers: BlockCiphers<K>): BlockModes {
  return {
    'AES-ECB': modeCipher<K, NoParams>(ciphers, (key) => ({
      encrypt: (_params, data, into) => ecbEncrypt(key, data, into?.subarray(0, data.length)),
      decrypt: (_params, data, into) => ecbDecrypt(key, data, into?.subarray(0, data.length)),
    })),
    'AES-KW': modeCipher<K, NoParams>(ciphers, (key) => ({
      encrypt: (_params, data, into) => wrapKey(key, data, into),
      decrypt: (_params, data, into) => unwrapKey(key, data, into),
    })),
  };
}

/** The constructors of an engine's misuse-resistant modes. They keep no reference to the key. */
export interface SivPrimitives {
  /** @param key 32, 48 or 64 bytes */
  siv(key: Uint8Array): Siv;
  /** @param key 16 or 32 bytes */
  gcmSiv(key: Uint8Array): Aead;
}

type SivName = 'AES-SIV' | 'AES-GCM-SIV';
/** AES-SIV and AES-GCM-SIV of an engine. */
export type SivCiphers = { readonly [A in SivName]: Cipher<CipherParams[A]> };

/** AES-SIV and AES-GCM-SIV over an engine's primitives. */
export function sivCiphers(constantTime: ConstantTime, primitives: SivPrimitives): SivCiphers {
  return {
    'AES-SIV': {
      constantTime,
      withKey: (key) => {
        const mode = primitives.siv(key);
        return {
          encrypt: ({ associatedData }, data, into) => mode.seal(data, associatedData, into),
          decrypt: ({ associatedData }, data, into) => mode.open(data, associatedData, into),
          wipe: () => mode.wipe(),
        };
      },
    },
    'AES-GCM-SIV': fixedTagCipher(constantTime, (key) => primitives.gcmSiv(key)),
  };
}

type ArxName = 'ChaCha20-Poly1305' | 'XChaCha20-Poly1305' | 'Salsa20';
/** The ciphers of the Salsa20 family of an engine. */
export type ArxCiphers = { readonly [A in ArxName]: Cipher<CipherParams[A]> };

/** Those of src/crypto, or of a module with the same results. */
export interface ArxPrimitives {
  /** @param key 32 bytes; copied */
  chacha20Poly1305(key: Uint8Array): Aead;
  /** @param key 32 bytes; copied */
  xchacha20Poly1305(key: Uint8Array): Aead;
  readonly salsa20: typeof salsa20;
}

/** The Salsa20 family of src/crypto, which is constant-time by construction. */
export const JS_ARX_CIPHERS: ArxCiphers = /* @__PURE__ */ arxCiphers({
  chacha20Poly1305: (key) => new ChaCha20Poly1305(key),
  xchacha20Poly1305: (key) => new XChaCha20Poly1305(key),
  salsa20,
});

/** The Salsa20 family over an engine's primitives. */
export function arxCiphers(primitives: ArxPrimitives): ArxCiphers {
  const by = 'by-construction';
  return {
    'ChaCha20-Poly1305': fixedTagCipher(by, (key) => primitives.chacha20Poly1305(key)),
    'XChaCha20-Poly1305': fixedTagCipher(by, (key) => primitives.xchacha20Poly1305(key)),
    Salsa20: {
      constantTime: by,
      withKey: (bytes) => {
        checkBytes('key', bytes, [16, 32]);
        const key = copyOf(bytes);
        const crypt: KeyedCipher<SalsaParams>['encrypt'] = ({ nonce, ...options }, data, into) =>
          primitives.salsa20(key, nonce, data, options, into?.subarray(0, data.length));
        return { encrypt: crypt, decrypt: crypt, wipe: () => wipe(key) };
      },
    },
  };
}
