/* Reads and verifies proofs, whose form is in proof-text.ts. The background only writes them. */
import { equal, utf8 } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { ED25519_SIGNATURE_BYTES } from '../../engine/native/ed25519.ts';
import { MessageDigest } from '../chunks/message-digest.ts';
import { chunkSuite, isPurpose } from '../wire/header.ts';
import { ASSOCIATED_DATA_BYTES_MAX, ORIGIN_BYTES_MAX } from '../wire/limits.ts';
import { parsePublicKey } from '../wire/public-key.ts';
import { NAME_BYTES_MAX, TYPE_BYTES_MAX } from './attributes.ts';
import { base64urlBytes, jsonObject } from './json-file.ts';
import { PROOF_FORMAT, proofText } from './proof-text.ts';
import { isSignatureOf, type SignedContent } from './signature.ts';

const DIGEST_BYTES = 32;

/** What a proof says. Of a file that somebody else may have made, nothing is true before `verifyProof`. */
export interface Proof {
  /** The Ed25519 key of the signer, "swp1.…". */
  readonly publicKey: string;
  /** 64 bytes. */
  readonly signature: Uint8Array<ArrayBuffer>;
  /** What the signature covers. */
  readonly content: SignedContent;
  /** The message itself, if it is a text and stands in the proof. */
  readonly text: string | undefined;
}

/**
 * Reads a proof. Nothing of it is verified.
 *
 * @throws TypeError if it is not a string; RangeError for any other text, and for a key that is not of Ed25519
 */
export function parseProof(text: string): Proof {
  if (typeof text !== 'string') throw new TypeError('text must be a string');
  const json = jsonObject(text);
  if (!json) throw wrong('it is not a JSON object');
  if (json['format'] !== PROOF_FORMAT) throw wrong(`its "format" is not "${PROOF_FORMAT}"`);
  const { suite, purpose } = json;
  if (suite !== 1 && suite !== 2) throw wrong('its "suite" is not 1 or 2');
  if (!isPurpose(purpose)) throw wrong('its "purpose" is unknown');
  const publicKey = textIn(json, 'publicKey', Number.MAX_SAFE_INTEGER);
  keyOf(publicKey);
  const said = json['text'];
  if (said !== undefined && typeof said !== 'string') throw wrong('its "text" is not text');
  return {
    publicKey,
    signature: bytesIn(json, 'signature', ED25519_SIGNATURE_BYTES, ED25519_SIGNATURE_BYTES),
    content: {
      suite,
      purpose,
      origin: textIn(json, 'origin', ORIGIN_BYTES_MAX),
      associatedData: bytesIn(json, 'context', 0, ASSOCIATED_DATA_BYTES_MAX),
      name: textIn(json, 'name', NAME_BYTES_MAX),
      type: textIn(json, 'type', TYPE_BYTES_MAX),
      digest: bytesIn(json, 'digest', DIGEST_BYTES, DIGEST_BYTES),
    },
    text: said,
  };
}

/**
 * Puts the message into its proof.
 *
 * @param proof what `proofText` made, in UTF-8
 * @param message an opened text
 * @throws RangeError for what is not a proof
 */
export function proofWithMessage(proof: Uint8Array, message: Uint8Array): Uint8Array {
  const { content, publicKey, signature } = parseProof(new TextDecoder().decode(proof));
  const text = proofText(
    { content, signature: { publicKey: keyOf(publicKey), signature } },
    message,
  );
  return utf8(text);
}

/**
 * Verifies a proof: whether the owner of its key signed this message, bound as `content` says. Whose key that is, the caller
 * knows by another way. It does not say when, nor to whom the message was sent.
 *
 * @param message the opened message, whole or in pieces; default: the text in the proof
 * @throws AuthenticationError for another message, and for a signature that is not valid
 * @throws RangeError without a message, where the proof has none
 * @throws EnvelopeError UNSUPPORTED where the platform has no Ed25519
 *
 * @example
 * const proof = parseProof(await readFile('letter.proof', 'utf8'));
 * await verifyProof(proof, await readFile('letter.pdf'));
 * if (proof.publicKey !== known) throw new Error('Signed, but by somebody else');
 */
export async function verifyProof(
  { publicKey, signature, content, text }: Proof,
  message: Uint8Array | AsyncIterable<Uint8Array> | undefined = text === undefined
    ? undefined
    : utf8(text),
): Promise<void> {
  if (message === undefined) throw new RangeError('message: this proof does not hold its message');
  const digest = new MessageDigest(chunkSuite(content.suite).chunkBytes);
  if (message instanceof Uint8Array) await digest.add(message);
  else for await (const piece of message) await digest.add(piece);
  const isSame = equal(await digest.digest(), content.digest);
  const signed = { publicKey: keyOf(publicKey), signature };
  if (!isSame || !(await isSignatureOf(content, signed))) throw new AuthenticationError();
}

function keyOf(text: string): Uint8Array<ArrayBuffer> {
  try {
    const { type, bytes } = parsePublicKey(text);
    if (type === 'Ed25519') return bytes;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw wrong('its "publicKey" is not a public key of Ed25519');
}

/** @returns '' for an absent field */
function textIn(json: Record<string, unknown>, field: string, maxBytes: number): string {
  const value = json[field] ?? '';
  if (typeof value === 'string' && utf8(value).length <= maxBytes) return value;
  throw wrong(`its "${field}" is not a text of at most ${maxBytes} bytes`);
}

/** @returns no bytes for an absent field */
function bytesIn(
  json: Record<string, unknown>,
  field: string,
  minBytes: number,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  const bytes = base64urlBytes(json[field] ?? '');
  if (bytes && bytes.length >= minBytes && bytes.length <= maxBytes) return bytes;
  const length = minBytes === maxBytes ? `${maxBytes}` : `at most ${maxBytes}`;
  throw wrong(`its "${field}" is not base64url of ${length} bytes`);
}

function wrong(why: string): RangeError {
  return new RangeError(`Not a proof of Sealwright: ${why}`);
}
