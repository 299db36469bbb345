import { AES_KEY_BITS } from '../../crypto/algorithms.ts';
import {
  CIPHER_USAGES,
  jwkAlgOfAes,
  symmetricKeys,
  type SymmetricKeyRules,
} from './symmetric-keys.ts';
import type { CipherWork, Definition, DefinitionOf, ParamsFor, RunCipher } from './definition.ts';
import { operationError } from '../errors.ts';
import type { CbcParams, CtrParams, SivParams } from '../../engine/contract.ts';

/**
 * AES keys: the same for every mode (Web Cryptography API, 25–28).
 *
 * @param name the algorithm that the keys are for
 * @param rules where the mode differs from the usual
 */
function aesKeys(name: string, rules: Partial<SymmetricKeyRules> = {}) {
  return symmetricKeys({
    name,
    bits: AES_KEY_BITS,
    usages: CIPHER_USAGES,
    use: 'enc',
    alg: (keyBits) => jwkAlgOfAes(name, keyBits),
    ...rules,
  });
}

/** AES-KW (Web Cryptography API, 30; RFC 3394). */

/** RFC 3394, section 2: 64-bit halves, at least two of them. */
const HALF_BYTES = 8;
const MIN_BYTES = 16;

/** RFC 3394: wraps keys, and nothing else. */
const AES_KW: DefinitionOf<'AES-KW'> = {
  name: 'AES-KW',
  wrapKey: () => (work) => {
    if (work.data.length % HALF_BYTES !== 0 || work.data.length < MIN_BYTES) {
      throw operationError('AES-KW: the key must have 16 bytes or more, a multiple of 8');
    }
    return work.runtime.encrypt('AES-KW', {}, work);
  },
  unwrapKey: () => (work) => work.runtime.decrypt('AES-KW', {}, work),
  ...aesKeys('AES-KW', { usages: ['wrapKey', 'unwrapKey'] }),
};

/** AES-CMAC (SP 800-38B, RFC 4493) and raw AES-CBC-MAC. */

/** SP 800-38B. */
const AES_CMAC = mac('AES-CMAC', () => undefined);

/** A building block: safe only for messages that all have one length, in whole blocks. */
const AES_CBC_MAC = mac('AES-CBC-MAC', (data) => checkBlocks('AES-CBC-MAC', data, 1));

function mac(
  name: 'AES-CMAC' | 'AES-CBC-MAC',
  check: (data: Uint8Array) => void,
): DefinitionOf<'AES-CMAC' | 'AES-CBC-MAC'> {
  return {
    name,
    sign:
      () =>
      async ({ runtime, key, data }) => {
        check(data);
        return runtime.mac(name, undefined, key, data.length, (keyed) => keyed.sign(data));
      },
    verify:
      () =>
      async ({ runtime, key, data, signature }) => {
        check(data);
        return runtime.mac(name, undefined, key, data.length, (keyed) =>
          keyed.verify(signature, data),
        );
      },
    ...aesKeys(name, { usages: ['sign', 'verify'], use: 'sig' }),
  };
}

/** AES-CTR and AES-CBC (Web Cryptography API, 27 and 28), and raw AES-ECB. No authentication. */

const BLOCK_BYTES = 16;

/** SP 800-38A, section 6.5: no authentication. */
const AES_CTR: DefinitionOf<'AES-CTR'> = {
  name: 'AES-CTR',
  encrypt:
    ({ counter, length: counterBits }) =>
    (work) => {
      const params = checkedCtr({ counter, counterBits }, work);
      return work.runtime.encrypt('AES-CTR', params, work);
    },
  decrypt:
    ({ counter, length: counterBits }) =>
    (work) => {
      const params = checkedCtr({ counter, counterBits }, work);
      return work.runtime.decrypt('AES-CTR', params, work);
    },
  ...aesKeys('AES-CTR'),
};

/** SP 800-38A, section 6.2, with PKCS#7 padding: no authentication. */
const AES_CBC: DefinitionOf<'AES-CBC'> = {
  name: 'AES-CBC',
  encrypt: (params) => (work) => {
    checkIv(params);
    return work.runtime.encrypt('AES-CBC', params, work);
  },
  decrypt: (params) => (work) => {
    checkIv(params);
    checkBlocks('AES-CBC', work.data, 1);
    return work.runtime.decrypt('AES-CBC', params, work);
  },
  ...aesKeys('AES-CBC'),
};

/** A building block: equal blocks encrypt equally. No padding. */
const AES_ECB: DefinitionOf<'AES-ECB'> = {
  name: 'AES-ECB',
  encrypt: () => ecb((work) => work.runtime.encrypt('AES-ECB', {}, work)),
  decrypt: () => ecb((work) => work.runtime.decrypt('AES-ECB', {}, work)),
  ...aesKeys('AES-ECB'),
};

function ecb(run: RunCipher): RunCipher {
  return (work) => {
    checkBlocks('AES-ECB', work.data, 0);
    return run(work);
  };
}

/** Refuses a message so long that a counter block would repeat, which would disclose plaintext. */
function checkedCtr(params: CtrParams, { data }: CipherWork): CtrParams {
  const { counter, counterBits } = params;
  if (counter.length !== BLOCK_BYTES) throw operationError('AES-CTR: counter must have 16 bytes');
  if (counterBits < 1 || counterBits > 128) {
    throw operationError('AES-CTR: length must be 1 to 128');
  }
  if (Math.ceil(data.length / BLOCK_BYTES) > 2 ** counterBits) {
    throw operationError('AES-CTR: the message is too long for this counter');
  }
  return params;
}

function checkIv({ iv }: CbcParams): void {
  if (iv.length !== BLOCK_BYTES) throw operationError('AES-CBC: iv must have 16 bytes');
}

/** Whole blocks. @param least how many there have to be */
export function checkBlocks(name: string, data: Uint8Array, least: number): void {
  if (data.length % BLOCK_BYTES !== 0 || data.length < least * BLOCK_BYTES) {
    throw operationError(`${name}: the data must be whole blocks of 16 bytes`);
  }
}

/** AES-SIV (RFC 5297), which resists a repeated nonce. */

/** RFC 5297, section 2.6: S2V takes 127 strings, and the plaintext is one. */
const MAX_STRINGS = 126;

/** RFC 5297: deterministic, and safe if a nonce repeats. */
const AES_SIV: DefinitionOf<'AES-SIV'> = {
  name: 'AES-SIV',
  instead: { iv: 'a nonce is the last of additionalData (RFC 5297, section 3)' },
  encrypt: (params) => (work) => work.runtime.encrypt('AES-SIV', checked(params), work),
  decrypt: (params) => (work) => work.runtime.decrypt('AES-SIV', checked(params), work),
  // RFC 5297, section 2.2: two AES keys, concatenated
  ...aesKeys('AES-SIV', { bits: [256, 384, 512] }),
};

function checked({ additionalData }: ParamsFor<'AES-SIV', 'encrypt'>): SivParams {
  if (additionalData.length <= MAX_STRINGS) return { associatedData: additionalData };
  throw operationError(`AES-SIV: additionalData must have at most ${MAX_STRINGS} strings`);
}

/** The modes of AES that are no AEADs with a nonce. */
export const AES: readonly Definition[] = [
  AES_SIV,
  AES_CTR,
  AES_CBC,
  AES_ECB,
  AES_KW,
  AES_CMAC,
  AES_CBC_MAC,
];
