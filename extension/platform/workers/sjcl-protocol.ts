import type { OpenedSjclJson } from '../../../src/crypto/legacy/sjcl-json.ts';

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
