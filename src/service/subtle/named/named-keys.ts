import { toBase64url, wipe } from '../../../crypto/bytes.ts';
import type { Call } from '../../../rpc/call.ts';
import { SealwrightError } from '../../../rpc/errors.ts';
import type { InputOf } from '../../../rpc/workshop.ts';
import type { Usage } from '../../../subtle/key.ts';
import type { StoredKey } from '../../../subtle/stored-key.ts';
import { pageCall } from '../../calls/caller.ts';
import type { InFlightCalls } from '../../calls/in-flight.ts';
import type { Ask } from '../../grants/grant-rules.ts';
import type { Grants } from '../../grants/grants.ts';
import { subtleError } from '../errors.ts';
import type { NamedKey, WithStored } from '../key-record.ts';
import { JOSE_KEYS } from './jose-keys.ts';
import type {
  DerivationDeps,
  KeyOfSite,
  NamedAlgorithms,
  NamedImport,
} from './named-algorithms.ts';
import { SECRET_KEYS } from './secret-keys.ts';

/** By algorithm: the first that has it. Symmetric algorithms are all others. */
const ALGORITHMS: readonly NamedAlgorithms[] = [JOSE_KEYS, SECRET_KEYS];

/** What keys of the user in `subtle` need. */
export interface NamedKeysDeps extends DerivationDeps {
  readonly grants: Grants;
  readonly inFlightCalls: InFlightCalls;
}

/**
 * Keys that the user owns, in `subtle`: `importKey('sealwright', keyId, algorithm, false, usages)`.
 * What works is a key of its own, derived from the named key by origin, algorithm and length: a secret
 * one for symmetric algorithms, or a private one for those of JOSE, for which only keys of that kind can
 * be granted. It is derived for each use, under the grant, and never stored.
 */
export class NamedKeys {
  readonly #deps: NamedKeysDeps;

  constructor(deps: NamedKeysDeps) {
    this.#deps = deps;
  }

  /**
   * @param like a key of the same algorithm and usages, without a secret: what `exampleFor` gives, imported
   * @throws SealwrightError NOT_GRANTED, EXPIRED; InvalidAccessError (DOMException) where `open` is missing to
   *   encrypt
   */
  async imported(request: NamedImport, like: StoredKey, call: Call): Promise<NamedKey> {
    const { keyId, algorithm, usages } = request;
    const { name } = like.algorithm;
    const { scope, origin, ref } = await this.#keyOf(keyId, call);
    for (const usage of usages) {
      const asks = asksFor(usage, name, { scope, ref });
      await this.#explained(asks, name, async () => {
        for (const ask of asks) await this.#deps.grants.requireInTime(ask);
      });
    }
    const { generation } = algorithm;
    const asked = generation === undefined ? undefined : toGeneration(generation);
    const kept = await algorithmsOf(name).imported(request, { ref, origin }, asked, this.#deps);
    const info = { algorithm: like.algorithm, usages: like.usages, keyId };
    return { extractable: false, ...info, ...kept } as NamedKey;
  }

  /** Takes one use of the grant. Ends when the grant does, or the vault locks. */
  async withStored<T>(named: NamedKey, usage: Usage, call: Call, work: WithStored<T>): Promise<T> {
    const { keyId, algorithm, usages } = named;
    if (!usages.includes(usage)) {
      throw subtleError('InvalidAccessError', `The key's usages lack ${usage}`);
    }
    const { grants, inFlightCalls } = this.#deps;
    const { page, scope, origin, ref } = await this.#keyOf(keyId, call);
    const asks = asksFor(usage, algorithm.name, { scope, ref });
    const used = await this.#explained(asks, algorithm.name, () => grants.useAll(asks, page));
    return inFlightCalls.run(used, call, async (inFlight) =>
      work(await this.#derived(named, { ref, origin }), inFlight),
    );
  }

  /**
   * For the public half of a private key. Takes no use of the grant: signatures show as much.
   *
   * @throws SealwrightError NOT_GRANTED, EXPIRED; InvalidAccessError (DOMException) for a secret key
   */
  async withPublicHalf<T>(named: NamedKey, call: Call, work: WithStored<T>): Promise<T> {
    const { name } = named.algorithm;
    const capability = algorithmsOf(name).publicHalf?.(name);
    if (capability === undefined) {
      throw subtleError('InvalidAccessError', 'The key is the user’s, and not extractable');
    }
    const { grants, inFlightCalls } = this.#deps;
    const { page, scope, origin, ref } = await this.#keyOf(named.keyId, call);
    const grant = await grants.requireLook({ scope, ref, capability }, page);
    return inFlightCalls.run(grant, call, async (inFlight) =>
      work(await this.#derived(named, { ref, origin }), inFlight),
    );
  }

  async #keyOf(keyId: string, call: Call) {
    const page = pageCall(call);
    const { scope, origin } = page;
    const ref = (await this.#deps.keyRing.refOf(keyId, origin)) ?? '';
    return { page, scope, origin, ref };
  }

  async #derived(named: NamedKey, key: KeyOfSite): Promise<StoredKey> {
    const { type, extractable, algorithm, usages } = named;
    const algorithms = algorithmsOf(algorithm.name);
    const bytes = await algorithms.derived(named, key, this.#deps);
    const content = toBase64url(bytes);
    wipe(bytes);
    return { type, extractable, algorithm, usages, format: algorithms.format, content };
  }

  /** Says what is missing where `seal` is granted and does not suffice. */
  async #explained<T>(asks: readonly Ask[], algorithm: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isRefused = error instanceof SealwrightError && error.code === 'NOT_GRANTED';
      const [seal, ...others] = asks;
      const sealsOnly = isRefused && others.length > 0 && (await this.#deps.grants.holds(seal!));
      if (!sealsOnly) throw error;
      const reason = `to encrypt with ${algorithm} is to decrypt too, as the page chooses the IV`;
      throw subtleError('InvalidAccessError', `Ask for seal and open: ${reason}`);
    }
  }
}

/**
 * A key without a secret, whose import checks what a request asks for.
 *
 * @throws SyntaxError, OperationError, NotSupportedError (DOMException) for what no key of the user has
 */
export async function exampleFor(
  request: NamedImport,
): Promise<InputOf<'subtle.importKey'>['params']> {
  const { algorithm, extractable, usages } = request;
  if (extractable) throw subtleError('SyntaxError', 'A key of the user is never extractable');
  const algorithms = algorithmsOf(algorithm.name);
  const example = await algorithms.example(request, algorithms.nameOf(algorithm.name)!);
  return { algorithm, extractable, usages: [...usages], ...example };
}

/** @param name in any case */
function algorithmsOf(name: string): NamedAlgorithms {
  return ALGORITHMS.find((each) => each.nameOf(name) !== undefined)!;
}

function asksFor(usage: Usage, algorithm: string, key: Pick<Ask, 'scope' | 'ref'>): readonly Ask[] {
  const capabilities = algorithmsOf(algorithm).capabilities(algorithm, usage);
  return capabilities.map((capability) => ({ ...key, capability }));
}

function toGeneration(value: unknown): number {
  const generation = Number(value);
  if (Number.isSafeInteger(generation) && generation > 0) return generation;
  throw new TypeError('generation must be a positive integer');
}
