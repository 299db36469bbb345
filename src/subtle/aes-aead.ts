/** AES-GCM (Web Cryptography API, 29), AES-OCB (WICG draft; RFC 7253) and AES-CCM (SP 800-38C). */
import type { AeadParams } from '../engine/contract.ts';
import { aesKeys, CIPHER_USAGES } from './aes-keys.ts';
import type { Definition } from './definition.ts';
import { operationError } from './errors.ts';
import type { Members } from './members.ts';

interface Limits {
  readonly nonceBytes: { readonly min: number; readonly max: number };
  readonly tagBits: readonly number[];
  /** The longest message under a nonce of so many bytes. */
  readonly maxBytes: (nonceBytes: number) => number;
}

/** Web Cryptography API: "If the tagLength member … is not present: Let tagLength be 128." */
const DEFAULT_TAG_BITS = 128;

export const AES_GCM = aead('AES-GCM', {
  // SP 800-38D, section 5.2.1.1: 1 … 2^64 - 1 bits
  nonceBytes: { min: 1, max: Infinity },
  tagBits: [32, 64, 96, 104, 112, 120, 128],
  // SP 800-38D, section 5.2.1.1: 2^39 - 256 bits
  maxBytes: () => 2 ** 36 - 32,
});

export const AES_OCB = aead('AES-OCB', {
  // RFC 7253, section 4.2: no longer than 120 bits
  nonceBytes: { min: 1, max: 15 },
  tagBits: [64, 96, 128],
  maxBytes: () => Infinity,
});

export const AES_CCM = aead('AES-CCM', {
  // SP 800-38C, section A.1: n is 7 … 13, t is 4, 6 … 16, and q = 15 - n bytes hold the length
  nonceBytes: { min: 7, max: 13 },
  tagBits: [32, 48, 64, 80, 96, 112, 128],
  maxBytes: (nonceBytes) => 2 ** (8 * (15 - nonceBytes)) - 1,
});

function aead(name: 'AES-GCM' | 'AES-OCB' | 'AES-CCM', limits: Limits): Definition {
  const encrypt: Definition['encrypt'] = (members) => {
    const params = readParams(members);
    return (work) => {
      check(name, params, limits, work.data.length);
      return work.runtime.encrypt(name, params, work);
    };
  };
  const decrypt: Definition['decrypt'] = (members) => {
    const params = readParams(members);
    return (work) => {
      check(name, params, limits, Math.max(0, work.data.length - params.tagBytes));
      return work.runtime.decrypt(name, params, work);
    };
  };
  return { name, encrypt, decrypt, ...aesKeys(name, CIPHER_USAGES) };
}

function readParams(members: Members): AeadParams {
  return {
    associatedData: members.optionalBytes('additionalData'),
    nonce: members.bytes('iv'),
    tagBytes: (members.optionalInteger('tagLength', 8) ?? DEFAULT_TAG_BITS) / 8,
  };
}

function check(name: string, params: AeadParams, limits: Limits, messageBytes: number): void {
  const { nonce, tagBytes } = params;
  const { min, max } = limits.nonceBytes;
  if (messageBytes > limits.maxBytes(nonce.length)) {
    throw operationError(`${name}: ${messageBytes} bytes are too many for this nonce`);
  }
  if (nonce.length < min || nonce.length > max) {
    const range = max === Infinity ? `${min} or more` : `${min} to ${max}`;
    throw operationError(`${name}: iv must have ${range} bytes, got ${nonce.length}`);
  }
  if (!limits.tagBits.includes(8 * tagBytes)) {
    throw operationError(`${name}: tagLength must be one of ${limits.tagBits.join(', ')}`);
  }
}
