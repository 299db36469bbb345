import { BULK_METHODS } from '../../../src/rpc/bulk-methods.ts';
import type { MethodClient } from '../../../src/rpc/method-client.ts';
import { PAGE_METHODS } from '../../../src/rpc/page-methods.ts';

/** What a content script asks of the background: what its page asks, and keys for the bulk lane. */
export const CONTENT_METHODS = Object.freeze({ ...PAGE_METHODS, ...BULK_METHODS });

export type Background = MethodClient<typeof CONTENT_METHODS>;
