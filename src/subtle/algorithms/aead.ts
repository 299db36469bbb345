/** The AEADs of `subtle` (Web Cryptography API, 29; AeadParams of the WICG draft). */
import { AEAD_NAMES, AEADS } from '../../crypto/algorithms.ts';
import type { AeadName, AeadSizes } from '../../crypto/algorithms.ts';
import type { AeadParams } from '../../engine/contract.ts';
import type { DefinitionOf, ParamsFor } from './definition.ts';
import { operationError } from '../errors.ts';
import { CIPHER_USAGES, jwkAlgOfAes, symmetricKeys } from './symmetric-keys.ts';

/** Web Cryptography API: "If the tagLength member … is not present: Let tagLength be 128." */
const DEFAULT_TAG_BITS = 128;

/** The definition of every AEAD. */
export const AEAD_DEFINITIONS: readonly DefinitionOf<AeadName>[] = AEAD_NAMES.map((name) =>
  aead(name, AEADS[name]),
);

/** Its operations check the lengths before an engine gets the message. */
function aead(name: AeadName, sizes: AeadSizes): DefinitionOf<AeadName> {
  return {
    name,
    encrypt: (given) => {
      const params = paramsOf(given);
      return (work) => {
        check(name, params, sizes, work.data.length);
        return work.runtime.encrypt(name, params, work);
      };
    },
    decrypt: (given) => {
      const params = paramsOf(given);
      return (work) => {
        check(name, params, sizes, Math.max(0, work.data.length - params.tagBytes));
        return work.runtime.decrypt(name, params, work);
      };
    },
    ...symmetricKeys({
      name,
      bits: sizes.keyBits,
      usages: CIPHER_USAGES,
      use: 'enc',
      alg: (keyBits) => sizes.jwkAlg ?? jwkAlgOfAes(name, keyBits),
    }),
  };
}

function paramsOf(given: ParamsFor<AeadName, 'encrypt'>): AeadParams {
  const { additionalData, iv, tagLength = DEFAULT_TAG_BITS } = given;
  return { associatedData: additionalData, nonce: iv, tagBytes: tagLength / 8 };
}

/** @throws OperationError (DOMException) for a length that `sizes` forbid */
function check(name: string, params: AeadParams, sizes: AeadSizes, messageBytes: number): void {
  const { nonce, tagBytes } = params;
  const { min, max } = sizes.nonceBytes;
  if (messageBytes > sizes.maxBytes(nonce.length)) {
    throw operationError(`${name}: ${messageBytes} bytes are too many for this nonce`);
  }
  if (nonce.length < min || nonce.length > max) {
    throw operationError(`${name}: iv must have ${range(min, max)} bytes, got ${nonce.length}`);
  }
  if (!sizes.tagBytes.includes(tagBytes)) {
    const bits = sizes.tagBytes.map((bytes) => 8 * bytes);
    throw operationError(`${name}: tagLength must be one of ${bits.join(', ')}`);
  }
}

function range(min: number, max: number): string {
  if (min === max) return `${min}`;
  return max === Infinity ? `${min} or more` : `${min} to ${max}`;
}
