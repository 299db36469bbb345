import type { AgeSecrets } from '../../../src/keys/ring/age.ts';

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
