/*
 * The members of a circle, and their key pairs (docs/design/devices.md). A member has a pair of X-Wing, to which the key of
 * each epoch is wrapped, and one of Ed25519, with which it signs the next epoch. A device draws its pairs and keeps them in
 * its vault. An opener, a recovery code or a passkey, derives them, so that an epoch that was made in its absence reaches it:
 *
 *   id (16), seed of X-Wing (32), private key of Ed25519 (32) = HKDF-SHA-512(secret, no salt, label ‖ part, length)
 */
import { utf8, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand, hkdfExtract } from '../../crypto/kdf/hkdf.ts';
import { KEMS } from '../../crypto/post-quantum.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { ed25519PublicKey, ED25519_KEY_BYTES } from '../../engine/native/ed25519.ts';
import type { RandomSource } from '../../random/contract.ts';

/** What a member is. Its number in an epoch is its place here. */
export const MEMBER_KINDS = ['device', 'code', 'passkey'] as const;

/** A device, or what opens the circle without one: a recovery code, a passkey. */
export type MemberKind = (typeof MEMBER_KINDS)[number];

/** Members of a circle, at most. */
export const MEMBERS_MAX = 8;
export const MEMBER_ID_BYTES = 16;
/** Length of a member's public key of X-Wing. */
export const X_WING_KEY_BYTES = KEMS['MLKEM768-X25519'].publicKeyBytes;
/** Length of a name in UTF-8, at most. */
export const NAME_MAX_BYTES = 64;

/** What checks a member's signatures. */
export interface Signer {
  readonly kind: MemberKind;
  /** 16 bytes. */
  readonly id: Uint8Array;
  /** The public key of Ed25519, 32 bytes. */
  readonly ed25519: Uint8Array<ArrayBuffer>;
  /** Of a device 1 to 64 bytes in UTF-8, as the person called it; '' for an opener. */
  readonly name: string;
}

/** A member, with all that another one needs of it. */
export interface Member extends Signer {
  /** The public key of X-Wing, 1,216 bytes. */
  readonly xWing: Uint8Array;
}

/** The secrets of a member, which never leave it. */
export interface MemberPair {
  readonly kind: MemberKind;
  /** 16 bytes. */
  readonly id: Uint8Array;
  /** The private key of X-Wing: a seed of 32 bytes. */
  readonly xWing: Uint8Array;
  /** The private key of Ed25519, 32 bytes. */
  readonly ed25519: Uint8Array;
}

/** Draws the pairs of a device. */
export function newDevicePair(random: RandomSource): MemberPair {
  const [id, xWing] = [random.bytes(MEMBER_ID_BYTES), random.bytes(SEED_BYTES)];
  return { kind: 'device', id, xWing, ed25519: random.bytes(ED25519_KEY_BYTES) };
}

/**
 * The pairs of a recovery code.
 *
 * @param secret 16 bytes (unlock/recovery-code.ts), which the caller wipes
 */
export function codePair(secret: Uint8Array): MemberPair {
  checkBytes('secret', secret, CODE_BYTES);
  return derivedPair('code', secret);
}

/**
 * The pairs of a passkey.
 *
 * @param output of the authenticator's PRF for an input that depends on no vault: 32 bytes or more, of which 32 count. The
 *   caller wipes it
 * @throws RangeError for an output that is short or all zero
 */
export function passkeyPair(output: Uint8Array): MemberPair {
  const secret = output.subarray(0, PRF_BYTES);
  const isSound = secret.length === PRF_BYTES && secret.some((byte) => byte !== 0);
  if (!isSound) throw new RangeError('output: must be at least 32 bytes, not zero');
  return derivedPair('passkey', secret);
}

/**
 * The public half of a member's pairs.
 *
 * @param kem X-Wing
 * @param name as of `Signer`
 * @throws DOMException NotSupportedError where the platform has no Ed25519
 */
export async function memberOf(
  { kind, id, xWing, ed25519 }: MemberPair,
  name: string,
  kem: Kem,
): Promise<Member> {
  const [agreement, signing] = [await kem.publicKey(xWing), await ed25519PublicKey(ed25519)];
  return { kind, id, xWing: agreement, ed25519: signing, name };
}

/** Controls, line separators, lone surrogates, and format characters but the two joiners: they change the text beside a name. */
const INVISIBLE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a device can have this name: 1 to 64 bytes of UTF-8 without invisible characters. */
export function isDeviceName(name: string): boolean {
  const isShown = name.trim() === name && name !== '' && !INVISIBLE.test(name);
  return isShown && utf8(name).length <= NAME_MAX_BYTES;
}

/** Overwrites both private keys. */
export function wipePair({ xWing, ed25519 }: MemberPair): void {
  wipe(xWing, ed25519);
}

const SEED_BYTES = KEMS['MLKEM768-X25519'].seedBytes;
const CODE_BYTES = 16;
const PRF_BYTES = 32;

function derivedPair(kind: 'code' | 'passkey', secret: Uint8Array): MemberPair {
  const key = hkdfExtract(SHA512, new Uint8Array(0), secret);
  const part = (name: string, lengthBytes: number): Uint8Array =>
    hkdfExpand(SHA512, key, utf8(`SWM1 circle ${kind} ${name}`), lengthBytes);
  try {
    const [id, xWing] = [part('id', MEMBER_ID_BYTES), part('X-Wing', SEED_BYTES)];
    return { kind, id, xWing, ed25519: part('Ed25519', ED25519_KEY_BYTES) };
  } finally {
    wipe(key);
  }
}
