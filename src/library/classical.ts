/*
 * `sealwright/classical`: Diffie-Hellman, DSA, raw RSA and six block ciphers, for Node, Deno, browsers, workers.
 */
import { createDh } from '../crypto/classical/dh.ts';
import { createDsa } from '../crypto/classical/dsa.ts';
import { createRsa } from '../crypto/classical/rsa.ts';
import { createBlockCipher } from '../engine/block-ciphers.ts';
import type { GetBlockCipher } from '../engine/block-ciphers.ts';
import { folderUrl, loadWasmAt, warnOfJs } from '../engine/wasm/library-loader.ts';
import { SystemSource } from '../random/system-source.ts';
import { CIPHER_MODULES } from './cipher-modules.ts';
import { libraryPower } from './power.ts';

export { AuthenticationError } from '../crypto/errors.ts';
export { ready } from './power.ts';
export type { ReadyOptions } from './power.ts';
export { namedGroup } from '../crypto/classical/dh-groups.ts';
export type {
  BlockCipherName,
  CbcMacParams,
  ModeName,
  ModeParams,
  ModesOfCipher,
  Padding,
} from '../crypto/ciphers/block-cipher.ts';
export type {
  BlockCipher,
  BlockCipherEngine,
  BlockCipherOptions,
  GetBlockCipher,
} from '../engine/block-ciphers.ts';
export type { Integer } from '../crypto/bigint/integers.ts';
export type { GroupName, NamedGroup } from '../crypto/classical/dh-groups.ts';
export type { Dh, DhGroup, DhKeyPair } from '../crypto/classical/dh.ts';
export type { DsaHashName } from '../crypto/classical/dsa-hashes.ts';
export type { Dsa, DsaParameters, DsaPrivateKey, DsaPublicKey } from '../crypto/classical/dsa.ts';
export type { Rsa, RsaPrivateKey } from '../crypto/classical/rsa.ts';

const randomBytes = (lengthBytes: number): Uint8Array => new SystemSource().bytes(lengthBytes);

/** Diffie-Hellman over named or own groups; see `Dh`. */
export const dh = createDh(libraryPower.power, randomBytes);
/** DSA signatures; see `Dsa`. */
export const dsa = createDsa(libraryPower.power);
/** RSA without padding; see `Rsa`. */
export const rsa = createRsa(libraryPower.power, randomBytes);

/**
 * IDEA, Twofish, RC6-32/20, MARS (August 1999), Serpent and SC2000 in ECB, CBC, CTR, OCB and CBC-MAC, for
 * reading old data and for measurement. New data belong in an AEAD of `sealwright/subtle`.
 *
 * Twofish, MARS and SC2000 look up tables at places that depend on key and data: they are not constant-time.
 * `auto` takes the engine `wasm-simd`, or `js` where the cipher's module does not load.
 *
 * Its first parameter is the name, exactly as above, with `RC6` and `MARS`. It rejects with TypeError for an unknown
 * name, engine or option, and with NotSupportedError, a DOMException, if the module of the named engine does not load.
 */
export const blockCipher: GetBlockCipher = createBlockCipher(
  (wasmBase) => loadWasmAt(CIPHER_MODULES, folderUrl(wasmBase)),
  warnOfJs,
);
