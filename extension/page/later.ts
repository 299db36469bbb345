/*
 * What the contract names and this version does not do yet. Each is there, so that a page can
 * write against the whole contract and look at `info.features`; each rejects with UNSUPPORTED.
 */
import { SealwrightError } from '../../src/rpc/errors.ts';
import { defineProperty, freeze, SafePromise } from '../../src/rpc/primordials.ts';

export function unsupported(name: string): SealwrightError {
  return new SealwrightError('UNSUPPORTED', `${name} is not supported by this version`);
}

function rejected(error: Error): Promise<never> {
  return new SafePromise((_, reject) => reject(error));
}

type Rejecting = (...args: unknown[]) => Promise<never>;

function rejecting(names: readonly string[], error: (name: string) => Error): object {
  const methods = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const method: Rejecting = () => rejected(error(name));
    defineProperty(methods, name, { value: freeze(method), enumerable: true });
  }
  return freeze(methods);
}

export const sync = rejecting(
  ['encryptRecords', 'decryptRecords', 'loadCollectionKeys', 'createCollectionKeys'],
  (name) => unsupported(`sync.${name}`),
);
