/** Raw Salsa20. */
import type { SalsaParams } from '../../engine/contract.ts';
import type { DefinitionOf, ParamsFor } from './definition.ts';
import { operationError } from '../errors.ts';
import { CIPHER_USAGES, symmetricKeys } from './symmetric-keys.ts';

const BLOCK_BYTES = 64;
/** Salsa20's block counter has 64 bits. */
const MAX_BLOCKS = 1n << 64n;

/** A building block: nothing is authenticated. */
export const SALSA20: DefinitionOf<'Salsa20'> = {
  name: 'Salsa20',
  encrypt: (params) => (work) =>
    work.runtime.encrypt('Salsa20', checked(params, work.data.length), work),
  decrypt: (params) => (work) =>
    work.runtime.decrypt('Salsa20', checked(params, work.data.length), work),
  ...symmetricKeys({
    name: 'Salsa20',
    bits: [128, 256],
    usages: CIPHER_USAGES,
    use: 'enc',
    alg: () => undefined,
  }),
};

function checked(params: ParamsFor<'Salsa20', 'encrypt'>, messageBytes: number): SalsaParams {
  const { iv: nonce, counter = 0n, rounds = 20 } = params;
  if (nonce.length !== 8) throw operationError('Salsa20: iv must have 8 bytes');
  if (rounds !== 8 && rounds !== 12 && rounds !== 20) {
    throw operationError('Salsa20: rounds must be 8, 12 or 20');
  }
  if (counter + BigInt(Math.ceil(messageBytes / BLOCK_BYTES)) > MAX_BLOCKS) {
    throw operationError('Salsa20: the message is too long for this counter');
  }
  return { nonce, rounds, counter };
}
