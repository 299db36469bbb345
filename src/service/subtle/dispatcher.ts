import type { RandomSource } from '../../random/contract.ts';
import type { Call } from '../../rpc/call.ts';
import type { WireParam } from '../../rpc/methods/subtle-values.ts';
import type { ThresholdRow } from '../../rpc/thresholds.ts';
import { NoWorker, WorkshopFailed } from '../../rpc/workshop.ts';
import type { InputOf, OutputOf, SubtleOperation, Workshop } from '../../rpc/workshop.ts';
import type { StoredKey } from '../../subtle/stored-key.ts';
import { pageCall } from '../calls/caller.ts';
import { PageWork, type PageWorkDeps } from '../calls/page-work.ts';
import type { Limits } from '../calls/rate-limits.ts';
import type { ThreadShare } from '../calls/thread-share.ts';
import type { Engines } from '../engines/engines.ts';
import { effortOf } from './effort.ts';
import { subtleError } from './errors.ts';
import { storedPart } from './key-record.ts';
import { checkMade, type Making } from './made-keys.ts';
import { plainKey } from './plain-keys.ts';
import { PlatformCalls } from './platform-calls.ts';
import type { GivenKey, KeyUse, SubtleKeys } from './subtle-keys.ts';

type Params<M extends SubtleOperation> = InputOf<M>['params'];
type Secrets = InputOf<SubtleOperation>['secrets'];

/** The parameters of each method that name a key, its own first, and what the method does with them. */
const USES: Readonly<Record<SubtleOperation, Readonly<Record<string, KeyUse>>>> = {
  'subtle.decapsulateBits': { key: 'decapsulateBits' },
  'subtle.decapsulateKey': { key: 'decapsulateKey' },
  'subtle.decrypt': { key: 'decrypt' },
  'subtle.deriveBits': { baseKey: 'deriveBits' },
  'subtle.deriveKey': { baseKey: 'deriveKey' },
  'subtle.digest': {},
  'subtle.encapsulateBits': { key: 'encapsulateBits' },
  'subtle.encapsulateKey': { key: 'encapsulateKey' },
  'subtle.encrypt': { key: 'encrypt' },
  'subtle.exportKey': { key: 'export' },
  'subtle.generateKey': {},
  'subtle.getPublicKey': { key: 'publicHalf' },
  'subtle.importKey': {},
  'subtle.sign': { key: 'sign' },
  'subtle.unwrapKey': { unwrappingKey: 'unwrapKey' },
  'subtle.verify': { key: 'verify' },
  'subtle.wrapKey': { key: 'export', wrappingKey: 'wrapKey' },
};

/** The methods that draw random bytes: signatures are hedged. */
const DRAWING: readonly SubtleOperation[] = [
  ...(['subtle.generateKey', 'subtle.sign'] as const),
  ...(['subtle.encapsulateBits', 'subtle.encapsulateKey'] as const),
];
const SEED_BYTES = 32;
const FAILED = 'The operation failed in its worker';

/** A longer work waits for its turn among those of all origins. */
export const SHORT_MS = 8;

/** What the dispatcher is built from. */
export interface DispatcherDeps extends PageWorkDeps {
  readonly engines: Pick<Engines, 'cardFor'>;
  readonly subtleKeys: SubtleKeys;
  readonly limits: Pick<Limits, 'spend'>;
  readonly workshop: Workshop;
  /** The turns of pages at work that is not long. */
  readonly shortWork: PageWork;
  /** What pages' bytes have of this thread. */
  readonly threadShare: ThreadShare;
  /** For the seeds of operations that draw. */
  readonly random: RandomSource;
}

/**
 * The one way from a call of a page's `subtle` to the code that does it. Here a call is priced (effort.ts) and
 * charged to its origin, and gets the keys that it names. What needs no more than bytes as they are is done at once
 * (platform-calls.ts, plain-keys.ts); parameters, key data and algorithms are read in the origin's own workshop, which
 * the call's end ends. Keys that come back are checked against what was asked for (made-keys.ts).
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #platform: PlatformCalls;
  readonly #long: PageWork;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#platform = new PlatformCalls(deps.threadShare);
    this.#long = new PageWork(deps);
  }

  /**
   * @throws as the operation does; OperationError (DOMException) where its worker failed, NotSupportedError where
   *   none can be started; SealwrightError QUOTA, and what the grant of a key throws
   */
  async run<M extends SubtleOperation>(
    method: M,
    params: Params<M>,
    call: Call,
  ): Promise<OutputOf<M>> {
    const { engines, subtleKeys, limits, random, shortWork } = this.#deps;
    const { origin } = pageCall(call);
    const used = await subtleKeys.used(usesIn(method, params), call);
    const ofKeys = used.map(({ record }) => record);
    const effortMs = effortOf(method, params, ofKeys);
    limits.spend(origin, effortMs);
    const plain = plainKey(method, params, random);
    if (plain !== undefined) return plain as OutputOf<M>;
    return subtleKeys.withKeys(used, call, async (keys, ended) => {
      const card = await engines.cardFor('data' in params ? params.data.length : 0);
      const asking = { origin, signal: ended.signal };
      const key = keys[0]?.key;
      const done = card ? undefined : await this.#platform.attempt(asking, method, params, key);
      if (done !== undefined) return done as OutputOf<M>;
      const queue = effortMs > SHORT_MS ? this.#long : shortWork;
      return queue.run(asking, (ending) =>
        this.#inWorkshop(origin, method, params, secretsFor(keys, card), ending),
      );
    });
  }

  /** The same for methods that make keys. @throws OperationError (DOMException) where others came back */
  async make<M extends Exclude<Making, 'subtle.encapsulateKey'>>(
    method: M,
    params: Params<M>,
    call: Call,
  ): Promise<readonly StoredKey[]> {
    const made = await this.run(method, params, call);
    return failing(() => checkMade(method, params, made));
  }

  /** The same for a shared key and its ciphertext. */
  async encapsulate(
    params: Params<'subtle.encapsulateKey'>,
    call: Call,
  ): Promise<OutputOf<'subtle.encapsulateKey'>> {
    const made = await this.run('subtle.encapsulateKey', params, call);
    failing(() => checkMade('subtle.encapsulateKey', params, [made.sharedKey]));
    return made;
  }

  async #inWorkshop<M extends SubtleOperation>(
    origin: string,
    method: M,
    params: Params<M>,
    secrets: Secrets,
    signal: AbortSignal,
  ): Promise<OutputOf<M>> {
    const { random, workshop } = this.#deps;
    const seed = DRAWING.includes(method) && { seed: random.bytes(SEED_BYTES) };
    const input = { secrets: { ...secrets, ...seed }, params } as InputOf<M>;
    return workshop.call(`origin ${origin}`, method, input, { signal }).catch(asSubtleError);
  }
}

function secretsFor(keys: readonly GivenKey[], card?: readonly ThresholdRow[]): Secrets {
  const given = keys.map(({ handle, key }) => ({ handle, key: storedPart(key) }));
  return { keys: given, ...(card && { card: [...card] }) };
}

function failing<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    return asSubtleError(error);
  }
}

function asSubtleError(error: unknown): never {
  if (error instanceof NoWorker) throw subtleError('NotSupportedError', error.message);
  if (error instanceof WorkshopFailed) throw subtleError('OperationError', FAILED);
  throw error;
}

/** The keys that parameters name, by their handles, and what is done with them. */
function usesIn<M extends SubtleOperation>(
  method: M,
  params: Params<M>,
): ReadonlyMap<string, readonly KeyUse[]> {
  const named = Object.entries(USES[method]).map(([name, use]) => {
    return [(params as Readonly<Record<string, unknown>>)[name] as string, use] as const;
  });
  const uses = new Map<string, readonly KeyUse[]>();
  for (const [handle, use] of [...named, ...peersIn(params)]) {
    uses.set(handle, [...(uses.get(handle) ?? []), use]);
  }
  return uses;
}

/** The keys in the algorithms among parameters. */
function peersIn(params: object): (readonly [string, KeyUse])[] {
  const algorithms = Object.values(params).filter(
    (value): value is Readonly<Record<string, WireParam>> =>
      typeof value === 'object' && value !== null && 'name' in value,
  );
  return algorithms.flatMap((algorithm) =>
    Object.values(algorithm).flatMap((value) =>
      typeof value === 'object' && value !== null && 'key' in value
        ? [[value.key, 'peer'] as const]
        : [],
    ),
  );
}
