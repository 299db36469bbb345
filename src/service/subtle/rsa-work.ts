import type { Call } from '../../rpc/call.ts';
import type { WireAlgorithm, WireParam } from '../../rpc/methods/subtle-values.ts';
import type { OutputOf } from '../../rpc/workshop.ts';
import { canonicalName } from '../../subtle/normalize.ts';
import { isRsa, rsaEffort, type RsaPower } from './effort.ts';
import { isNamed } from './key-record.ts';
import type { SubtleKeys } from './subtle-keys.ts';
import type { ParamsFor, SubtleWork } from './subtle-work.ts';

interface Deps {
  readonly subtleKeys: SubtleKeys;
  readonly subtleWork: SubtleWork;
}

/** The operations that RSA has, and what they do with a key of it. */
const POWERS = {
  'subtle.decrypt': 'private',
  'subtle.encrypt': 'public',
  'subtle.exportKey': 'none',
  'subtle.generateKey': 'none',
  'subtle.getPublicKey': 'none',
  'subtle.importKey': 'none',
  'subtle.sign': 'private',
  'subtle.unwrapKey': 'private',
  'subtle.verify': 'public',
  'subtle.wrapKey': 'public',
} as const satisfies Record<string, RsaPower>;

type RsaOperation = keyof typeof POWERS;
type Params = Readonly<Record<string, unknown>>;

/** The members of parameters that name a key, and those that are algorithms. */
const KEYS = ['key', 'wrappingKey', 'unwrappingKey'];
const ALGORITHMS = ['algorithm', 'wrapAlgorithm', 'unwrapAlgorithm', 'unwrappedKeyAlgorithm'];

/**
 * Calls of `subtle` in which RSA takes part. In Chromium WebCrypto does them on the thread that asks: they run in
 * the workshop, which alone reads the keys' bytes.
 */
export class RsaWork {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether a call is one of them. One with a key that the user owns is not: it stays in the background. */
  async takes(params: Params, call: Call): Promise<boolean> {
    const records = await this.#deps.subtleKeys.records(handlesIn(params), call);
    if (records.some(isNamed)) return false;
    const made = [params['algorithm'], params['unwrappedKeyAlgorithm']] as (
      WireAlgorithm | undefined
    )[];
    const isMade = !('key' in params) && made.some((wire) => wire && isRsa(canonicalName(wire)));
    return isMade || records.some(({ algorithm }) => isRsa(algorithm.name));
  }

  /**
   * @param madeMs what a new pair takes beside
   * @throws as the operation does; SealwrightError QUOTA
   */
  async done<M extends RsaOperation>(
    operation: M,
    params: ParamsFor<M>,
    call: Call,
    madeMs = 0,
  ): Promise<OutputOf<M>> {
    const { subtleKeys, subtleWork } = this.#deps;
    return subtleKeys.withStored(handlesIn(params), call, (keys, ended) => {
      const known = keys.map(({ key }) => key.algorithm).filter(({ name }) => isRsa(name));
      // What is imported is priced as the largest key that may be.
      const priced = known.length > 0 ? known : [{ name: 'RSA' }];
      const efforts = priced.map((algorithm) => rsaEffort(algorithm, POWERS[operation]));
      const effortMs = efforts.reduce((sum, ms) => sum + ms, madeMs);
      return subtleWork.elsewhere({ call, ended }, operation, params, keys, effortMs);
    });
  }
}

function handlesIn(params: Params): string[] {
  const named = KEYS.flatMap((name) => (name in params ? (params[name] as string) : []));
  const inAlgorithms = ALGORITHMS.flatMap((name) =>
    Object.values((params[name] ?? {}) as Readonly<Record<string, WireParam>>).flatMap((value) =>
      typeof value === 'object' && value !== null && 'key' in value ? value.key : [],
    ),
  );
  return [...new Set([...named, ...inAlgorithms])];
}
