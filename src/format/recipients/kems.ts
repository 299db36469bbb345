/*
 * The KEM of each recipient type with a key pair. Imported only by bundles that may contain ML-KEM. A missing row of
 * wire/recipient-table.ts is a type error.
 */
import { dhkemX25519 } from '../../engine/kem/dhkem-x25519.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import type { X25519 } from '../../engine/kem/native-x25519.ts';
import { xWingKem } from '../../engine/kem/x-wing-kem.ts';
import type { KeyPairName } from '../wire/recipient-table.ts';

/** A KEM for every recipient type with a key pair, by name. */
export type AllKems = Readonly<Record<KeyPairName, Kem>>;

/** @param load selects an X25519, at its first use */
export function allKems(load: () => Promise<X25519>): AllKems {
  let loaded: Promise<X25519> | undefined;
  const x25519 = (): Promise<X25519> => (loaded ??= load());
  return { X25519: dhkemX25519(x25519), 'X-Wing': xWingKem(x25519) };
}
