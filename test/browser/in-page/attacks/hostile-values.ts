/*
 * Values that cannot cross into a page as JSON, made in the page by name. A table of calls then is
 * plain data: `hostile('a detached buffer')` stands for the value anywhere in an argument.
 */

/**
 * Installs `globalThis.hostileValues`, a maker for each name, and `globalThis.revived`, which puts
 * what they make into an argument. To be run in the page.
 */
export function installHostileValues(): void {
  const MIB = 2 ** 20;
  const thrower = (): never => {
    throw new Error('the page threw this');
  };
  const detached = (): ArrayBuffer => {
    const buffer = new ArrayBuffer(64);
    structuredClone(buffer, { transfer: [buffer] });
    return buffer;
  };
  const resizable = (): ArrayBuffer => {
    type Resizable = new (length: number, options: { maxByteLength: number }) => ArrayBuffer;
    return new (ArrayBuffer as unknown as Resizable)(64, { maxByteLength: 128 });
  };
  // Pages without cross-origin isolation have no SharedArrayBuffer by name; wasm still makes one.
  const shared = () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer;
  const detachedView = (): Uint8Array => {
    const view = new Uint8Array(64);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    return view;
  };
  const cyclic = (): object => {
    const object: Record<string, unknown> = {};
    object.self = object;
    return object;
  };
  const getters = (...names: string[]): object => {
    const object = {};
    for (const name of names) {
      Object.defineProperty(object, name, { get: thrower, enumerable: true });
    }
    return object;
  };
  const traps = { get: thrower, ownKeys: thrower, has: thrower, getPrototypeOf: thrower };
  const descriptorTrap = { getOwnPropertyDescriptor: thrower };
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const gibibyte = () => new Blob(Array<Blob>(1024).fill(new Blob([new Uint8Array(MIB)])));

  const values: Record<string, () => unknown> = {
    undefined: () => undefined,
    NaN: () => NaN,
    Infinity: () => Infinity,
    '-Infinity': () => -Infinity,
    'a bigint': () => 5n,
    'a symbol': () => Symbol('page'),
    'a function': () => () => 1,
    'a class': () => Uint8Array,
    'a date': () => new Date(),
    'a regular expression': () => /x/,
    'a map': () => new Map([['length', 3]]),
    'a set': () => new Set(['seal']),
    'a Blob': () => new Blob(['text']),
    'an empty Blob': () => new Blob(),
    'a Blob of 500 bytes': () => new Blob([new Uint8Array(500).fill(7)]),
    // Of one Blob, over and over: nothing of that size is ever in memory.
    'a Blob of 34 GiB': () => new Blob(Array<Blob>(34).fill(gibibyte())),
    'a proxy of a Blob': () => new Proxy(new Blob(['text']), {}),
    'an object of the class of Blobs': () => Object.create(Blob.prototype) as unknown,
    'an element': () => document.documentElement,
    window: () => window,
    'a promise': () => Promise.resolve(new Uint8Array(3)),
    'a String object': () => new String('text'),
    'a Number object': () => new Number(3),
    'a Boolean object': () => new Boolean(true),
    'an object with then': () => ({ then: (resolve: (value: unknown) => void) => resolve(1) }),
    'an object whose then throws': () => getters('then'),
    'an object that never settles': () => ({ then: () => undefined }),
    'an object with valueOf': () => ({ valueOf: () => 3, toString: () => '3' }),
    'an object whose valueOf throws': () => ({ valueOf: thrower, toString: thrower }),
    'an object with toJSON': () => ({ toJSON: thrower }),
    'a cyclic object': cyclic,
    'a cyclic array': () => {
      const list: unknown[] = [];
      list.push(list);
      return list;
    },
    'a deep object': () => {
      let object: object = {};
      for (let depth = 0; depth < 10_000; depth++) object = { inner: object };
      return object;
    },
    'own __proto__': () => JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
    'own constructor': () => ({ constructor: { prototype: { polluted: true } } }),
    'a symbol key': () => ({ [Symbol('context')]: 'x' }),
    'a proxy that throws': () => new Proxy({}, traps),
    'a function proxy that throws': () => new Proxy(function () {}, { ...traps, apply: thrower }),
    'a proxy whose descriptors throw': () => new Proxy({ purpose: 'x' }, descriptorTrap),
    'a revoked proxy': revoked,
    'a revoked array proxy': () => {
      const { proxy, revoke } = Proxy.revocable(['seal'], {});
      revoke();
      return proxy;
    },
    'a proxy of bytes': () => new Proxy(new Uint8Array(8), {}),
    'a proxy of a signal': () => new Proxy(new AbortController().signal, {}),
    'what only looks like a signal': () => ({ aborted: false, addEventListener: () => 1 }),
    'getters that throw: context': () => getters('context'),
    'getters that throw: signal': () => getters('signal'),
    'getters that throw: timeoutMs': () => getters('timeoutMs'),
    'getters that throw: onProgress': () => getters('onProgress'),
    'getters that throw: pad': () => getters('pad'),
    'getters that throw: to': () => getters('to'),
    'getters that throw: key': () => getters('key'),
    'getters that throw: accept': () => getters('accept'),
    'a request whose purpose throws': () =>
      Object.defineProperty({ capabilities: ['seal'] }, 'purpose', {
        get: thrower,
        enumerable: true,
      }),
    'a request whose key throws': () =>
      Object.defineProperty({ purpose: 'x', capabilities: ['seal'] }, 'key', {
        get: thrower,
        enumerable: true,
      }),
    'a request that is only inherited': () =>
      Object.create({ purpose: 'x', capabilities: ['seal'] }) as unknown,
    'an array whose items throw': () =>
      Object.defineProperty(['seal'], 0, { get: thrower, enumerable: true }),
    'an array with a hole': () => {
      const list = ['seal', 'open', 'seal'];
      Reflect.deleteProperty(list, 1);
      return list;
    },
    'an array whose iterator lies': () =>
      Object.assign([1, 2], { [Symbol.iterator]: () => ['seal'][Symbol.iterator]() }),
    'an array of 2^32 - 1 holes': () => {
      const list: unknown[] = [];
      list.length = 2 ** 32 - 1;
      return list;
    },
    'an array of 1,001 ids': () => Array.from({ length: 1001 }, (_, i) => `grant ${i}`),

    'a detached buffer': detached,
    'a view of a detached buffer': detachedView,
    'a DataView of a detached buffer': () => {
      const view = new DataView(new ArrayBuffer(8));
      structuredClone(view.buffer, { transfer: [view.buffer] });
      return view;
    },
    'a resizable buffer': resizable,
    'a view of a resizable buffer': () => new Uint8Array(resizable()),
    'a view of fixed length of a resizable buffer': () => new Uint8Array(resizable(), 8, 8),
    'a shared buffer': shared,
    'a view of a shared buffer': () => new Uint8Array(shared()),
    'an array of numbers': () => [1, 2, 3],
    'an object with a length': () => ({ length: 4, byteLength: 4 }),
    'an object with a negative length': () => ({ length: -1 }),
    'an object of the class of bytes': () => Object.create(Uint8Array.prototype) as unknown,
    'a detached buffer of another realm': () => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const Foreign = (frame.contentWindow as unknown as typeof globalThis).Uint8Array;
      const view = new Foreign(8);
      frame.remove();
      structuredClone(view.buffer, { transfer: [view.buffer] });
      return view;
    },

    'no bytes': () => new Uint8Array(0),
    'ten bytes': () => new Uint8Array(10).fill(7),
    '500 bytes': () => new Uint8Array(500).fill(7),
    'bytes of 64 KiB + 1': () => new Uint8Array(64 * 1024 + 1),
    'bytes of 64 MiB + 1': () => new Uint8Array(64 * MIB + 1),
    'bytes of 67 MiB': () => new Uint8Array(67 * MIB),
    'a float view of 64 MiB + 8': () => new Float64Array(8 * MIB + 1),

    'a lone high surrogate': () => 'a\ud800b',
    'a lone low surrogate': () => '\udc00',
    'surrogates in the wrong order': () => '\udc00\ud800',
    'a high surrogate at the end': () => 'text\udbff',
    'text of 64 KiB + 1': () => 'a'.repeat(64 * 1024 + 1),
    'text of 64 KiB + 1 bytes': () => 'é'.repeat(32 * 1024) + 'a',
    'text of 64 MiB + 1': () => 'a'.repeat(64 * MIB + 1),
    'text of 64 MiB + 2 bytes': () => 'é'.repeat(32 * MIB + 1),
    'armored text that is too long': () => `sw1.${'A'.repeat(89 * MIB)}`,
    'text of 257 characters': () => 'k'.repeat(257),
    'text of 501 characters': () => 'p'.repeat(501),
    'text of 101 characters': () => 'l'.repeat(101),
  };
  const revived = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$hostile' in value) return values[String(value.$hostile)]!();
    if (Array.isArray(value)) return value.map(revived);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revived(one)]));
  };
  Object.assign(globalThis, { hostileValues: values, revived });
}

/** In an argument: the value of this name. */
export interface HostileValue {
  readonly $hostile: string;
}

/** One call, as data. */
export type Arguments = readonly unknown[];

/**
 * Makes the calls one after the other, and says of each what became of it: the code of its
 * SealwrightError, the name of any other rejection, "resolved", "threw synchronously" or "hung".
 * To be run in the page, after installHostileValues.
 */
export async function outcomesOf(method: string, calls: readonly Arguments[]): Promise<string[]> {
  const WAIT_MS = 10_000;
  type Method = (...args: unknown[]) => unknown;
  const world = globalThis as unknown as {
    readonly revived: (value: unknown) => unknown;
    readonly sealwright: Record<string, unknown>;
  };

  const nameOf = (error: unknown): string => {
    if (!(error instanceof Error) && !(error instanceof DOMException)) return 'not an Error';
    if (error.name !== 'SealwrightError') return `${error.name}: ${error.message}`;
    const { code, retryable } = error as Error & { code: string; retryable: unknown };
    return typeof retryable === 'boolean' ? code : 'not a SealwrightError';
  };
  const invoke = (args: unknown[]): unknown => {
    // Methods of `sync` and `subtle` are named by a path.
    const [name, inner] = method.split('.') as [string, string | undefined];
    if (inner === undefined) return (world.sealwright[name] as Method)(...args);
    return (world.sealwright[name] as Record<string, Method>)[inner]!(...args);
  };
  const settled = async (answer: unknown): Promise<string> => {
    if (!(answer instanceof Promise)) return 'no promise';
    const hung = new Promise<string>((resolve) => setTimeout(() => resolve('hung'), WAIT_MS));
    return await Promise.race([
      answer.then(
        () => 'resolved',
        (error: unknown) => nameOf(error),
      ),
      hung,
    ]);
  };
  const outcome = async (args: Arguments): Promise<string> => {
    let values: unknown[];
    try {
      values = args.map(world.revived);
    } catch {
      return 'not available';
    }
    try {
      // This binds `this`, as a page's call does.
      return await settled(invoke.call(undefined, values));
    } catch (error) {
      return `threw synchronously: ${nameOf(error)}`;
    }
  };

  const outcomes: string[] = [];
  for (const args of calls) outcomes.push(await outcome(args));
  return outcomes;
}

/**
 * What sealedLength makes of each list of arguments: the length, or the name of what it threw.
 * To be run in the page, after installHostileValues.
 */
export function lengthsOf(calls: readonly Arguments[]): (number | string)[] {
  const { revived, sealwright } = globalThis as unknown as {
    readonly revived: (value: unknown) => unknown;
    readonly sealwright: { sealedLength(...args: unknown[]): number };
  };
  return calls.map((args) => {
    const values = args.map(revived);
    try {
      return sealwright.sealedLength(...values);
    } catch (error) {
      return (error as Error).name;
    }
  });
}
