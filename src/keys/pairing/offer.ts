/*
 * The first message of a pairing (docs/format.md section 15): a device that wants the keys of another one gives its name and
 * the member that it will be (circle/members.ts). It is not secret, and proves nothing: the person compares the words, which
 * cover all three fields of the member, or lets the other device scan the code, which covers all of the offer.
 *
 *   offer  = "õSWD" ‖ 01 ‖ 01 ‖ u64 time ‖ u8 length of the name ‖ name ‖ member
 *   member = id (16) ‖ Ed25519 public key (32) ‖ X-Wing public key (1,216)
 *   code   = "SWD1:" ‖ SHA-256("SWD1 code" ‖ 00 ‖ offer), in hex of capitals
 */
import { concat, copyOf, fromHex, toHex, u64be, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { ED25519_KEY_BYTES } from '../../engine/native/ed25519.ts';
import { utf8Text } from '../../format/utf8-text.ts';
import { isDeviceName, MEMBER_ID_BYTES, X_WING_KEY_BYTES } from '../circle/members.ts';
import type { Member } from '../circle/members.ts';

/** The messages by code of an error. They hold no data. */
const MESSAGES = {
  MALFORMED: 'this is no message of a device that pairs, or it is damaged',
  TOO_LARGE: 'there is too much in the vault for one message to another device',
} as const;

/** What came from another device is malformed or damaged, or what would go there is too large. Nothing was taken. */
export class PairingError extends Error {
  override readonly name = 'PairingError';
  readonly code: keyof typeof MESSAGES;

  constructor(code: keyof typeof MESSAGES) {
    super(MESSAGES[code]);
    this.code = code;
  }
}

/** "õSWD", and the version. */
const MAGIC = fromHex('f553574401');
const KINDS = { offer: 1, parcel: 2 } as const;
/** No other digest of an offer has this before it: neither that in a parcel nor that of the words. */
const CODE_LABEL = utf8('SWD1 code\0');

const ED25519_AT = MEMBER_ID_BYTES;
const X_WING_AT = ED25519_AT + ED25519_KEY_BYTES;
/** Length of the member in an offer. */
export const OFFER_MEMBER_BYTES = X_WING_AT + X_WING_KEY_BYTES;
/** How long an offer can be answered, in ms. */
export const OFFER_LIFE_MS = 10 * 60_000;

/** Who writes a message of a pairing, and when. */
export interface DeviceAt {
  /** The name that the person gave the device, 1 … 64 bytes of UTF-8 without invisible characters. */
  readonly name: string;
  /** ms since the epoch, by the clock of that device */
  readonly at: number;
}

/** What the device says that wants the keys. */
export interface Offer extends DeviceAt {
  /** The member that the device becomes, under its name; to its X-Wing key the parcel is sealed. */
  readonly member: Member;
}

/** The bytes of an offer. @throws RangeError for a name that `isDeviceName` refuses */
export function encodeOffer({ member, at }: Omit<Offer, 'name'>): Uint8Array<ArrayBuffer> {
  const device = encodeDevice({ name: member.name, at });
  return concat(messageStart('offer'), device, bytesOfMember(member));
}

/** What the words of an offer are those of: id, Ed25519 key and X-Wing key, 1,264 bytes. */
export const bytesOfMember = ({ id, ed25519, xWing }: Member): Uint8Array =>
  concat(id, ed25519, xWing);

/** @throws PairingError MALFORMED for all that `encodeOffer` does not give */
export function parseOffer(bytes: Uint8Array): Offer {
  const { device, rest } = parseDevice(withoutStart('offer', bytes));
  if (rest.length !== OFFER_MEMBER_BYTES) throw new PairingError('MALFORMED');
  const [id, xWing] = [rest.slice(0, ED25519_AT), rest.slice(X_WING_AT)];
  const ed25519 = copyOf(rest.subarray(ED25519_AT, X_WING_AT));
  return { ...device, member: { kind: 'device', id, ed25519, xWing, name: device.name } };
}

/** The SHA-256 by which a parcel names its offer. */
export const digestOfOffer = (offer: Uint8Array): Uint8Array => sha256(offer);

/**
 * The text of the QR code that stands for an offer on the screen of its device: 69 characters of the code's alphanumeric mode
 * (ISO/IEC 18004, 7.4.4), which fit version 4 with error correction M. All 256 bits of the digest are in it: who exchanges the
 * offer on its way has to find a second one for the digest on that screen, 2^256 hashes, or 2^128 by Grover's search. No
 * program opens such a text, so a code leads nowhere; it is compared, and never parsed.
 */
export const codeOfOffer = (offer: Uint8Array): string =>
  `SWD1:${toHex(sha256(concat(CODE_LABEL, offer))).toUpperCase()}`;

/** The first six bytes of a message of this kind. */
export const messageStart = (kind: keyof typeof KINDS): Uint8Array =>
  concat(MAGIC, Uint8Array.of(KINDS[kind]));

/** What follows them. @throws PairingError MALFORMED for another message */
export function withoutStart(kind: keyof typeof KINDS, bytes: Uint8Array): Uint8Array {
  const start = messageStart(kind);
  if (!start.every((byte, at) => bytes[at] === byte)) throw new PairingError('MALFORMED');
  return bytes.subarray(start.length);
}

/** u64 time ‖ u8 length of the name ‖ name. @throws RangeError for a name that `isDeviceName` refuses */
export function encodeDevice({ name, at }: DeviceAt): Uint8Array {
  if (!isDeviceName(name)) throw new RangeError('name: must be 1 to 64 bytes of visible text');
  const bytes = utf8(name);
  return concat(u64be(at), Uint8Array.of(bytes.length), bytes);
}

const NAME_AT = 9;

/** @returns what the device says, and the bytes that follow. @throws PairingError MALFORMED */
export function parseDevice(bytes: Uint8Array): { device: DeviceAt; rest: Uint8Array } {
  const end = NAME_AT + (bytes[NAME_AT - 1] ?? 0);
  if (bytes.length < end) throw new PairingError('MALFORMED');
  const at = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  const name = utf8Text(bytes.subarray(NAME_AT, end));
  const isNamed = name !== undefined && isDeviceName(name);
  if (at > Number.MAX_SAFE_INTEGER || !isNamed) throw new PairingError('MALFORMED');
  return { device: { name, at: Number(at) }, rest: bytes.subarray(end) };
}
