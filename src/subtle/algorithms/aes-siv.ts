/** AES-SIV (RFC 5297) and AES-GCM-SIV (RFC 8452): what a repeated nonce harms little. */
import type { SivParams } from '../../engine/contract.ts';
import { aead } from './aead.ts';
import { aesKeys } from './aes.ts';
import type { Definition } from './definition.ts';
import { operationError } from '../errors.ts';
import type { Members } from '../webidl/members.ts';

/** RFC 5297, section 2.6: S2V takes 127 strings, and the plaintext is one. */
const MAX_STRINGS = 126;

export const AES_SIV: Definition = {
  name: 'AES-SIV',
  encrypt: (members) => {
    const params = readSiv(members);
    return async (work) => work.runtime.encrypt('AES-SIV', checked(params), work);
  },
  decrypt: (members) => {
    const params = readSiv(members);
    return async (work) => work.runtime.decrypt('AES-SIV', checked(params), work);
  },
  // RFC 5297, section 2.2: two keys of AES, one behind the other
  ...aesKeys('AES-SIV', { bits: [256, 384, 512] }),
};

export const AES_GCM_SIV: Definition = {
  name: 'AES-GCM-SIV',
  ...aead('AES-GCM-SIV', {
    nonceBytes: { min: 12, max: 12 },
    tagBits: [128],
    // RFC 8452, section 6
    maxBytes: () => 2 ** 36,
  }),
  ...aesKeys('AES-GCM-SIV', { bits: [128, 256] }),
};

function readSiv(members: Members): SivParams {
  return { associatedData: members.byteStrings('additionalData') };
}

function checked(params: SivParams): SivParams {
  const { length } = params.associatedData;
  if (length <= MAX_STRINGS) return params;
  throw operationError(`AES-SIV: additionalData must have at most ${MAX_STRINGS} strings`);
}
