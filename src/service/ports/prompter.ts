/**
 * The contract for showing a consent prompt. `extension/platform/windows/prompt-window.ts` implements it
 * with a window of the extension's own; the broker decides what is asked and what an answer means.
 *
 * A prompt that its user closes is reported to `Consent.closed`, by the platform.
 */
export interface Prompter {
  /** Opens the prompt, or brings an open one to the front. Rejects when no window can be shown. */
  show(promptId: string): Promise<void>;
  /** Closes the prompt without an answer being read into it. Nothing happens when it is gone. */
  close(promptId: string): Promise<void>;
}
