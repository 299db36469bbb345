/*
 * `sealwright/classical`: Diffie-Hellman, DSA, raw RSA and six block ciphers, for Node, Deno, browsers, workers.
 */
import { createDh } from '../crypto/classical/dh.ts';
import { createDsa } from '../crypto/classical/dsa.ts';
import { createRsa } from '../crypto/classical/rsa.ts';
import { SystemSource } from '../random/system-source.ts';
import { libraryPower } from './power.ts';

export { AuthenticationError } from '../crypto/errors.ts';
export { blockCipher } from '../engine/block-ciphers.ts';
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
} from '../engine/block-ciphers.ts';
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
