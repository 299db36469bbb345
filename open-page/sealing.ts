/* Seals texts and files to the public key of a person, as the extension does, without a sender: the page has no key. */
import { wipe } from '../src/crypto/bytes.ts';
import { NATIVE_X25519 } from '../src/engine/kem/native-x25519.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../src/format/native-crypto.ts';
import { beginSealStream } from '../src/format/plans/seal-plan.ts';
import { sealingAttributes, type FileAttributes } from '../src/format/recipients/attributes.ts';
import { allKems } from '../src/format/recipients/kems.ts';
import { recipientTypes } from '../src/format/recipients/recipient-types.ts';
import { parsePublicKey } from '../src/format/wire/public-key.ts';
import { isKeyPairName, recipientTypeOf } from '../src/format/wire/recipient-table.ts';
import { SALT_BYTES } from '../src/format/wire/sealed-length.ts';
import { webArmor } from '../src/format/wire/web-armor.ts';
import { verificationOf } from '../src/service/sharing/verification.ts';
import { sealedParts, type BlobWork, type SealingKeys } from '../extension/content/bulk/blobs.ts';

/** The person that the page seals to. */
export interface Recipient {
  /** "swp1.…" */
  readonly text: string;
  readonly type: number;
  readonly key: Uint8Array;
  /** The indexes of the six words that people compare (docs/format.md section 3.4). */
  readonly words: readonly number[];
}

/** The platform's X25519 alone: the library's other one is not constant-time, and as large as all of ML-KEM. */
const TYPES = recipientTypes({
  kems: allKems(() => Promise.resolve(NATIVE_X25519)),
  crypto: NATIVE_CRYPTO,
  random: NATIVE_RANDOM,
});

/** The recipient of a public key's text; undefined for any other text, and for keys that check signatures. */
export function recipientOf(text: string): Recipient | undefined {
  try {
    const { type: name, bytes: key } = parsePublicKey(text);
    if (!isKeyPairName(name)) return undefined;
    const type = recipientTypeOf(name);
    return { text, type, key, words: verificationOf(type, key).words };
  } catch {
    return undefined;
  }
}

/**
 * Seals a file. Yields the message in parts.
 *
 * @param named what the recipient sees of it; absent for a text
 * @throws UnreadableBlobError if the file has changed or gone; the signal's reason
 */
export async function* sealedFile(
  { type, key }: Recipient,
  file: Blob,
  named: FileAttributes | undefined,
  work: BlobWork,
): AsyncGenerator<Uint8Array, undefined> {
  // The digest covers what is said of a sender, of whom nothing is said here.
  const about = { file: named, statics: [], digest: new Uint8Array(0) };
  const plan = await beginSealStream(
    {
      purpose: 'stream',
      recipients: [{ type, key }],
      recipientTypes: TYPES,
      attributes: sealingAttributes(about),
    },
    () => NATIVE_RANDOM.bytes(SALT_BYTES),
  );
  const { prefix, padded, suite, keys } = plan;
  const aead = await NATIVE_CRYPTO.aesGcm(keys.key);
  wipe(keys.key);
  const sealing: SealingKeys = {
    ...{ aead, prefix, padded },
    baseNonce: keys.baseNonce,
    chunkBytes: suite.chunkBytes,
  };
  yield* sealedParts(sealing, file, work);
}

/** Seals a text. @returns one word, "swt1…" */
export async function sealedText(to: Recipient, text: string, work: BlobWork): Promise<string> {
  const parts: BlobPart[] = [];
  for await (const part of sealedFile(to, new Blob([text]), undefined, work)) {
    parts.push(part as BlobPart);
  }
  return webArmor(new Uint8Array(await new Blob(parts).arrayBuffer()));
}
