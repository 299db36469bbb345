import type { Call } from '../../rpc/call.ts';
import { SIGNATURE_NAMES } from '../../crypto/post-quantum.ts';
import { bytesOf, SubtleKey, type Usage } from '../../subtle/key.ts';
import type { SubtleParams } from '../../subtle/params.ts';
import { storedKey, type StoredKey } from '../../subtle/stored-key.ts';
import { Subtle } from '../../subtle/subtle.ts';
import { canonicalName } from '../../subtle/webidl/normalize.ts';
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
} from './effort.ts';
import { isRsa, KEM_EFFORT_MS, publicKeyEffort, signEffort } from './effort.ts';
import { subtleError } from './errors.ts';
import { ORDERED_RANDOM_BYTES, storedKeys } from './worker-order.ts';
import type { SubtleOrder, SubtleWorker } from './worker-order.ts';

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
/** Randomness of one signature at most (`SIGNATURES`). */
const MAX_SIGNING_BYTES = 32;
/** Less than this is not charged. */
const CHARGED_FROM_MS = 1;

/** What works of `subtle` are done with. */
export interface SubtleWorkDeps {
  readonly now: () => number;
  readonly limits: Pick<Limits, 'spend'>;
  readonly pageWork: PageWork;
  readonly subtleWorker: SubtleWorker;
}

/** The call that a work is for, and what ends it: the call itself, or the grant that it uses. */
export interface WorkFor {
  readonly call: Call;
  readonly ended: { readonly signal: AbortSignal };
}

interface Work<T> {
  readonly effortMs: number;
  /** Done by the platform's own threads: in place it blocks no other call. */
  readonly isPlatforms: boolean;
  readonly here: () => Promise<T>;
  readonly order: () => Promise<SubtleOrder>;
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
 * much of it, work of the platform on its threads, all other in a worker, where the call's end
 * terminates it.
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
    algorithm: SubtleParams,
    key: SubtleKey,
    length: number | null,
  ): Promise<Uint8Array> {
    const subtle = new Subtle(runtime);
    return this.#done<Uint8Array>(of, {
      effortMs: deriveEffort(algorithm, key, length),
      isPlatforms: isPlatformDerivation(runtime, algorithm, key, length),
      here: async () => new Uint8Array(await subtle.deriveBits(algorithm, key, length)),
      order: async () => ({
        operation: 'deriveBits',
        ...(await ordered(algorithm, runtime)),
        key: await storedKey(key, runtime),
        length,
      }),
    });
  }

  async deriveKey(
    of: WorkFor,
    runtime: Runtime,
    algorithm: SubtleParams,
    key: SubtleKey,
    wanted: {
      readonly derivedKeyType: SubtleParams;
      readonly extractable: boolean;
      readonly usages: readonly Usage[];
    },
  ): Promise<readonly StoredKey[]> {
    const subtle = new Subtle(runtime);
    const { derivedKeyType, extractable, usages } = wanted;
    const bits = derivedKeyBits(derivedKeyType);
    const args = [derivedKeyType, extractable, usages] as const;
    return this.#done<readonly StoredKey[]>(of, {
      effortMs: deriveEffort(algorithm, key, bits),
      isPlatforms: isPlatformDerivation(runtime, algorithm, key, bits),
      here: async () => storedKeys(await subtle.deriveKey(algorithm, key, ...args), runtime),
      order: async () => ({
        operation: 'deriveKey',
        ...(await ordered(algorithm, runtime)),
        key: await storedKey(key, runtime),
        ...wanted,
      }),
    });
  }

  async generateKey(
    of: WorkFor,
    runtime: Runtime,
    algorithm: SubtleParams,
    wanted: { readonly extractable: boolean; readonly usages: readonly Usage[] },
  ): Promise<readonly StoredKey[]> {
    const subtle = new Subtle(runtime);
    const { extractable, usages } = wanted;
    return this.#done<readonly StoredKey[]>(of, {
      effortMs: generateEffort(algorithm),
      isPlatforms: isRsa(canonicalName(algorithm)),
      here: async () =>
        storedKeys(await subtle.generateKey(algorithm, extractable, usages), runtime),
      order: async () => ({
        operation: 'generateKey',
        ...(await ordered(algorithm, runtime)),
        ...wanted,
        random: runtime.random.bytes(ORDERED_RANDOM_BYTES),
      }),
    });
  }

  async digest(
    of: WorkFor,
    runtime: Runtime,
    algorithm: SubtleParams,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array> {
    const subtle = new Subtle(runtime);
    return this.#done<Uint8Array>(of, {
      effortMs: digestEffort(algorithm),
      isPlatforms: false,
      here: async () => new Uint8Array(await subtle.digest(algorithm, data)),
      order: () => Promise.resolve({ operation: 'digest', algorithm, data }),
    });
  }

  async sign(
    of: WorkFor,
    runtime: Runtime,
    algorithm: SubtleParams,
    key: SubtleKey,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array> {
    const subtle = new Subtle(runtime);
    return this.#done<Uint8Array>(of, {
      effortMs: signEffort(algorithm, key, 'sign'),
      isPlatforms: isPlatformSignature(runtime, key),
      here: async () => new Uint8Array(await subtle.sign(algorithm, key, data)),
      order: async () => ({
        operation: 'sign',
        ...(await ordered(algorithm, runtime)),
        key: await storedKey(key, runtime),
        data,
        random: runtime.random.bytes(MAX_SIGNING_BYTES),
      }),
    });
  }

  async verify(
    of: WorkFor,
    runtime: Runtime,
    algorithm: SubtleParams,
    key: SubtleKey,
    signed: {
      readonly signature: Uint8Array<ArrayBuffer>;
      readonly data: Uint8Array<ArrayBuffer>;
    },
  ): Promise<boolean> {
    const subtle = new Subtle(runtime);
    return this.#done<boolean>(of, {
      effortMs: signEffort(algorithm, key, 'verify'),
      isPlatforms: isPlatformSignature(runtime, key),
      here: () => subtle.verify(algorithm, key, signed.signature, signed.data),
      order: async () => ({
        operation: 'verify',
        ...(await ordered(algorithm, runtime)),
        key: await storedKey(key, runtime),
        ...signed,
      }),
    });
  }

  async getPublicKey(
    of: WorkFor,
    runtime: Runtime,
    key: SubtleKey,
    usages: readonly Usage[],
  ): Promise<readonly StoredKey[]> {
    const subtle = new Subtle(runtime);
    return this.#done<readonly StoredKey[]>(of, {
      effortMs: publicKeyEffort(key),
      isPlatforms: false,
      here: async () => storedKeys(await subtle.getPublicKey(key, usages), runtime),
      order: async () => ({
        operation: 'getPublicKey',
        algorithm: { name: key.algorithm.name },
        key: await storedKey(key, runtime),
        usages,
      }),
    });
  }

  /** Charges an encapsulation or decapsulation to the origin; it is short enough to be done in place. */
  chargeKem({ call }: WorkFor): void {
    this.#deps.limits.spend(pageCall(call).origin, KEM_EFFORT_MS);
  }

  async #done<T extends Uint8Array | readonly StoredKey[] | boolean>(
    { call, ended }: WorkFor,
    { effortMs, isPlatforms, here, order }: Work<T>,
  ): Promise<T> {
    const { limits, pageWork, subtleWorker } = this.#deps;
    const { origin } = pageCall(call);
    if (effortMs >= CHARGED_FROM_MS) limits.spend(origin, effortMs);
    const isShortPlatforms = isPlatforms && effortMs <= IN_PLACE.effortMs;
    if (isShortPlatforms || (!isPlatforms && this.#inPlace.take(effortMs))) return here();
    return pageWork.run({ origin, signal: ended.signal }, async (signal) => {
      if (isPlatforms) return here();
      const answer = await subtleWorker(await order(), signal);
      if ('value' in answer) return answer.value as T;
      const { name, message } = answer.error;
      throw name === 'TypeError' ? new TypeError(message) : subtleError(name, message);
    });
  }
}

/**
 * Whether WebCrypto derives, in its own threads. It refuses an empty secret in some browsers, and has
 * no SHA-3; measured thresholds have no derivations.
 */
function isPlatformDerivation(
  { registry, engine }: Runtime,
  algorithm: SubtleParams,
  key: SubtleKey,
  lengthBits: number | null,
): boolean {
  const name = canonicalName(algorithm);
  const kdf = (['PBKDF2', 'HKDF'] as const).find((one) => one === name);
  if (kdf === undefined || !/^SHA-(1|256|384|512)$/.test(hashNameOf(algorithm))) return false;
  if (bytesOf(key).length === 0) return false;
  return registry.choose(kdf, (lengthBits ?? 0) / 8, engine) === 'native';
}

/** Whether WebCrypto signs and verifies, in its own threads. */
function isPlatformSignature({ registry, engine }: Runtime, { algorithm }: SubtleKey): boolean {
  const name = SIGNATURE_NAMES.find((one) => one === algorithm.name);
  return name !== undefined && registry.choose(name, 0, engine) === 'native';
}

/** Keys cannot be sent as they are. */
async function ordered(algorithm: SubtleParams, runtime: Runtime) {
  const { public: publicKey, ...rest } = algorithm;
  if (!(publicKey instanceof SubtleKey)) return { algorithm };
  return { algorithm: rest, publicKey: await storedKey(publicKey, runtime) };
}
