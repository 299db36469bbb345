/** One file to seal or to open. Its bytes are given away. */
export type AgeOrder =
  | { readonly seal: Uint8Array; readonly recipients: readonly string[] }
  | { readonly open: Uint8Array; readonly identities: readonly string[] };

/** First 'ready'; then the bytes (null: no identity opens the file), or what was wrong. */
export type AgeAnswer =
  | 'ready'
  | { readonly bytes: Uint8Array | null }
  | { readonly wrong: 'argument' | 'file' | 'other'; readonly message: string };
