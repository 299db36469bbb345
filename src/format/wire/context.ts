/*
 * The contexts of the format: what a message is bound to without containing it. The reader builds them again,
 * so any difference fails at the commitment, before a byte is decrypted.
 */
import { concat, u16be, u32be, utf8 } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../errors.ts';
import { ASSOCIATED_DATA_BYTES_MAX, ORIGIN_BYTES_MAX } from './limits.ts';

/** The parts of the context of a body. */
export interface ContextParts {
  /** The 24 bytes of the message. */
  readonly header: Uint8Array;
  /** The recipient entries of the message; empty without flag bit0. */
  readonly recipients: Uint8Array;
  /** ASCII serialisation of the origin; empty without flag bit1. */
  readonly origin: string;
  readonly associatedData: Uint8Array;
}

const MESSAGE_LABEL = utf8('SWM1');
const WRAP_LABEL = utf8('SWM1 wrap');

/**
 * Context of the body:
 * "SWM1" ‖ header(24) ‖ u16 len ‖ recipients ‖ u16 len ‖ origin ‖ u32 len ‖ associated data
 */
export function messageContext(parts: ContextParts): Uint8Array {
  const { header, recipients, associatedData } = parts;
  const origin = utf8(parts.origin);
  return concat(
    MESSAGE_LABEL,
    header,
    u16be(recipients.length),
    recipients,
    u16be(origin.length),
    origin,
    u32be(associatedData.length),
    associatedData,
  );
}

/** Context of one sealed data key: "SWM1 wrap" ‖ header(24) ‖ type ‖ id(16) */
export function wrapContext(header: Uint8Array, type: number, id: Uint8Array): Uint8Array {
  return concat(WRAP_LABEL, header, Uint8Array.of(type), id);
}

/**
 * Checks that an origin has the form of its ASCII serialisation (HTML, "ASCII serialisation of an origin"):
 * scheme, "://", host, and the port unless it is the scheme's default. Refuses URLs, trailing slashes and
 * capital letters, because the resulting message could not be opened.
 *
 * @throws TypeError with the expected form
 */
export function checkOrigin(origin: unknown): asserts origin is string {
  const form = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._~%[\]:-]+$/;
  if (typeof origin !== 'string' || !form.test(origin) || origin.length > ORIGIN_BYTES_MAX) {
    throw new TypeError('origin must be a serialised origin such as "https://example.org"');
  }
}

/** Checks the length. @throws EnvelopeError TOO_LARGE above 64 KiB */
export function checkAssociatedData(associatedData: Uint8Array): void {
  if (associatedData.length > ASSOCIATED_DATA_BYTES_MAX) {
    throw new EnvelopeError(
      'TOO_LARGE',
      `Associated data of ${associatedData.length} bytes, ` +
        `at most ${ASSOCIATED_DATA_BYTES_MAX} are allowed`,
    );
  }
}
