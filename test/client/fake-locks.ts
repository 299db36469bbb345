/* The part of the browser's LockManager that the client uses: exclusive locks, one after the other. */
export class FakeLocks {
  /** Names of the locks that are held or requested. */
  readonly names: string[] = [];
  readonly #tails = new Map<string, Promise<unknown>>();

  get api(): LockManager {
    return this as unknown as LockManager;
  }

  request(name: string, ...rest: readonly unknown[]): Promise<unknown> {
    const work = rest.at(-1) as (lock: Lock) => unknown;
    const { signal } = (rest.length > 1 ? rest[0] : {}) as LockOptions;
    const before = this.#tails.get(name) ?? Promise.resolve();
    this.names.push(name);
    const turn = before.then(() => {
      return signal?.aborted ? undefined : work({ name, mode: 'exclusive' });
    });
    const given = Promise.race([turn, aborted(signal)]);
    const done = turn.finally(() => this.#remove(name));
    signal?.addEventListener('abort', () => this.#remove(name));
    this.#tails.set(
      name,
      done.catch(() => undefined),
    );
    return given;
  }

  #remove(name: string): void {
    const at = this.names.indexOf(name);
    if (at >= 0) this.names.splice(at, 1);
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
