/** What every call that may take long accepts. */
export interface WorkOptions {
  /** Checked between groups of chunks; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of plaintext done, rising to `totalBytes`, which includes padding. */
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}
