/**
 * Survives the worker, not the browser, and never touches the disk; readable by trusted contexts
 * only (storage.session). Values are JSON.
 */
export interface SessionStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;

  /**
   * Optional. Calls `listener` with the key of every change made by any context, this one included.
   * Where it exists the vault remembers values between uses, and its hot path reads no storage.
   */
  watch?(listener: (key: string) => void): void;
}
