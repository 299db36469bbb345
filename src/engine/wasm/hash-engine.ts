/** Hashes, HMAC and key derivations of the WebAssembly modules in the shape of the engine contract. */
import { equal, wipe } from '../../crypto/bytes.ts';
import type { ShaName } from '../../crypto/contracts.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import { Hmac } from '../../crypto/mac/hmac.ts';
import type {
  DigestAlgorithm,
  HkdfParams,
  Kdf,
  KeyedMac,
  MacAlgorithm,
  Pbkdf2Params,
} from '../contract.ts';
import type { WasmHashes } from './hashes.ts';
import { pbkdf2 } from './pbkdf2.ts';

export interface HashAlgorithms extends Readonly<Record<ShaName, DigestAlgorithm>> {
  readonly HMAC: MacAlgorithm;
  readonly HKDF: Kdf<HkdfParams>;
  readonly PBKDF2: Kdf<Pbkdf2Params>;
}

/** What the contract has a name for. SHA-3, BLAKE2b, BLAKE3 and scrypt are in `hashes` itself. */
export function hashAlgorithms(hashes: WasmHashes): HashAlgorithms {
  const digest = (name: ShaName): DigestAlgorithm => {
    const algorithm = hashes.algorithms[name];
    return {
      constantTime: 'by-construction',
      digest: (data) => algorithm.digest(data),
      create: () => algorithm.create(),
    };
  };
  return {
    'SHA-1': digest('SHA-1'),
    'SHA-256': digest('SHA-256'),
    'SHA-384': digest('SHA-384'),
    'SHA-512': digest('SHA-512'),
    HMAC: {
      constantTime: 'by-construction',
      withKey: (key, hash = 'SHA-256') => keyed(new Hmac(hashes.algorithms[hash], key)),
    },
    HKDF: {
      constantTime: 'by-construction',
      derive: (secret, { hash, salt, info }, lengthBytes) =>
        hkdf(hashes.algorithms[hash], secret, salt, info, lengthBytes),
    },
    PBKDF2: {
      constantTime: 'by-construction',
      // RFC 8018 begins at one byte; the Web Cryptography API allows none.
      derive: (secret, { hash, salt, iterations }, lengthBytes) =>
        lengthBytes === 0
          ? new Uint8Array(0)
          : pbkdf2(hashes.sha, hash, secret, salt, iterations, lengthBytes),
    },
  };
}

function keyed(mac: Hmac): KeyedMac {
  const sign = (data: Uint8Array): Uint8Array => mac.reset().update(data).digest();
  return {
    sign,
    verify: (tag, data) => {
      const expected = sign(data);
      const verified = equal(expected, tag);
      wipe(expected);
      return verified;
    },
    wipe: () => mac.wipe(),
  };
}
