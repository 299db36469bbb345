/*
 * The attributes of a message with recipients (docs/format.md section 3.5): an entry that opens nothing, and that readers
 * without this file skip. It says which file the message is and who sealed it, to its recipients alone, and may hold a signature.
 *
 *   key (32) ‖ nonce (12) = HKDF-Expand-SHA-512(data key, "SWM1 attributes" ‖ wrap context, 44)
 *   body                  = AES-256-GCM of the fields, with zeros up to 128, 512 or 2,048 bytes
 *   field                 = u8 kind ‖ u16 length ‖ value
 */
import { concat, u16be, utf8, wipe } from '../../crypto/bytes.ts';
import { isAuthenticationError } from '../../crypto/errors.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import type { BeginOpenOptions } from '../plans/open-plan.ts';
import { utf8Text } from '../utf8-text.ts';
import { messageContext, wrapContext } from '../wire/context.ts';
import type { Prefix } from '../wire/envelope.ts';
import { parseHeader, type Header } from '../wire/header.ts';
import { ATTRIBUTES_ENTRY } from '../wire/recipient-table.ts';
import { encodeRecipients, type RecipientEntry } from '../wire/recipients.ts';
import { HEADER_BYTES } from '../wire/sealed-length.ts';
import type { AttributesSealing, SealedMessageFacts } from './recipient-type.ts';
import { SENDER_TAG_BYTES, senderTag, type SharedStatic } from './sender.ts';
import {
  parseSignatureField,
  isSignatureOf,
  signatureField,
  signContent,
  type MessageSignature,
  type MessageSigner,
  type SignedContent,
} from './signature.ts';

/** What a file is called, and what it is. */
export interface FileAttributes {
  /** As the sender has it, 1 to 765 bytes of UTF-8: to be passed through `safeFileName` before use. */
  readonly name: string;
  /** The media type, up to 255 characters of ASCII; '' if it is not known. */
  readonly type: string;
}

/** All that the entry says. */
export interface Attributes {
  /** Absent for a message that is no file. */
  readonly file?: FileAttributes | undefined;
  /** Sender tags (sender.ts), 32 bytes each; none where the sender is not proven. */
  readonly tags: readonly Uint8Array[];
  /** Absent for a message that is not signed. It is not verified here. */
  readonly signature?: MessageSignature | undefined;
}

/** Enough for 255 UTF-16 units, the longest name of NTFS and APFS. */
export const NAME_BYTES_MAX = 765;
/** RFC 6838 section 4.2: 127 for each of type and subtype. */
export const TYPE_BYTES_MAX = 255;

/** The kinds of fields. 0 ends them. */
const FIELD = { tags: 1, name: 2, type: 3, signature: 4 } as const;
const FIELD_HEAD_BYTES = 3;

/** Lengths of the fields together with their zeros, so that the length of the entry tells little. */
const LENGTHS = [128, 512, 2_048];

const LABEL = utf8('SWM1 attributes');
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** What the sealer says of a message. */
export interface NewAttributes {
  readonly file?: FileAttributes | undefined;
  /** What the sender has in common with each recipient that it is proven to. */
  readonly statics: readonly SharedStatic[];
  /** The digest of the message, 32 bytes (chunks/message-digest.ts). */
  readonly digest: Uint8Array;
  /** Signs the message so that third parties can check it; absent unless its sender asked for that. */
  readonly signer?: MessageSigner | undefined;
}

/**
 * For the option `attributes` of sealing.
 *
 * @returns what seals them; it throws RangeError for a name or a type that is too long, and what the signer throws
 */
export function sealingAttributes({
  file,
  statics,
  digest,
  signer,
}: NewAttributes): AttributesSealing {
  return async ({ dataKey, header, id, context, crypto, ...bound }: SealedMessageFacts) => {
    const signature =
      signer &&
      (await signContent(signedContent(parseHeader(header), file, bound, digest), signer));
    const statement = { dataKey, context, digest, signer: signature?.publicKey };
    const tags = statics.map((each) => senderTag(each, statement));
    const fields = encode({ file, tags, signature });
    const type = ATTRIBUTES_ENTRY;
    const body = await withKey(dataKey, wrapContext(header, type, id), crypto, (aead, nonce) =>
      aead.seal(nonce, fields),
    );
    return { type, id, body };
  };
}

/**
 * What a signature of a message covers.
 *
 * @param file of its attributes
 * @param bound the origin and the associated data with which it was opened
 * @param digest of the message, 32 bytes (chunks/message-digest.ts)
 */
function signedContent(
  { suite, purpose, flags }: Header,
  file: FileAttributes | undefined,
  bound: Pick<BeginOpenOptions, 'origin' | 'associatedData'>,
  digest: Uint8Array,
): SignedContent {
  return {
    suite,
    purpose,
    origin: flags.originBound ? (bound.origin ?? '') : '',
    associatedData: bound.associatedData ?? new Uint8Array(0),
    name: file?.name ?? '',
    type: file?.type ?? '',
    digest,
  };
}

/**
 * Opens the attributes of a message.
 *
 * @param entries all entries of the message
 * @param dataKey of the message, 32 bytes
 * @param header the 24 bytes of the message
 * @returns undefined without such an entry, and for one that cannot be read: it is a hint, without which the message
 *   opens as well
 */
export async function openAttributes(
  entries: readonly RecipientEntry[],
  dataKey: Uint8Array,
  header: Uint8Array,
  crypto: FormatCrypto,
): Promise<Attributes | undefined> {
  const entry = entries.find(({ type }) => type === ATTRIBUTES_ENTRY);
  if (!entry) return undefined;
  const context = wrapContext(header, entry.type, entry.id);
  try {
    return decode(
      await withKey(dataKey, context, crypto, (aead, nonce) => aead.open(nonce, entry.body)),
    );
  } catch (error) {
    if (isAuthenticationError(error)) return undefined;
    throw error;
  }
}

/** A signature that was verified, and what it covers. */
export interface SignedMessage {
  readonly content: SignedContent;
  readonly signature: MessageSignature;
}

/**
 * Verifies the signature of a message that was opened whole. Its tags count only together with it: where it is not valid,
 * no sender is proven.
 *
 * @param bound the origin and the associated data with which it was opened
 * @param digest of the message, 32 bytes (chunks/message-digest.ts)
 * @returns undefined for a message that is not signed
 * @throws EnvelopeError UNSUPPORTED where the platform has no Ed25519
 */
export async function signatureOf(
  { file, signature }: Attributes,
  { header }: Pick<Prefix, 'header'>,
  bound: Pick<BeginOpenOptions, 'origin' | 'associatedData'>,
  digest: Uint8Array,
): Promise<SignedMessage | 'invalid' | undefined> {
  if (!signature) return undefined;
  const content = signedContent(header, file, bound, digest);
  return (await isSignatureOf(content, signature)) ? { content, signature } : 'invalid';
}

/**
 * The context that the tags of a message are bound to: its own, with the entries before the attributes as its recipients.
 *
 * @param head the beginning of the message, at least its header
 * @param bound the origin and the associated data with which it was opened
 * @returns undefined for a message without attributes
 */
export function attributesContext(
  { header, recipients }: Prefix,
  head: Uint8Array,
  bound: Pick<BeginOpenOptions, 'origin' | 'associatedData'>,
): Uint8Array | undefined {
  const { entries } = recipients;
  const place = entries.findIndex(({ type }) => type === ATTRIBUTES_ENTRY);
  if (place < 0) return undefined;
  return messageContext({
    header: head.subarray(0, HEADER_BYTES),
    recipients: encodeRecipients(entries.slice(0, place)),
    origin: header.flags.originBound ? (bound.origin ?? '') : '',
    associatedData: bound.associatedData ?? new Uint8Array(0),
  });
}

async function withKey<T>(
  dataKey: Uint8Array,
  context: Uint8Array,
  crypto: FormatCrypto,
  work: (aead: Awaited<ReturnType<FormatCrypto['aesGcm']>>, nonce: Uint8Array) => Promise<T>,
): Promise<T> {
  const derived = await crypto.expand(dataKey, concat(LABEL, context), KEY_BYTES + NONCE_BYTES);
  try {
    const aead = await crypto.aesGcm(derived.subarray(0, KEY_BYTES));
    return await work(aead, derived.subarray(KEY_BYTES));
  } finally {
    wipe(derived);
  }
}

function encode({ file, tags, signature }: Attributes): Uint8Array {
  const fields = concat(
    ...field(FIELD.tags, concat(...tags)),
    ...(file ? field(FIELD.name, bounded('name', utf8(file.name), NAME_BYTES_MAX)) : []),
    ...(file ? field(FIELD.type, bounded('type', utf8(file.type), TYPE_BYTES_MAX)) : []),
    ...(signature ? field(FIELD.signature, signatureField(signature)) : []),
  );
  const length = LENGTHS.find((each) => each >= fields.length);
  if (length === undefined) throw new RangeError('attributes: they are too long');
  const padded = new Uint8Array(length);
  padded.set(fields);
  return padded;
}

function field(kind: number, value: Uint8Array): Uint8Array[] {
  return value.length === 0 ? [] : [Uint8Array.of(kind), u16be(value.length), value];
}

function bounded(name: string, bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.length <= most) return bytes;
  throw new RangeError(`${name}: ${bytes.length} bytes, at most ${most} fit`);
}

/** Fields of other kinds are of later releases. @returns undefined where a field does not fit, or has no such value */
function decode(bytes: Uint8Array): Attributes | undefined {
  const values = new Map<number, Uint8Array>();
  for (let at = 0; at < bytes.length && bytes[at] !== 0;) {
    const kind = bytes[at]!;
    const valueAt = at + FIELD_HEAD_BYTES;
    const end = valueAt + (bytes[at + 1] ?? 0) * 256 + (bytes[at + 2] ?? 0);
    if (end > bytes.length || values.has(kind)) return undefined;
    values.set(kind, bytes.subarray(valueAt, end));
    at = end;
  }
  const tags = values.get(FIELD.tags) ?? new Uint8Array(0);
  const name = textOf(values.get(FIELD.name), NAME_BYTES_MAX);
  const type = textOf(values.get(FIELD.type), TYPE_BYTES_MAX);
  const signed = values.get(FIELD.signature);
  const signature = signed && parseSignatureField(signed);
  if (tags.length % SENDER_TAG_BYTES !== 0 || name === undefined || type === undefined) {
    return undefined;
  }
  if (signature === 'malformed') return undefined;
  return {
    ...(name !== '' && { file: { name, type } }),
    ...(signature && { signature }),
    tags: Array.from({ length: tags.length / SENDER_TAG_BYTES }, (_, i) =>
      tags.slice(i * SENDER_TAG_BYTES, (i + 1) * SENDER_TAG_BYTES),
    ),
  };
}

/** @returns '' for an absent value, undefined for one that is too long or not UTF-8 */
function textOf(bytes: Uint8Array | undefined, most: number): string | undefined {
  if (bytes === undefined) return '';
  return bytes.length > most ? undefined : utf8Text(bytes);
}
