import type { BatchResult, Sealwright } from '../page-api.ts';
import type { OwnBytes } from '../page-types.ts';
import { gathering, valueOf } from './gathering.ts';

/** What the adapters for data of any kind use of the page API. */
export type MessageSealer = Pick<Sealwright, 'sealMany' | 'openMany'>;

/** Sealed bytes. */
export type Sealed = OwnBytes;

/** Messages with one context. Those that are sealed or opened at the same time are sent as one call. */
export interface SealedMessages {
  /** Rejects with the message's own SealwrightError. */
  seal(message: OwnBytes | string): Promise<Sealed>;
  /** An error of this message is a result. Errors of the whole call reject: locked, not granted … */
  tryOpen(sealed: Sealed): Promise<BatchResult<OwnBytes>>;
}

/**
 * @param context what all messages are bound to
 * @param key the key's id; default: this origin's app key
 */
export function sealedMessages(
  sealwright: MessageSealer,
  context: string,
  key?: string,
): SealedMessages {
  const options = key === undefined ? { context } : { context, key };
  type Message = OwnBytes | string;
  const seal = gathering((all: readonly Message[]) => sealwright.sealMany(all, options));
  const tryOpen = gathering((all: readonly Sealed[]) => sealwright.openMany(all, { context }));
  return { seal: async (message) => valueOf(await seal(message)), tryOpen };
}
