import { nativeEngine } from '../../engine/native/native.ts';
import type { PassphraseKdf } from './passphrase.ts';
import { isPbkdf2 } from './passphrase-kdf.ts';
import type { PassphraseParameters } from './passphrase-kdf.ts';

const KEY_BYTES = 32;

/**
 * The key that a prepared passphrase (passphrase.ts) gives under these parameters.
 *
 * @returns 32 bytes, which the caller wipes
 * @throws whatever the platform throws where the KDF does not run, for example for want of memory
 */
export async function passphraseKey(
  prepared: Uint8Array,
  { cost, salt }: PassphraseParameters,
  derive: PassphraseKdf,
): Promise<Uint8Array> {
  if (!isPbkdf2(cost)) return derive(prepared, salt, cost);
  const probe = await nativeEngine().probe();
  const kdf = probe.available ? probe.algorithms.PBKDF2 : undefined;
  if (kdf === undefined) throw new Error('PBKDF2: the platform does not have it');
  const parameters = { hash: 'SHA-256', salt, iterations: cost.iterations } as const;
  return kdf.derive(prepared, parameters, KEY_BYTES);
}
