/** The operations that all AEADs share (Web Cryptography API, 29; AeadParams of the WICG draft). */
import type { AeadParams } from '../../engine/contract.ts';
import type { Definition } from './definition.ts';
import { operationError } from '../errors.ts';
import type { Members } from '../webidl/members.ts';

/** The lengths that an AEAD's standard allows. */
export interface AeadLimits {
  readonly nonceBytes: { readonly min: number; readonly max: number };
  readonly tagBits: readonly number[];
  /** The longest message under a nonce of so many bytes. */
  readonly maxBytes: (nonceBytes: number) => number;
}

type AeadName =
  'AES-GCM' | 'AES-CCM' | 'AES-OCB' | 'AES-GCM-SIV' | 'ChaCha20-Poly1305' | 'XChaCha20-Poly1305';

/** Web Cryptography API: "If the tagLength member … is not present: Let tagLength be 128." */
const DEFAULT_TAG_BITS = 128;

/**
 * The operations of an AEAD, which check the lengths before an engine gets the message.
 *
 * @returns operations that reject with OperationError for a length that `limits` forbid
 */
export function aead(
  name: AeadName,
  limits: AeadLimits,
): Required<Pick<Definition, 'encrypt' | 'decrypt'>> {
  return {
    encrypt: (members) => {
      const params = readParams(members);
      return (work) => {
        check(name, params, limits, work.data.length);
        return work.runtime.encrypt(name, params, work);
      };
    },
    decrypt: (members) => {
      const params = readParams(members);
      return (work) => {
        check(name, params, limits, Math.max(0, work.data.length - params.tagBytes));
        return work.runtime.decrypt(name, params, work);
      };
    },
  };
}

function readParams(members: Members): AeadParams {
  return {
    associatedData: members.optionalBytes('additionalData'),
    nonce: members.bytes('iv'),
    tagBytes: (members.optionalInteger('tagLength', 8) ?? DEFAULT_TAG_BITS) / 8,
  };
}

function check(name: string, params: AeadParams, limits: AeadLimits, messageBytes: number): void {
  const { nonce, tagBytes } = params;
  const { min, max } = limits.nonceBytes;
  if (messageBytes > limits.maxBytes(nonce.length)) {
    throw operationError(`${name}: ${messageBytes} bytes are too many for this nonce`);
  }
  if (nonce.length < min || nonce.length > max) {
    throw operationError(`${name}: iv must have ${range(min, max)} bytes, got ${nonce.length}`);
  }
  if (!limits.tagBits.includes(8 * tagBytes)) {
    throw operationError(`${name}: tagLength must be one of ${limits.tagBits.join(', ')}`);
  }
}

function range(min: number, max: number): string {
  if (min === max) return `${min}`;
  return max === Infinity ? `${min} or more` : `${min} to ${max}`;
}
