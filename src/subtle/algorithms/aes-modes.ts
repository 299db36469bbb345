/** AES-CTR and AES-CBC (Web Cryptography API, 27 and 28), and raw AES-ECB. No authentication. */
import type { CbcParams, CtrParams } from '../../engine/contract.ts';
import { aesKeys } from './aes.ts';
import type { CipherWork, Definition, RunCipher } from './definition.ts';
import { operationError } from '../errors.ts';
import type { Members } from '../webidl/members.ts';

const BLOCK_BYTES = 16;

export const AES_CTR: Definition = {
  name: 'AES-CTR',
  encrypt: (members) => {
    const params = readCtr(members);
    return async (work) => {
      checkCtr(params, work);
      return work.runtime.encrypt('AES-CTR', params, work);
    };
  },
  decrypt: (members) => {
    const params = readCtr(members);
    return async (work) => {
      checkCtr(params, work);
      return work.runtime.decrypt('AES-CTR', params, work);
    };
  },
  ...aesKeys('AES-CTR'),
};

export const AES_CBC: Definition = {
  name: 'AES-CBC',
  encrypt: (members) => {
    const params = { iv: members.bytes('iv') };
    return async (work) => {
      checkIv(params);
      return work.runtime.encrypt('AES-CBC', params, work);
    };
  },
  decrypt: (members) => {
    const params = { iv: members.bytes('iv') };
    return async (work) => {
      checkIv(params);
      checkBlocks('AES-CBC', work.data, 1);
      return work.runtime.decrypt('AES-CBC', params, work);
    };
  },
  ...aesKeys('AES-CBC'),
};

/** A building block: equal blocks encrypt equally. No padding. */
export const AES_ECB: Definition = {
  name: 'AES-ECB',
  encrypt: () => ecb((work) => work.runtime.encrypt('AES-ECB', {}, work)),
  decrypt: () => ecb((work) => work.runtime.decrypt('AES-ECB', {}, work)),
  ...aesKeys('AES-ECB'),
};

function ecb(run: RunCipher): RunCipher {
  return async (work) => {
    checkBlocks('AES-ECB', work.data, 0);
    return run(work);
  };
}

function readCtr(members: Members): CtrParams {
  return { counter: members.bytes('counter'), counterBits: members.integer('length', 8) };
}

/** A message so long that a counter block would come twice is refused: it would lie open. */
function checkCtr({ counter, counterBits }: CtrParams, { data }: CipherWork): void {
  if (counter.length !== BLOCK_BYTES) throw operationError('AES-CTR: counter must have 16 bytes');
  if (counterBits < 1 || counterBits > 128) {
    throw operationError('AES-CTR: length must be 1 to 128');
  }
  if (Math.ceil(data.length / BLOCK_BYTES) > 2 ** counterBits) {
    throw operationError('AES-CTR: the message is too long for this counter');
  }
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
