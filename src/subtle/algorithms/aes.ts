/** AES keys: the same for every mode (Web Cryptography API, 25–28). */
import { CIPHER_USAGES, symmetricKeys } from './symmetric-keys.ts';
import type { SymmetricKeyRules } from './symmetric-keys.ts';

/** FIPS 197, table 3. */
const KEY_BITS: readonly number[] = [128, 192, 256];

/**
 * The IANA JOSE registry has A128GCM, A128CTR, A128CBC, A128KW …; the WICG draft adds A128OCB. The
 * other modes are named in the same manner.
 *
 * @param name the algorithm that the keys are for
 * @param rules where the mode differs from the usual
 */
export function aesKeys(name: string, rules: Partial<SymmetricKeyRules> = {}) {
  return symmetricKeys({
    name,
    bits: KEY_BITS,
    usages: CIPHER_USAGES,
    use: 'enc',
    alg: (keyBits) => `A${keyBits}${name.slice('AES-'.length)}`,
    ...rules,
  });
}
