/*
 * The signature of a message that third parties can check (docs/format.md section 3.7), which its sender asked for. It covers
 * what the message is, and nothing of its recipients, so that one of them can show it to others:
 *
 *   Ed25519 of "sealwright.org/message-signature@v1" ‖ 00 ‖ suite (1) ‖ purpose (1)
 *     ‖ u16 length ‖ origin ‖ u32 length ‖ associated data ‖ u16 length ‖ name ‖ u16 length ‖ media type ‖ digest (32)
 *
 * It is one of the attributes, which the recipients alone read.
 */
import { concat, copyOf, u16be, u32be, utf8 } from '../../crypto/bytes.ts';
import {
  ED25519_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  verifyEd25519,
} from '../../engine/native/ed25519.ts';
import { EnvelopeError } from '../errors.ts';
import { purposeByte, type Purpose } from '../wire/header.ts';
import { ED25519_TYPE } from '../wire/public-key.ts';

/** No other signature of this project begins like this (wire/signed-bytes.ts). */
const PROTOCOL = utf8('sealwright.org/message-signature@v1');

/** What a signature covers. */
export interface SignedContent {
  /** It decides into which chunks the message is cut for its digest. */
  readonly suite: 1 | 2;
  readonly purpose: Purpose;
  /** Serialised origin that the message is bound to; '' for none. */
  readonly origin: string;
  /** What else it is bound to, up to 65,536 bytes; none for most. */
  readonly associatedData: Uint8Array;
  /** What the file is called, and its media type, as the attributes have them; '' for none. */
  readonly name: string;
  readonly type: string;
  /** The digest of the message (chunks/message-digest.ts), 32 bytes. */
  readonly digest: Uint8Array;
}

/** A signature, and the key that it is to be checked with. */
export interface MessageSignature {
  /** 32 bytes, RFC 8032 section 5.1.5. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** 64 bytes. */
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** What signs for the user. */
export interface MessageSigner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** @returns 64 bytes of Ed25519 over these bytes as they are */
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
}

/** Signs a message. */
export async function signContent(
  content: SignedContent,
  signer: MessageSigner,
): Promise<MessageSignature> {
  const signature = await signer.sign(bytesToSign(content));
  return { publicKey: signer.publicKey, signature };
}

/**
 * Whether the signature is of this message and this key. Whose key that is, and to whom the message was sent, it does not
 * say.
 *
 * @throws EnvelopeError UNSUPPORTED where the platform has no Ed25519
 */
export function isSignatureOf(
  content: SignedContent,
  { publicKey, signature }: MessageSignature,
): Promise<boolean> {
  return isSigned(publicKey, signature, bytesToSign(content));
}

/**
 * Whether a signature is of this key and these bytes. A key that is no point of the curve verifies nothing.
 *
 * @param publicKey Ed25519, 32 bytes
 * @throws EnvelopeError UNSUPPORTED where the platform has no Ed25519
 */
export async function isSigned(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    return await verifyEd25519(publicKey, signature, data);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'DataError') return false; // not a point of the curve
    if (error.name !== 'NotSupportedError') throw error;
    throw new EnvelopeError('UNSUPPORTED', 'This platform cannot check signatures of Ed25519');
  }
}

function bytesToSign(content: SignedContent): Uint8Array<ArrayBuffer> {
  const { suite, purpose, associatedData, digest } = content;
  const [origin, name, type] = [utf8(content.origin), utf8(content.name), utf8(content.type)];
  return concat(
    PROTOCOL,
    Uint8Array.of(0, suite, purposeByte(purpose)),
    u16be(origin.length),
    origin,
    u32be(associatedData.length),
    associatedData,
    u16be(name.length),
    name,
    u16be(type.length),
    type,
    digest,
  );
}

/** The field of the attributes: type of the key (1) ‖ key (32) ‖ signature (64). */
export function signatureField({ publicKey, signature }: MessageSignature): Uint8Array {
  return concat(Uint8Array.of(ED25519_TYPE), publicKey, signature);
}

/**
 * Reads the field.
 *
 * @returns 'malformed' for another length; undefined for a key of another type, which a later release may know
 */
export function parseSignatureField(field: Uint8Array): MessageSignature | 'malformed' | undefined {
  if (field.length === 0) return 'malformed';
  if (field[0] !== ED25519_TYPE) return undefined;
  const signatureAt = 1 + ED25519_KEY_BYTES;
  if (field.length !== signatureAt + ED25519_SIGNATURE_BYTES) return 'malformed';
  return {
    publicKey: copyOf(field.subarray(1, signatureAt)),
    signature: copyOf(field.subarray(signatureAt)),
  };
}
