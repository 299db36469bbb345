import { packedKey, type KeyMessage } from './messages.ts';

/*
 * Keys of `subtle` in a worker. A key is valid in its document alone, so the page keeps it; the worker has an object in its
 * place, and names it by a number.
 */

/** The page's keys that its worker has. */
export class PageKeys {
  readonly #keys = new Map<number, object>();
  #newest = 0;

  /** What the worker gets in place of a result: a key, or a dictionary with keys; other results unchanged. */
  given(result: unknown): unknown {
    return withMembers(result, (value) => (isKey(value) ? this.#named(value) : value));
  }

  /** An argument of a worker with its keys. @throws TypeError for a key that the worker does not have */
  taken(argument: unknown): unknown {
    return withMembers(argument, (value) => {
      const number = packedKey(value)?.sealwrightKey;
      if (number === undefined) return value;
      const key = this.#keys.get(number);
      if (key) return key;
      throw new TypeError('The key is not one of this worker');
    });
  }

  drop(key: number): void {
    this.#keys.delete(key);
  }

  #named(key: CryptoKey): KeyMessage {
    const { type, extractable, algorithm, usages } = key;
    const sealwrightKey = (this.#newest += 1);
    this.#keys.set(sealwrightKey, key);
    return { sealwrightKey, type, extractable, algorithm, usages };
  }
}

/** The keys in a worker, in place of the page's. */
export class WorkerKeys {
  readonly #numbers = new WeakMap<object, number>();
  readonly #dropped: FinalizationRegistry<number>;

  /** @param drop called for keys that the worker's scripts cannot reach any more */
  constructor(drop: (key: number) => void) {
    this.#dropped = new FinalizationRegistry(drop);
  }

  /** A result with keys in place of their messages. */
  taken(result: unknown): unknown {
    return withMembers(result, (value) => {
      const message = packedKey(value);
      return message ? this.#made(message) : value;
    });
  }

  /** What the page gets in place of an argument: its keys by number, its bytes as `own` gives them. */
  given(argument: unknown, own: (value: unknown) => unknown): unknown {
    return withMembers(argument, (value) => {
      const sealwrightKey = this.#numbers.get(Object(value) as object);
      return sealwrightKey === undefined ? own(value) : { sealwrightKey };
    });
  }

  #made({ sealwrightKey, type, extractable, algorithm, usages }: KeyMessage): object {
    // Own and a function: a copy would be no key, so `structuredClone` and `postMessage` refuse it.
    const toJSON = (): object => ({});
    const key = Object.assign(Object.create(KEY) as object, {
      type,
      extractable,
      algorithm,
      usages,
      toJSON,
    });
    Object.freeze(algorithm);
    Object.freeze(usages);
    this.#numbers.set(key, sealwrightKey);
    this.#dropped.register(key, sealwrightKey);
    return Object.freeze(key);
  }
}

/** Libraries recognise keys by it. */
const KEY = /* @__PURE__ */ (() => Object.freeze({ [Symbol.toStringTag]: 'CryptoKey' }))();

/** A JWK has `ext` in place of `extractable`. */
function isKey(value: unknown): value is CryptoKey {
  return typeof (value as CryptoKey | null | undefined)?.extractable === 'boolean';
}

/** Changes the value, or if it is a dictionary that stays as it is, its members. */
function withMembers(value: unknown, change: (one: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value || !isDictionary(value)) return changed;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]));
}

function isDictionary(value: unknown): value is object {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer);
}
