import type { Calls } from '../../extension/page/connection/calls.ts';
import { SealwrightSubtle } from '../../extension/page/subtle/subtle.ts';
import type { SealwrightSubtle as PageTypes } from '../../src/client/page-types.ts';
import type { Caller } from '../../src/rpc/channel.ts';
import { pageCaller } from './service-fakes.ts';
import type { World } from './service-world.ts';

/** As pages have it, with keys of the standard's type. */
type PageSubtle = SubtleCrypto & Pick<PageTypes, 'deleteKey'>;

/** `sealwright.subtle` of one document, over the real broker: all but the lanes between the two. */
export function pageSubtle(world: World, caller: Caller = pageCaller()): PageSubtle {
  const call = (method: never, params: never) => world.call(method, params, caller);
  return new SealwrightSubtle({ call } as unknown as Calls) as unknown as PageSubtle;
}

/** The name of the error that a call rejects with, or "none". */
export async function errorName(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error as Error).name,
  );
}
