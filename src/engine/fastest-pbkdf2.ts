import { equal } from '../crypto/bytes.ts';
import { SHA256 } from '../crypto/hash/sha256.ts';
import { pbkdf2 } from '../crypto/kdf/pbkdf2.ts';
import type { Kdf, Pbkdf2Params } from './contract.ts';
import { KDF_ANSWERS } from './known-answers/kdf.ts';
import { probeKdfs } from './native/hashes.ts';

/** @returns `lengthBytes` bytes; at least one iteration and one byte */
export type Pbkdf2Sha256 = (
  secret: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
) => Promise<Uint8Array>;

/**
 * PBKDF2 with HMAC-SHA-256 for programs that need no other algorithm and should not bundle all engines: the
 * platform's, if it accepts the secret and gives the known answers, else the portable one, which is several
 * times slower.
 *
 * @param crypto the platform's Crypto, without `subtle` in insecure contexts
 */
export function fastestPbkdf2Sha256(
  crypto: { readonly subtle?: SubtleCrypto } = (globalThis as Partial<typeof globalThis>).crypto ??
    {},
): Pbkdf2Sha256 {
  let probing: Promise<Kdf<Pbkdf2Params> | undefined> | undefined;
  return async (secret, salt, iterations, lengthBytes) => {
    probing ??= probe(crypto.subtle);
    const native = await probing;
    const params = { hash: 'SHA-256', salt, iterations } as const;
    return native && (await native.gap?.(secret.length, params, lengthBytes)) === undefined
      ? native.derive(secret, params, lengthBytes)
      : pbkdf2(SHA256, secret, salt, iterations, lengthBytes);
  };
}

/** Known answers are checked before the first use, as in the registry. */
async function probe(subtle: SubtleCrypto | undefined): Promise<Kdf<Pbkdf2Params> | undefined> {
  if (subtle === undefined) return undefined;
  const { PBKDF2: native } = await probeKdfs(subtle);
  return native && (await isRight(native)) ? native : undefined;
}

async function isRight(kdf: Kdf<Pbkdf2Params>): Promise<boolean> {
  const answers = KDF_ANSWERS.PBKDF2.filter(({ params }) => params.hash === 'SHA-256');
  try {
    for (const { secret, params, output } of answers) {
      if (!equal(await kdf.derive(secret, params, output.length), output)) return false;
    }
    return true;
  } catch {
    return false; // the platform refuses inputs that the standard allows
  }
}
