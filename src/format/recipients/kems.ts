/*
 * The KEM of each recipient type with a key pair, portable ones included. Imported only by bundles that may
 * contain the libraries for X25519 and ML-KEM. A missing row of wire/recipient-table.ts is a type error.
 */
import { dhkemX25519 } from '../../engine/kem/dhkem-x25519.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { loadX25519 } from '../../engine/kem/x25519.ts';
import { X_WING } from '../../engine/kem/x-wing.ts';
import type { KeyPairName } from '../wire/recipient-table.ts';

/** A KEM for every recipient type with a key pair, by name. */
export type AllKems = Readonly<Record<KeyPairName, Kem>>;

/** Creates the KEMs. X25519's engine is selected at its first use and then kept. */
export function allKems(): AllKems {
  let x25519: ReturnType<typeof loadX25519> | undefined;
  return { X25519: dhkemX25519(() => (x25519 ??= loadX25519())), 'X-Wing': X_WING };
}
