/*
 * The vectors of attributes, test/format/vectors/attributes.json, generated once by
 * scripts/make-attribute-vectors.ts.
 */
import { readFileSync } from 'node:fs';
import { fromHex, wipe } from '../../src/crypto/bytes.ts';
import { dhkemX25519 } from '../../src/engine/kem/dhkem-x25519.ts';
import { NATIVE_X25519, X25519_BYTES } from '../../src/engine/kem/native-x25519.ts';
import { xWingKem } from '../../src/engine/kem/x-wing-kem.ts';
import { ed25519PublicKey, signEd25519 } from '../../src/engine/native/ed25519.ts';
import { messageDigest } from '../../src/format/chunks/message-digest.ts';
import { openDataKey } from '../../src/format/keys/data-key.ts';
import type { SealMessageOptions } from '../../src/format/message.ts';
import { NATIVE_CRYPTO } from '../../src/format/native-crypto.ts';
import {
  attributesContext,
  openAttributes,
  sealingAttributes,
  signatureOf,
  type FileAttributes,
  type SignedMessage,
} from '../../src/format/recipients/attributes.ts';
import {
  fingerprintOf,
  hasSenderTag,
  ownStatic,
  type SharedStatic,
} from '../../src/format/recipients/sender.ts';
import type { MessageSigner } from '../../src/format/recipients/signature.ts';
import { parsePrefix } from '../../src/format/wire/envelope.ts';
import { chunkSuite, suiteFor } from '../../src/format/wire/header.ts';
import { recipientTypeOf } from '../../src/format/wire/recipient-table.ts';
import { HEADER_BYTES, paddedLength } from '../../src/format/wire/sealed-length.ts';
import {
  allTypes,
  bytesOf,
  sharedSealOptions,
  type SharedVector,
  type TypedKey,
} from './shared-vectors.ts';

/** Byte strings are hex; as in shared.json, but the id of the attributes is drawn after all entries. */
export interface AttributeVector extends SharedVector {
  readonly file: FileAttributes | null;
  /** Whose tags the message has; null for none. */
  readonly sender: TypedKey | null;
  /** Public keys and what each of the identities finds for them: whether the message is from that key. */
  readonly from: readonly { readonly key: TypedKey; readonly proven: readonly boolean[] }[];
  /** What the tags cover, where that is another message: an insider reused them. */
  readonly tagged: string | null;
}

/** In signed.json: a message whose sender signed it for others. */
export interface SignedVector extends AttributeVector {
  /** The private key, Ed25519. */
  readonly signer: string;
  /** The public key, and whether it signed this message. */
  readonly signed: { readonly publicKey: string; readonly valid: boolean };
  /** What the recipient can give to others; null where the signature is not of this message. */
  readonly proof: string | null;
}

export function readSignedVectors(): readonly SignedVector[] {
  const file = new URL('vectors/signed.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly SignedVector[];
}

export type AttributeInputs = Omit<AttributeVector, 'sealed' | 'info' | 'from'> &
  Partial<Pick<SignedVector, 'signer'>>;

export function readAttributeVectors(): readonly AttributeVector[] {
  const file = new URL('vectors/attributes.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly AttributeVector[];
}

const NAMED_KEY = 3;
const kemOf = (type: number) =>
  type === recipientTypeOf('X25519')
    ? dhkemX25519(() => Promise.resolve(NATIVE_X25519))
    : xWingKem(() => NATIVE_X25519);

/** The public half; of a named key the key itself. */
export async function publicOf({
  type,
  key,
}: TypedKey): Promise<{ type: number; key: Uint8Array }> {
  if (type === NAMED_KEY) return { type, key: fromHex(key) };
  return { type, key: await kemOf(type).publicKey(fromHex(key)) };
}

/** What the owner of a private key has in common with a public one, from its view or the other's. */
export async function staticOf(
  own: TypedKey,
  other: { readonly type: number; readonly key: Uint8Array },
  isSender: boolean,
): Promise<SharedStatic | undefined> {
  if (other.type === NAMED_KEY || own.type === NAMED_KEY) {
    const isSame = other.type === own.type;
    return isSame || isSender ? ownStatic(other.key, NATIVE_CRYPTO) : undefined;
  }
  const mine = await publicOf(own);
  const secret = await NATIVE_X25519.agree(
    kemOf(own.type).x25519Key(fromHex(own.key)),
    other.key.subarray(-X25519_BYTES),
  );
  const [from, to] = isSender ? [mine, other] : [other, mine];
  return {
    secret: secret!,
    from: fingerprintOf(from.type, from.key),
    to: fingerprintOf(to.type, to.key),
  };
}

export async function attributeSealOptions(vector: AttributeInputs): Promise<SealMessageOptions> {
  const { file, sender, tagged, message, recipients, pad } = vector;
  const statics: SharedStatic[] = [];
  for (const recipient of sender ? recipients.map(bytesOf) : []) {
    const known = await staticOf(sender!, recipient, true);
    if (known) statics.push(known);
  }
  const content = fromHex(tagged ?? message);
  const suite = suiteFor(pad ? paddedLength(content.length) : content.length);
  const digest = await messageDigest(content, chunkSuite(suite).chunkBytes);
  const signer = vector.signer === undefined ? undefined : await signerOf(fromHex(vector.signer));
  const attributes = sealingAttributes({ file: file ?? undefined, statics, digest, signer });
  return { ...sharedSealOptions(vector), attributes };
}

/** @param privateKey of Ed25519, 32 bytes */
export async function signerOf(privateKey: Uint8Array): Promise<MessageSigner> {
  return {
    publicKey: await ed25519PublicKey(privateKey),
    sign: (bytes) => signEd25519(privateKey, bytes),
  };
}

/** What one identity finds in a message: its attributes, its signature, and whether it is from a key. */
export async function attributesFor(
  vector: Omit<AttributeVector, 'from' | 'info'>,
  identity: TypedKey,
  sender: TypedKey,
): Promise<{
  readonly file: FileAttributes | null;
  readonly isFrom: boolean;
  readonly signed: SignedMessage | 'invalid' | undefined;
}> {
  const head = fromHex(vector.sealed);
  const prefix = parsePrefix(head);
  const header = head.subarray(0, HEADER_BYTES);
  const { entries } = prefix.recipients;
  const { dataKey } = await openDataKey(entries, [bytesOf(identity)], header, allTypes());
  const attributes = await openAttributes(entries, dataKey, header, NATIVE_CRYPTO);
  const bound = {
    origin: vector.origin ?? undefined,
    associatedData: fromHex(vector.associatedData),
  };
  const context = attributesContext(prefix, head, bound);
  const { chunkBytes } = chunkSuite(prefix.header.suite);
  const digest = await messageDigest(fromHex(vector.message), chunkBytes);
  const known = await staticOf(identity, bytesOf(sender), false);
  const signed = attributes && (await signatureOf(attributes, prefix, bound, digest));
  const signer = attributes?.signature?.publicKey;
  const isFrom =
    known !== undefined &&
    signed !== 'invalid' &&
    hasSenderTag(attributes?.tags ?? [], known, { dataKey, context: context!, digest, signer });
  wipe(dataKey);
  return { file: attributes?.file ?? null, isFrom, signed };
}
