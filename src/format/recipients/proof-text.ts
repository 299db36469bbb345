/*
 * Proofs, "sealwright-proof/1" (docs/format.md section 3.8): the signature of one message and what it covers, as a file that
 * its recipient gives to others beside the message. JSON:
 *
 *   { "format": "sealwright-proof/1", "publicKey": "swp1.EX…", "signature": "…", "suite": 1, "purpose": "field",
 *     "digest": "…", "text": "The message, where it is a text" }
 */
import { toBase64url } from '../../crypto/bytes.ts';
import { utf8Text } from '../utf8-text.ts';
import { publicKeyText } from '../wire/public-key.ts';
import type { SignedMessage } from './attributes.ts';

/** What a proof names as its format. */
export const PROOF_FORMAT = 'sealwright-proof/1';

/**
 * Writes a proof.
 *
 * @param message to be in the proof too: of a text, which is no file of its own. It is left out where it is not UTF-8
 * @returns JSON with a line end
 */
export function proofText(
  { content, signature: { publicKey, signature } }: SignedMessage,
  message?: Uint8Array,
): string {
  const { suite, purpose, origin, associatedData, name, type, digest } = content;
  const text = message && utf8Text(message);
  const json = {
    format: PROOF_FORMAT,
    publicKey: publicKeyText({ type: 'Ed25519', bytes: publicKey }),
    signature: toBase64url(signature),
    suite,
    purpose,
    ...(origin !== '' && { origin }),
    ...(associatedData.length > 0 && { context: toBase64url(associatedData) }),
    ...(name !== '' && { name }),
    ...(type !== '' && { type }),
    digest: toBase64url(digest),
    ...(text !== undefined && { text }),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}
