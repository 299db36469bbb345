/*
 * The second message of a pairing (docs/format.md section 15): what a device shares, sealed to the key of an offer by HPKE
 * (RFC 9180) in base mode with X-Wing, HKDF-SHA-256 and AES-256-GCM.
 *
 *   head   = "õSWD" ‖ 01 ‖ 02 ‖ SHA-256(offer) (32) ‖ u64 time ‖ u8 length of the name ‖ name
 *   parcel = head ‖ enc (1,120) ‖ AES-256-GCM(u32 length of the circle's part ‖ circle's part ‖ state, padded)
 *   info   = "SWD1 parcel" ‖ offer ‖ head
 *   digits = Export("SWD1 digits", 16) modulo 10^6
 *
 * HPKE in this mode does not say who sealed. The digits do: they come from the secret that only the two devices have, and
 * the person carries them from the screen of the one to the other.
 */
import { concat, equal, u32be, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { HPKE_AES_256_GCM, hpkeExport, hpkeKeys } from '../../crypto/kdf/hpke.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import type { ChunkAead, FormatCrypto } from '../../format/format-crypto.ts';
import { markPadding, PaddingReader } from '../../format/wire/padding.ts';
import { paddedLength } from '../../format/wire/sealed-length.ts';
import type { RandomSource } from '../../random/contract.ts';
import {
  digestOfOffer,
  encodeDevice,
  messageStart,
  PairingError,
  parseDevice,
  withoutStart,
} from './offer.ts';
import type { DeviceAt, Offer } from './offer.ts';

/** Length of a parcel in bytes, at most. */
export const PARCEL_MAX_BYTES = 2 ** 24;
/** Decimal digits that the person types. */
export const PARCEL_DIGITS = 6;

const LABEL = utf8('SWD1 parcel');
const DIGITS_LABEL = utf8('SWD1 digits');
const DIGITS_SECRET_BYTES = 16;
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;

/** What a parcel carries. */
export interface ParcelContents {
  /** What a new member of the circle is given (circle/membership.ts). */
  readonly circle: Uint8Array;
  /** The text of the shared state. */
  readonly state: Uint8Array;
}

/** What sealing and opening need. */
export interface ParcelCrypto {
  /** X-Wing. */
  readonly kem: Kem;
  readonly crypto: FormatCrypto;
}

/** A parcel whose seal has not been opened. */
export interface SealedParcel {
  /** The device that gave it, as it says. */
  readonly giver: DeviceAt;
  /** Of the offer that it answers. */
  readonly offerDigest: Uint8Array;
  readonly head: Uint8Array;
  readonly sealed: Uint8Array;
}

/** A parcel that was opened, before the person has typed the digits: nothing of it may be used. */
export interface OpenedParcel {
  readonly digits: string;
  /** Checked by nothing but the seal. To be wiped. */
  readonly plaintext: Uint8Array;
}

/**
 * Seals to the key of an offer.
 *
 * @param bytes the offer, as it came; `offer` is the same, parsed
 * @param contents are wiped by the caller
 * @returns the parcel, and the six digits that the person types on the other device
 * @throws PairingError MALFORMED for a key that is no point of X-Wing, TOO_LARGE
 */
export async function sealParcel(
  { bytes, offer }: { readonly bytes: Uint8Array; readonly offer: Offer },
  giver: DeviceAt,
  { circle, state }: ParcelContents,
  { kem, crypto, random }: ParcelCrypto & { readonly random: RandomSource },
): Promise<{ readonly parcel: Uint8Array<ArrayBuffer>; readonly digits: string }> {
  const head = concat(messageStart('parcel'), digestOfOffer(bytes), encodeDevice(giver));
  const length = LENGTH_BYTES + circle.length + state.length;
  const total = head.length + kem.encapsulatedBytes + paddedLength(length) + 16;
  if (total > PARCEL_MAX_BYTES) throw new PairingError('TOO_LARGE');
  const randomness = random.bytes(kem.randomnessBytes);
  const encapsulation = await kem
    .encapsulate(offer.member.xWing, randomness)
    .catch((error: unknown) => {
      throw error instanceof RangeError ? new PairingError('MALFORMED') : error;
    })
    .finally(() => wipe(randomness));
  const { sharedSecret, encapsulated } = encapsulation;
  const { aead, nonce, digits } = await derived({ kem, crypto }, sharedSecret, bytes, head);
  const padded = new Uint8Array(paddedLength(length));
  try {
    for (const [part, at] of [
      [u32be(circle.length), 0],
      [circle, LENGTH_BYTES],
      [state, LENGTH_BYTES + circle.length],
    ] as const) {
      padded.set(part, at);
    }
    markPadding(padded, length);
    return { parcel: concat(head, encapsulated, await aead.seal(nonce, padded)), digits };
  } finally {
    wipe(padded);
  }
}

/**
 * The parts of a parcel that are not sealed.
 *
 * @throws PairingError MALFORMED, before any work for one that is too long
 */
export function parseParcel(bytes: Uint8Array): SealedParcel {
  if (bytes.length > PARCEL_MAX_BYTES) throw new PairingError('MALFORMED');
  const rest = withoutStart('parcel', bytes);
  const { device, rest: sealed } = parseDevice(rest.subarray(DIGEST_BYTES));
  const head = bytes.subarray(0, bytes.length - sealed.length);
  return { giver: device, offerDigest: rest.slice(0, DIGEST_BYTES), head, sealed };
}

/**
 * Opens a parcel with the private key of its offer, and says which digits the giver shows.
 *
 * @param offer its bytes
 * @param privateKey the seed of X-Wing
 * @throws PairingError MALFORMED for a parcel that was altered, or was sealed to another offer
 */
export async function openParcel(
  { head, sealed }: SealedParcel,
  offer: Uint8Array,
  privateKey: Uint8Array,
  { kem, crypto }: ParcelCrypto,
): Promise<OpenedParcel> {
  const encapsulated = sealed.subarray(0, kem.encapsulatedBytes);
  if (encapsulated.length < kem.encapsulatedBytes) throw new PairingError('MALFORMED');
  try {
    const sharedSecret = await kem.decapsulate(privateKey, encapsulated);
    const { aead, nonce, digits } = await derived({ kem, crypto }, sharedSecret, offer, head);
    return { digits, plaintext: await aead.open(nonce, sealed.subarray(encapsulated.length)) };
  } catch (error) {
    throw error instanceof AuthenticationError ? new PairingError('MALFORMED') : error;
  }
}

/**
 * What an opened parcel carries, once the digits were right.
 *
 * @returns views of `plaintext`
 * @throws PairingError MALFORMED
 */
export function contentsOfParcel(plaintext: Uint8Array): ParcelContents {
  const stateAt = LENGTH_BYTES + (plaintext.length < LENGTH_BYTES ? 0 : lengthAt(plaintext));
  const end = paddedEnd(plaintext);
  if (stateAt > end) throw new PairingError('MALFORMED');
  const circle = plaintext.subarray(LENGTH_BYTES, stateAt);
  return { circle, state: plaintext.subarray(stateAt, end) };
}

/** Whether the person typed these digits; in a time that does not say which of them are right. */
export const areDigits = (typed: string, digits: string): boolean =>
  equal(utf8(typed), utf8(digits));

const lengthAt = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);

function paddedEnd(padded: Uint8Array): number {
  const reader = new PaddingReader();
  reader.read(padded);
  try {
    return reader.messageBytes();
  } catch (error) {
    throw error instanceof AuthenticationError ? new PairingError('MALFORMED') : error;
  }
}

/** What both devices derive of one encapsulation. Wipes the secret. */
async function derived(
  { kem: { id }, crypto }: ParcelCrypto,
  sharedSecret: Uint8Array,
  offer: Uint8Array,
  head: Uint8Array,
): Promise<{ readonly aead: ChunkAead; readonly nonce: Uint8Array; readonly digits: string }> {
  const info = concat(LABEL, offer, head);
  const suite = [id, HPKE_AES_256_GCM, sharedSecret, info] as const;
  const { key, nonce } = hpkeKeys(...suite);
  const exported = hpkeExport(...suite, DIGITS_LABEL, DIGITS_SECRET_BYTES);
  try {
    return { aead: await crypto.aesGcm(key), nonce, digits: digitsOf(exported) };
  } finally {
    wipe(key, sharedSecret, exported);
  }
}

/** 128 bits modulo 10^6: each value is as likely as any other, but for one part in 2^108. */
function digitsOf(secret: Uint8Array): string {
  const value = secret.reduce((sum, byte) => (sum * 256n + BigInt(byte)) % 1_000_000n, 0n);
  return value.toString().padStart(PARCEL_DIGITS, '0');
}
