import type { Call } from '../../rpc/call.ts';
import type { WireAlgorithm, WireParam } from '../../rpc/methods/subtle-values.ts';
import { NoWorker } from '../../rpc/workshop.ts';
import type { InputOf, Operation, OutputOf, Workshop } from '../../rpc/workshop.ts';
import { SIGNATURE_NAMES } from '../../crypto/post-quantum.ts';
import { bytesOf, type SubtleKey } from '../../subtle/key.ts';
import type { SubtleParams } from '../../subtle/params.ts';
import { storedKey, storedKeys, type StoredKey } from '../../subtle/stored-key.ts';
import { Subtle } from '../../subtle/subtle.ts';
import { canonicalName } from '../../subtle/normalize.ts';
import type { Runtime } from '../../subtle/runtime.ts';
import { pageCall } from '../calls/caller.ts';
import type { PageWork } from '../calls/page-work.ts';
import { refilled, type Limits } from '../calls/rate-limits.ts';
import {
  deriveEffort,
  derivedKeyBits,
  digestEffort,
  generateEffort,
  hashNameOf,
  KEM_EFFORT_MS,
  publicKeyEffort,
  signEffort,
} from './effort.ts';
import { own } from '../../workshop/subtle-arguments.ts';
import { subtleError } from './errors.ts';

/** How many ms of work are done in place, on the thread that all calls share. */
export const IN_PLACE = {
  /**
   * One work: others wait for it no longer than for a large message. The first of its kind takes several
   * times as long, because its code is not compiled yet.
   */
  effortMs: 8,
  /** All works together at once: a call of another site takes several turns of the event loop. */
  burstMs: 24,
  /** What is regained in a second. */
  perSecondMs: 60,
} as const;
const IN_PLACE_BUCKET = { burst: IN_PLACE.burstMs, perMs: IN_PLACE.perSecondMs / 1000 };
/** What the workshop's generator is seeded with. */
const SEED_BYTES = 32;
/** Less than this is not charged. */
const CHARGED_FROM_MS = 1;

/** What works of `subtle` are done with. */
export interface SubtleWorkDeps {
  readonly now: () => number;
  readonly limits: Pick<Limits, 'spend'>;
  readonly pageWork: PageWork;
  readonly workshop: Workshop;
}

/** The call that a work is for, and what ends it: the call itself, or the grant that it uses. */
export interface WorkFor {
  readonly call: Call;
  readonly ended: { readonly signal: AbortSignal };
}

/** A key as it is handed to the workshop. */
export interface HandedKey {
  readonly handle: string;
  readonly key: StoredKey;
}

/** An operation of `subtle` that the workshop has. */
export type SubtleOperation = Extract<Operation, `subtle.${string}`>;
/** The parameters as the page sent them. */
export type ParamsFor<M extends SubtleOperation> = InputOf<M>['params'];

interface Work<M extends SubtleOperation> {
  readonly effortMs: number;
  /** Done by the platform's own threads: in place it blocks no other call. */
  readonly isPlatforms: boolean;
  readonly here: () => Promise<OutputOf<M>>;
  /** By the handles that the parameters have for them. */
  readonly keys: readonly (readonly [string, SubtleKey])[];
  /** Whether it draws random bytes. */
  readonly draws?: boolean;
}

/** Which short works are done in place. */
class InPlaceBudget {
  readonly #now: () => number;
  #leftMs: number = IN_PLACE.burstMs;
  #refilledAt: number;

  /** @param now a clock in ms; a clock set back gives and takes nothing */
  constructor(now: () => number) {
    this.#now = now;
    this.#refilledAt = now();
  }

  /** Whether the work is done in place; it is charged then. */
  take(effortMs: number): boolean {
    if (effortMs > IN_PLACE.effortMs) return false;
    if (effortMs < CHARGED_FROM_MS) return true;
    const now = this.#now();
    this.#leftMs = refilled(this.#leftMs, now - this.#refilledAt, IN_PLACE_BUCKET);
    this.#refilledAt = now;
    if (effortMs > this.#leftMs) return false;
    this.#leftMs -= effortMs;
    return true;
  }
}

/**
 * The operations of `subtle` that may take long. Each is priced first (effort.ts): what is above the
 * bound is refused, the rest charged to the origin. Short work is done in place, as long as there is not
 * much of it, work of the platform on its threads, all other in the workshop, where the call's end
 * ends it.
 */
export class SubtleWork {
  readonly #deps: SubtleWorkDeps;
  readonly #inPlace: InPlaceBudget;

  constructor(deps: SubtleWorkDeps) {
    this.#deps = deps;
    this.#inPlace = new InPlaceBudget(deps.now);
  }

  async deriveBits(
    of: WorkFor,
    runtime: Runtime,
    params: ParamsFor<'subtle.deriveBits'>,
    algorithm: SubtleParams,
    key: SubtleKey,
  ): Promise<Uint8Array> {
    const subtle = new Subtle(runtime);
    const { baseKey, length } = params;
    return this.#done(of, runtime, 'subtle.deriveBits', params, {
      effortMs: deriveEffort(algorithm, key, length),
      isPlatforms: isPlatformDerivation(runtime, algorithm, key, length),
      here: async () => new Uint8Array(await subtle.deriveBits(algorithm, key, length)),
      keys: [[baseKey, key], ...keysIn(params.algorithm, algorithm)],
    });
  }

  async deriveKey(
    of: WorkFor,
    runtime: Runtime,
    params: ParamsFor<'subtle.deriveKey'>,
    algorithm: SubtleParams,
    derivedKeyType: SubtleParams,
    key: SubtleKey,
  ): Promise<readonly StoredKey[]> {
    const subtle = new Subtle(runtime);
    const { baseKey, extractable, usages } = params;
    const bits = derivedKeyBits(derivedKeyType);
    const args = [derivedKeyType, extractable, usages] as const;
    return this.#done(of, runtime, 'subtle.deriveKey', params, {
      effortMs: deriveEffort(algorithm, key, bits),
      isPlatforms: isPlatformDerivation(runtime, algorithm, key, bits),
      here: async () => storedKeys(await subtle.deriveKey(algorithm, key, ...args), runtime),
      keys: [
        [baseKey, key],
        ...keysIn(params.algorithm, algorithm),
        ...keysIn(params.derivedKeyType, derivedKeyType),
      ],
    });
  }

  async generateKey(
    of: WorkFor,
    runtime: Runtime,
    params: ParamsFor<'subtle.generateKey'>,
    algorithm: SubtleParams,
  ): Promise<readonly StoredKey[]> {
    const subtle = new Subtle(runtime);
    const { extractable, usages } = params;
    return this.#done(of, runtime, 'subtle.generateKey', params, {
      effortMs: generateEffort(algorithm),
      isPlatforms: false,
      here: async () =>
        storedKeys(await subtle.generateKey(algorithm, extractable, usages), runtime),
      keys: keysIn(params.algorithm, algorithm),
      draws: true,
    });
  }

  async digest(
    of: WorkFor,
    runtime: Runtime,
    params: ParamsFor<'subtle.digest'>,
    algorithm: SubtleParams,
  ): Promise<Uint8Array> {
    const subtle = new Subtle(runtime);
    return this.#done(of, runtime, 'subtle.digest', params, {
      effortMs: digestEffort(algorithm),
      isPlatforms: false,
      here: async () => new Uint8Array(await subtle.digest(algorithm, own(params.data))),
      keys: keysIn(params.algorithm, algorithm),
    });
  }

  async sign(
    of: WorkFor,
    runtime: Runtime,
    params: ParamsFor<'subtle.sign'>,
    algorithm: SubtleParams,
    key: SubtleKey,
  ): Promise<Uint8Array> {
    const subtle = new Subtle(runtime);
    return this.#done(of, runtime, 'subtle.sign', params, {
      effortMs: signEffort(algorithm, key, 'sign'),
      isPlatforms: isPlatformSignature(runtime, key),
      here: async () => new Uint8Array(await subtle.sign(algorithm, key, own(params.data))),
      keys: [[params.key, key], ...keysIn(params.algorithm, algorithm)],
      draws: true, // signatures are hedged
    });
  }

  async verify(
    of: WorkFor,
    runtime: Runtime,
    params: ParamsFor<'subtle.verify'>,
    algorithm: SubtleParams,
    key: SubtleKey,
  ): Promise<boolean> {
    const subtle = new Subtle(runtime);
    return this.#done(of, runtime, 'subtle.verify', params, {
      effortMs: signEffort(algorithm, key, 'verify'),
      isPlatforms: isPlatformSignature(runtime, key),
      here: () => subtle.verify(algorithm, key, own(params.signature), own(params.data)),
      keys: [[params.key, key], ...keysIn(params.algorithm, algorithm)],
    });
  }

  async getPublicKey(
    of: WorkFor,
    runtime: Runtime,
    params: ParamsFor<'subtle.getPublicKey'>,
    key: SubtleKey,
  ): Promise<readonly StoredKey[]> {
    const subtle = new Subtle(runtime);
    return this.#done(of, runtime, 'subtle.getPublicKey', params, {
      effortMs: publicKeyEffort(key),
      isPlatforms: false,
      here: async () => storedKeys(await subtle.getPublicKey(key, params.usages), runtime),
      keys: [[params.key, key]],
    });
  }

  /** Charges an encapsulation or decapsulation to the origin; it is short enough to be done in place. */
  chargeKem({ call }: WorkFor): void {
    this.#deps.limits.spend(pageCall(call).origin, KEM_EFFORT_MS);
  }

  /** Charges an operation, and has it done in the workshop, with keys that are not set up here. */
  async elsewhere<M extends SubtleOperation>(
    { call, ended }: WorkFor,
    operation: M,
    params: ParamsFor<M>,
    keys: readonly HandedKey[],
    effortMs: number,
  ): Promise<OutputOf<M>> {
    const { limits, pageWork } = this.#deps;
    const { origin } = pageCall(call);
    if (effortMs >= CHARGED_FROM_MS) limits.spend(origin, effortMs);
    return pageWork.run({ origin, signal: ended.signal }, (signal) =>
      this.#inWorkshop(origin, operation, params, { keys: [...keys] }, signal),
    );
  }

  async #done<M extends SubtleOperation>(
    { call, ended }: WorkFor,
    runtime: Runtime,
    operation: M,
    params: ParamsFor<M>,
    { effortMs, isPlatforms, here, keys, draws = false }: Work<M>,
  ): Promise<OutputOf<M>> {
    const { limits, pageWork } = this.#deps;
    const { origin } = pageCall(call);
    if (effortMs >= CHARGED_FROM_MS) limits.spend(origin, effortMs);
    const isShortPlatforms = isPlatforms && effortMs <= IN_PLACE.effortMs;
    if (isShortPlatforms || (!isPlatforms && this.#inPlace.take(effortMs))) return here();
    return pageWork.run({ origin, signal: ended.signal }, async (signal) => {
      if (isPlatforms) return here();
      const given = await Promise.all(keys.map((pair) => givenKey(pair, runtime)));
      const secrets = { keys: given, ...(draws && { seed: runtime.random.bytes(SEED_BYTES) }) };
      return this.#inWorkshop(origin, operation, params, secrets, signal);
    });
  }

  #inWorkshop<M extends SubtleOperation>(
    origin: string,
    operation: M,
    params: ParamsFor<M>,
    secrets: InputOf<SubtleOperation>['secrets'],
    signal: AbortSignal,
  ): Promise<OutputOf<M>> {
    const input = { secrets, params } as InputOf<M>;
    const { workshop } = this.#deps;
    return workshop.call(`origin ${origin}`, operation, input, { signal }).catch(asSubtleError);
  }
}

/**
 * Whether WebCrypto derives, in its own threads. It refuses an empty secret in some browsers, and has
 * no SHA-3; measured thresholds have no derivations. HKDF runs on the calling thread in Chromium.
 */
function isPlatformDerivation(
  { registry, engine }: Runtime,
  algorithm: SubtleParams,
  key: SubtleKey,
  lengthBits: number | null,
): boolean {
  if (canonicalName(algorithm) !== 'PBKDF2') return false;
  if (!/^SHA-(1|256|384|512)$/.test(hashNameOf(algorithm))) return false;
  if (bytesOf(key).length === 0) return false;
  return registry.choose('PBKDF2', (lengthBits ?? 0) / 8, engine) === 'native';
}

/** Whether WebCrypto signs and verifies, in its own threads. */
function isPlatformSignature({ registry, engine }: Runtime, { algorithm }: SubtleKey): boolean {
  const name = SIGNATURE_NAMES.find((one) => one === algorithm.name);
  return name !== undefined && registry.choose(name, 0, engine) === 'native';
}

/** The keys in an algorithm, by their handles. */
function keysIn(wire: WireAlgorithm, algorithm: SubtleParams): [string, SubtleKey][] {
  return Object.entries(wire as Readonly<Record<string, WireParam>>).flatMap(([name, value]) => {
    const isKey = typeof value === 'object' && value !== null && 'key' in value;
    return isKey ? [[value.key, algorithm[name as keyof SubtleParams] as SubtleKey]] : [];
  });
}

async function givenKey(
  [handle, key]: readonly [string, SubtleKey],
  runtime: Runtime,
): Promise<HandedKey> {
  return { handle, key: await storedKey(key, runtime) };
}

function asSubtleError(error: unknown): never {
  throw error instanceof NoWorker ? subtleError('NotSupportedError', error.message) : error;
}
