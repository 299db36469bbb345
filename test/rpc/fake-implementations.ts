import type { Call, Implementations } from '../../src/rpc/call.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';
import { METHODS } from '../../src/rpc/methods/methods.ts';
import type { MethodName, ParamsOf } from '../../src/rpc/methods/methods.ts';

/** Implementations of the given methods. All others reject with UNSUPPORTED. */
export function implementations(given: Partial<Implementations>): Implementations {
  const refusing = Object.fromEntries(
    Object.keys(METHODS).map((name) => [
      name,
      () => Promise.reject(new SealwrightError('UNSUPPORTED', 'not in this test')),
    ]),
  ) as unknown as Implementations;
  return { ...refusing, ...given };
}

export interface Recorded<M extends MethodName> {
  readonly params: ParamsOf<M>;
  readonly call: Call;
}
