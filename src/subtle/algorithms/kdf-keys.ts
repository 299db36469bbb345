/** What the key derivations have in common. */
import type { KdfName } from '../../engine/contract.ts';
import type { Definition } from './definition.ts';
import { notSupported, operationError, syntaxError } from '../errors.ts';
import { SubtleKey } from '../key.ts';
import { checkUsages } from '../usages.ts';

/** "If length is null or is not a multiple of 8, then throw an OperationError." 0 is allowed. */
export function wholeBytes(name: KdfName, lengthBits: number | null): number {
  if (lengthBits === null || lengthBits % 8 !== 0) {
    throw operationError(`${name}: length must be a multiple of 8`);
  }
  return lengthBits / 8;
}

/** Secrets to derive from: raw bytes of any length that never come out again. */
export function secretKeys(
  name: KdfName,
): Required<Pick<Definition, 'importKey' | 'getKeyLength'>> {
  return {
    importKey:
      () =>
      (material, { extractable, usages }) => {
        if (material.format !== 'raw' && material.format !== 'raw-secret') {
          throw notSupported(`${name}: keys have no format ${material.format}`);
        }
        checkUsages(name, usages, ['deriveKey', 'deriveBits']);
        if (extractable) throw syntaxError(`${name}: keys are not extractable`);
        return new SubtleKey({ name }, material.bytes, extractable, usages);
      },
    getKeyLength: () => () => null,
  };
}
