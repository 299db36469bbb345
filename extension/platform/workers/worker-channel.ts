import type { AgeSecrets } from '../../../src/keys/ring/age.ts';
import type { Argon2idCost } from '../../../src/keys/unlock/passphrase-kdf.ts';
import type { OpenedSjclJson } from '../../../src/crypto/legacy/sjcl-json.ts';

/** What goes over a line to a worker, and what comes back. */
interface Protocol {
  readonly order: unknown;
  readonly answer: unknown;
}

/**
 * Serves orders in a worker: whoever started it sends a port, is told 'ready' there, and gets one
 * answer to each order on it.
 */
export function serveOrders<P extends Protocol>(
  answerTo: (order: P['order']) => Promise<P['answer']>,
): void {
  globalThis.addEventListener('message', ({ ports: [line] }) => {
    if (line === undefined) return;
    const say = (answer: P['answer']) => line.postMessage(answer);
    line.addEventListener('message', ({ data }: MessageEvent<P['order']>) => {
      void answerTo(data).then(say);
    });
    line.start();
    say('ready');
  });
}

/** One file to seal or to open, whose bytes are given away; or identities to be looked at. */
export type AgeOrder =
  | { readonly seal: Uint8Array; readonly recipients: readonly string[] }
  | { readonly open: Uint8Array; readonly secrets: AgeSecrets }
  | { readonly recipientsOf: readonly string[] };

/** First 'ready'; then the bytes (null: no identity opens the file), or what was wrong. */
export type AgeAnswer =
  | 'ready'
  | { readonly bytes: Uint8Array | null }
  | { readonly recipients: readonly string[] }
  | { readonly wrong: 'argument' | 'file' | 'other'; readonly message: string };

/** One derivation. The passphrase's buffer is given away. */
export interface Argon2idOrder {
  readonly passphrase: Uint8Array;
  readonly salt: Uint8Array;
  readonly cost: Argon2idCost;
}

/** First 'ready', then the 32 bytes of the key, or why there are none (never of the passphrase). */
export type Argon2idAnswer =
  'ready' | { readonly key: Uint8Array } | { readonly name: string; readonly message: string };

/** One message of SJCL to open. */
export interface SjclOrder {
  readonly password: string;
  readonly text: string;
}

/** First 'ready'; then what it said, or what was wrong. */
export type SjclAnswer =
  | 'ready'
  | OpenedSjclJson
  | { readonly wrong: 'text' | 'bounds' | 'password' | 'other'; readonly message: string };
