/** Raw Salsa20. */
import type { SalsaParams } from '../../engine/contract.ts';
import type { Definition } from './definition.ts';
import { operationError } from '../errors.ts';
import type { Members } from '../webidl/members.ts';
import { CIPHER_USAGES, symmetricKeys } from './symmetric-keys.ts';

const BLOCK_BYTES = 64;
/** Salsa20's block counter has 64 bits. */
const MAX_BLOCKS = 1n << 64n;

/** A building block: nothing is authenticated. */
export const SALSA20: Definition = {
  name: 'Salsa20',
  encrypt: (members) => {
    const params = readSalsa(members);
    return (work) => work.runtime.encrypt('Salsa20', checked(params, work.data.length), work);
  },
  decrypt: (members) => {
    const params = readSalsa(members);
    return (work) => work.runtime.decrypt('Salsa20', checked(params, work.data.length), work);
  },
  ...symmetricKeys({
    name: 'Salsa20',
    bits: [128, 256],
    usages: CIPHER_USAGES,
    use: 'enc',
    alg: () => undefined,
  }),
};

type GivenSalsa = Omit<SalsaParams, 'rounds'> & { readonly rounds: number };

function readSalsa(members: Members): GivenSalsa {
  return {
    counter: members.optionalCounter('counter') ?? 0n,
    nonce: members.bytes('iv'),
    rounds: members.optionalInteger('rounds', 8) ?? 20,
  };
}

function checked({ nonce, rounds, counter }: GivenSalsa, messageBytes: number): SalsaParams {
  if (nonce.length !== 8) throw operationError('Salsa20: iv must have 8 bytes');
  if (rounds !== 8 && rounds !== 12 && rounds !== 20) {
    throw operationError('Salsa20: rounds must be 8, 12 or 20');
  }
  if (BigInt(counter) + BigInt(Math.ceil(messageBytes / BLOCK_BYTES)) > MAX_BLOCKS) {
    throw operationError('Salsa20: the message is too long for this counter');
  }
  return { nonce, rounds, counter };
}
