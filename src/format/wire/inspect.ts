/* Reads the public facts of a sealed message without a key. None of them is authenticated. */
import { toBase64url } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { unarmor } from './armor.ts';
import { parseEnvelope } from './envelope.ts';
import { chunkSuite } from './header.ts';
import type { Header } from './header.ts';
import { ATTRIBUTES_ENTRY } from './recipient-table.ts';

/** The result of `inspect`: the SealedInfo of the page API and more. */
export interface SealedInfo {
  readonly version: number;
  /** "Cobblestone-256" (suite 01) or "Sealwright-1MiB" (suite 02). */
  readonly suite: string;
  /** "page", "field", "stream", "vault", "backup" or "sync". */
  readonly purpose: string;
  /** base64url, 22 characters; null when no named key opens the message directly. */
  readonly headerKeyId: string | null;
  /** Number of recipients, without the entry of attributes; 0: sealed under a named key. */
  readonly recipients: number;
  /** null when padded. */
  readonly plaintextBytes: number | null;
  readonly originBound: boolean;
  readonly padded: boolean;
}

/**
 * Reads the public facts of a message.
 *
 * @param sealed a whole sealed message, or its armored text
 * @throws EnvelopeError when it is not a sealed message of a known version
 */
export function inspect(sealed: Uint8Array | string): SealedInfo {
  const bytes = typeof sealed === 'string' ? unarmor(sealed) : sealed;
  checkBytes('sealed', bytes);
  return describe(bytes, bytes.length);
}

/** The same for a message of which only the beginning is in memory (see parseEnvelope). */
export function describe(head: Uint8Array, totalBytes: number): SealedInfo {
  const { header, recipients, bodyBytes } = parseEnvelope(head, totalBytes);
  return {
    version: header.version,
    suite: chunkSuite(header.suite).name,
    purpose: header.purpose,
    headerKeyId: keyIdText(header),
    recipients: recipients.entries.filter(({ type }) => type !== ATTRIBUTES_ENTRY).length,
    plaintextBytes: header.flags.padded ? null : bodyBytes,
    originBound: header.flags.originBound,
    padded: header.flags.padded,
  };
}

function keyIdText({ flags, headerKeyId }: Header): string | null {
  const absent = flags.recipients && headerKeyId.every((byte) => byte === 0);
  return absent ? null : toBase64url(headerKeyId);
}
