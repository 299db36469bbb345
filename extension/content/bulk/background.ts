import { BULK_METHODS } from '../../../src/rpc/methods/bulk.ts';
import { GUARD_METHODS } from '../../../src/rpc/methods/guard.ts';
import type { MethodClient } from '../../../src/rpc/client/method-client.ts';
import { MOVEMENT_METHODS } from '../../../src/rpc/methods/movements.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';

/**
 * What a content script asks of the background: what its page asks, keys for the bulk lane,
 * that movements be stirred in, and what the guard of forms needs.
 */
export const CONTENT_METHODS = Object.freeze({
  ...PAGE_METHODS,
  ...BULK_METHODS,
  ...MOVEMENT_METHODS,
  ...GUARD_METHODS,
});

export type Background = MethodClient<typeof CONTENT_METHODS>;
