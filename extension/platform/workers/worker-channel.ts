import type { AgeSecrets } from '../../../src/keys/ring/age.ts';
import type { Argon2idCost } from '../../../src/keys/unlock/passphrase-kdf.ts';
import type { OpenedSjclJson } from '../../../src/crypto/legacy/sjcl-json.ts';
import type { SubtleAnswer } from '../../../src/service/subtle/worker-order.ts';

/** The messages to a worker and back. */
interface Protocol {
  readonly order: unknown;
  readonly answer: unknown;
}

/**
 * Serves orders in a worker: it receives a port, posts 'ready' on it, and then one answer to each order.
 */
export function serveOrders<P extends Protocol>(
  answerTo: (order: P['order']) => Promise<P['answer']>,
): void {
  globalThis.addEventListener('message', ({ ports: [port] }) => {
    if (port === undefined) return;
    const say = (answer: P['answer']) => port.postMessage(answer);
    port.addEventListener('message', ({ data }: MessageEvent<P['order']>) => {
      void answerTo(data).then(say);
    });
    port.start();
    say('ready');
  });
}

/** One file to seal or to open, whose bytes are transferred; or identities whose recipients are wanted. */
export type AgeOrder =
  | { readonly seal: Uint8Array; readonly recipients: readonly string[] }
  | { readonly open: Uint8Array; readonly secrets: AgeSecrets }
  | { readonly recipientsOf: readonly string[] };

/** First 'ready'; then the bytes (null: no identity opens the file), or the failure. */
export type AgeAnswer =
  | 'ready'
  | { readonly bytes: Uint8Array | null }
  | { readonly recipients: readonly string[] }
  | { readonly wrong: 'argument' | 'file' | 'other'; readonly message: string };

/** One derivation. The passphrase's buffer is transferred. */
export interface Argon2idOrder {
  readonly passphrase: Uint8Array;
  readonly salt: Uint8Array;
  readonly cost: Argon2idCost;
}

/** First 'ready', then the 32 bytes of the key, or the failure, which never quotes the passphrase. */
export type Argon2idAnswer =
  'ready' | { readonly key: Uint8Array } | { readonly name: string; readonly message: string };

/** One SJCL message to open. */
export interface SjclOrder {
  readonly password: string;
  readonly text: string;
}

/** First 'ready'; then the opened message, or the failure. */
export type SjclAnswer =
  | 'ready'
  | OpenedSjclJson
  | { readonly wrong: 'text' | 'bounds' | 'password' | 'other'; readonly message: string };

/** First 'ready'; then the outcome of the order, or the failure. */
export type SubtleWorkerAnswer = 'ready' | SubtleAnswer | { readonly failed: string };
