import { readFileSync } from 'node:fs';

/** An offer, a parcel that answers it, and what the device that made the offer reads (scripts/make-pairing-vectors.ts). */
export interface PairingVector {
  /** The seed of the offer's key; hex, as offer and parcel. */
  readonly privateKey: string;
  readonly offer: string;
  readonly parcel: string;
  readonly read: {
    /** What the QR code of the offer holds. */
    readonly code: string;
    readonly to: string;
    readonly from: string;
    /** Of the member in the offer; hex. */
    readonly id: string;
    readonly ed25519: string;
    /** ms since the epoch */
    readonly offered: number;
    readonly given: number;
    readonly digits: string;
    /** Hex. */
    readonly circle: string;
    readonly state: string;
  };
}

/** The vectors of docs/format.md section 15. */
export function readPairingVectors(): readonly PairingVector[] {
  return JSON.parse(
    readFileSync('test/keys/vectors/pairing.json', 'utf8'),
  ) as readonly PairingVector[];
}
