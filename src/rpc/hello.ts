/*
 * How the two scripts of a frame find each other on window. Either may start first: each says
 * hello when it starts, and the content script again whenever it receives the page's. The page's
 * script hands over one end of a MessageChannel with the id of the content script's hello, which
 * can be used once. Other scripts of the page can do the same; their channel has the page's rights
 * and no others.
 *
 *   content → { sealwright: 'content-hello', id }
 *   page    → { sealwright: 'page-hello' }
 *   page    → { sealwright: 'port', id } + port
 */
import { hasOwn } from './primordials.ts';

/** A window message by which the two scripts of a frame find each other. */
export type Hello =
  | { readonly sealwright: 'content-hello'; readonly id: string }
  | { readonly sealwright: 'page-hello' }
  | { readonly sealwright: 'port'; readonly id: string };

/** 128 random bits: 32 hexadecimal digits, with or without the hyphens of a UUID. */
const ID_LENGTHS: readonly number[] = [32, 36];

/** The content script offers to connect. `id`: 128 random bits, used once. */
export const contentHello = (id: string): Hello => ({ sealwright: 'content-hello', id });
/** The page's script asks the content script to say hello. */
export const pageHello = (): Hello => ({ sealwright: 'page-hello' });
/** Accompanies the port for the content script that sent this id. */
export const portHello = (id: string): Hello => ({ sealwright: 'port', id });

/** The hello in a window message, or undefined. */
export function parseHello(data: unknown): Hello | undefined {
  if (typeof data !== 'object' || data === null || !hasOwn(data, 'sealwright')) return undefined;
  const { sealwright, id } = data as { sealwright: unknown; id?: unknown };
  if (sealwright === 'page-hello') return pageHello();
  if (sealwright !== 'content-hello' && sealwright !== 'port') return undefined;
  if (typeof id !== 'string') return undefined;
  if (id.length !== ID_LENGTHS[0] && id.length !== ID_LENGTHS[1]) return undefined;
  return { sealwright, id };
}

/**
 * Whether a frame gets the API at all: not if its origin is opaque (a sandbox, data:, file:), and
 * only in secure contexts, to which localhost belongs. The background judges again, by what the
 * browser says of the sender.
 */
export function isServedFrame(frame: {
  readonly origin: string;
  readonly isSecureContext: boolean;
}) {
  return frame.origin !== 'null' && frame.isSecureContext;
}
