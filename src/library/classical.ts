/*
 * `sealwright/classical`: Diffie-Hellman, DSA, raw RSA and six block ciphers, for Node, Deno, browsers, workers.
 */
import type { BlockCipherName, ModesOfCipher } from '../crypto/ciphers/block-cipher.ts';
import {
  BLOCK_CIPHERS,
  checkName,
  checkOptions,
  modesOfCipher,
} from '../crypto/ciphers/block-cipher.ts';
import { createDh } from '../crypto/classical/dh.ts';
import { createDsa } from '../crypto/classical/dsa.ts';
import { createRsa } from '../crypto/classical/rsa.ts';
import { SystemSource } from '../random/system-source.ts';
import { libraryPower } from './power.ts';

export { AuthenticationError } from '../crypto/errors.ts';
export { namedGroup } from '../crypto/classical/dh-groups.ts';
export type {
  BlockCipherName,
  CbcMacParams,
  ModeName,
  ModeParams,
  ModesOfCipher,
  Padding,
} from '../crypto/ciphers/block-cipher.ts';
export type { Integer } from '../crypto/bigint/integers.ts';
export type { GroupName, NamedGroup } from '../crypto/classical/dh-groups.ts';
export type { Dh, DhGroup, DhKeyPair } from '../crypto/classical/dh.ts';
export type { DsaHashName } from '../crypto/classical/dsa-hashes.ts';
export type { Dsa, DsaParameters, DsaPrivateKey, DsaPublicKey } from '../crypto/classical/dsa.ts';
export type { Rsa, RsaPrivateKey } from '../crypto/classical/rsa.ts';

const randomBytes = (lengthBytes: number): Uint8Array => new SystemSource().bytes(lengthBytes);

/** Diffie-Hellman over named or own groups; see `Dh`. */
export const dh = createDh(libraryPower, randomBytes);
/** DSA signatures; see `Dsa`. */
export const dsa = createDsa(libraryPower);
/** RSA without padding; see `Rsa`. */
export const rsa = createRsa(libraryPower, randomBytes);

/** What runs a block cipher. */
export type BlockCipherEngine = 'js' | 'wasm-simd';

/** The options of `blockCipher`. */
export interface BlockCipherOptions {
  /** `auto`, also if absent, takes the fastest engine that has the cipher. A named one is never replaced. */
  readonly engine?: 'auto' | BlockCipherEngine;
}

/** A block cipher and the engine that runs it. */
export interface BlockCipher extends ModesOfCipher {
  readonly engine: BlockCipherEngine;
}

/**
 * IDEA, Twofish, RC6-32/20, MARS (August 1999), Serpent and SC2000 in ECB, CBC, CTR, OCB and CBC-MAC, for
 * reading old data and for measurement. New data belong in an AEAD of `sealwright/subtle`.
 *
 * Twofish, MARS and SC2000 look up tables at places that depend on key and data: they are not constant-time.
 *
 * @param name exactly as above, with `RC6` and `MARS`
 * @throws TypeError (as a rejection) for an unknown name, engine or option; NotSupportedError, a DOMException,
 * if the named engine lacks the cipher: `wasm-simd` has none of them yet
 */
export function blockCipher(
  name: BlockCipherName,
  options: BlockCipherOptions = {},
): Promise<BlockCipher> {
  return new Promise((resolve) => {
    checkName('name', name, Object.keys(BLOCK_CIPHERS));
    checkOptions(options, ['engine']);
    const { engine = 'auto' } = options;
    checkName('engine', engine, ['auto', 'js', 'wasm-simd']);
    if (engine === 'wasm-simd') {
      throw new DOMException(`wasm-simd does not have ${name}`, 'NotSupportedError');
    }
    resolve({ engine: 'js', ...modesOfCipher(BLOCK_CIPHERS[name]) });
  });
}
