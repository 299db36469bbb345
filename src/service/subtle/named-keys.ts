import { encryptingDecrypts } from '../../crypto/subtle/table.ts';
import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { deriveSubtleKey } from '../../keys/ring/key-derivation.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Call } from '../../rpc/call.ts';
import type { Capability } from '../../rpc/methods/method.ts';
import type { WireAlgorithm } from '../../rpc/methods/subtle-values.ts';
import type { InputOf } from '../../rpc/workshop.ts';
import type { Usage } from '../../subtle/key.ts';
import type { StoredAlgorithm, StoredKey } from '../../subtle/stored-key.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { pageCall } from '../calls/caller.ts';
import type { InFlightCalls } from '../calls/in-flight.ts';
import type { Ask } from '../grants/grant-rules.ts';
import type { Grants } from '../grants/grants.ts';
import type { NamedKey, NamedPrivateKey, NamedSecretKey, WithStored } from './key-record.ts';
import { subtleError } from './errors.ts';
import {
  checkJoseCurve,
  exampleJoseKey,
  isJoseAlgorithm,
  joseAlgorithmOf,
  joseCapability,
  joseKey,
  type JoseAlgorithm,
} from './jose-keys.ts';
import type { P256Points } from './p256-keys.ts';

/** The usages of symmetric keys: the check of a request refuses the others. */
type NamedUsage = Exclude<Usage, `${'en' | 'de'}capsulate${'Key' | 'Bits'}`>;

/** What of a grant a usage of a symmetric key asks for; to derive gives the page bytes, as a MAC does. */
const CAPABILITY: Readonly<Record<NamedUsage, Capability>> = {
  encrypt: 'seal',
  wrapKey: 'seal',
  decrypt: 'open',
  unwrapKey: 'open',
  sign: 'mac',
  verify: 'mac',
  deriveKey: 'mac',
  deriveBits: 'mac',
};

const FIRST_GENERATION = 1;
const DEFAULT_BITS = 256;
/** HKDF-Expand gives more; no algorithm of ours has longer keys than AES-SIV. */
const MAX_BITS = 512;

/** What `importKey` of a key of the user asks for. */
export interface NamedImport {
  readonly keyId: string;
  readonly algorithm: WireAlgorithm;
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

/** What keys of the user in `subtle` need. */
export interface NamedKeysDeps {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly inFlightCalls: InFlightCalls;
  readonly points: P256Points;
}

/**
 * Keys that the user owns, in `subtle`: `importKey('sealwright', keyId, algorithm, false, usages)`.
 * What works is a key of its own, derived from the named key by origin, algorithm and length: a secret
 * one for symmetric algorithms, or a private one for those of JOSE, which only keys of that kind are
 * granted for. It is derived for each use, under the grant, and never stored.
 */
export class NamedKeys {
  readonly #deps: NamedKeysDeps;

  constructor(deps: NamedKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Stays with generation 1 of the key, unless the algorithm names another: what was encrypted can
   * be read after a rotation. Keys of JOSE stay with the newest, whose public half is published last.
   *
   * @param like a key of the same algorithm and usages, without a secret: what `exampleFor` gives, imported
   * @throws SealwrightError NOT_GRANTED, EXPIRED; InvalidAccessError (DOMException) where `open` is missing to
   *   encrypt
   */
  async imported(request: NamedImport, like: StoredKey, call: Call): Promise<NamedKey> {
    const { keyId, algorithm } = request;
    const { scope, origin } = pageCall(call);
    const ref = (await this.#deps.keyRing.refOf(keyId, origin)) ?? '';
    for (const usage of request.usages) {
      const asks = asksFor(usage, like.algorithm.name, { scope, ref });
      await this.#explained(asks, like.algorithm.name, async () => {
        for (const ask of asks) await this.#deps.grants.requireInTime(ask);
      });
    }
    const asked =
      algorithm.generation === undefined ? undefined : toGeneration(algorithm.generation);
    const info = { algorithm: like.algorithm, usages: like.usages, keyId };
    if (like.type === 'private') {
      const { key, generation } = await this.#joseGeneration(ref, origin, asked);
      wipe(key);
      return { type: 'private', extractable: false, ...info, generation };
    }
    const [generation, bits] = [asked ?? FIRST_GENERATION, bitsOf(request)];
    return { type: 'secret', extractable: false, ...info, generation, bits };
  }

  /** Takes one use of the grant. Ends when the grant does, or the vault locks. */
  async withStored<T>(named: NamedKey, usage: Usage, call: Call, work: WithStored<T>): Promise<T> {
    const { keyId, algorithm, usages } = named;
    if (!usages.includes(usage)) {
      throw subtleError('InvalidAccessError', `The key's usages lack ${usage}`);
    }
    const { grants, keyRing, inFlightCalls } = this.#deps;
    const page = pageCall(call);
    const { scope, origin } = page;
    const ref = (await keyRing.refOf(keyId, origin)) ?? '';
    const asks = asksFor(usage, algorithm.name, { scope, ref });
    const used = await this.#explained(asks, algorithm.name, () => grants.useAll(asks, page));
    const grantIds = used.map(({ id }) => id);
    return inFlightCalls.run(grantIds, call, async (inFlight) => {
      const key =
        named.type === 'private'
          ? await this.#privateKey(named, ref, origin)
          : await this.#secretKey(named, ref, origin);
      return work(key, inFlight);
    });
  }

  /**
   * For the public half of a private key. Takes no use of the grant: signatures show as much.
   *
   * @throws SealwrightError NOT_GRANTED, EXPIRED; InvalidAccessError (DOMException) for a secret key
   */
  async withPublicHalf<T>(named: NamedKey, call: Call, work: WithStored<T>): Promise<T> {
    if (named.type !== 'private') {
      throw subtleError('InvalidAccessError', 'The key is the user’s, and not extractable');
    }
    const { grants, keyRing, inFlightCalls } = this.#deps;
    const page = pageCall(call);
    const { scope, origin } = page;
    const ref = (await keyRing.refOf(named.keyId, origin)) ?? '';
    const capability = joseCapability(named.algorithm.name as JoseAlgorithm);
    const grant = await grants.requireLook({ scope, ref, capability }, page);
    return inFlightCalls.run(grant.id, call, async (inFlight) =>
      work(await this.#privateKey(named, ref, origin), inFlight),
    );
  }

  async #secretKey(
    { type, extractable, algorithm, usages, generation, bits }: NamedSecretKey,
    ref: string,
    origin: string,
  ): Promise<StoredKey> {
    const named = await this.#deps.keyRing.keyOfGeneration(ref, origin, generation);
    if (!named) throw noSuchGeneration();
    const bytes = deriveSubtleKey(named, { origin, algorithm: labelOf(algorithm), bits });
    const content = toBase64url(bytes);
    wipe(named, bytes);
    return { type, extractable, algorithm, usages, format: 'bytes', content };
  }

  async #privateKey(
    { type, extractable, algorithm, usages, generation }: NamedPrivateKey,
    ref: string,
    origin: string,
  ): Promise<StoredKey> {
    const { key } = await this.#joseGeneration(ref, origin, generation);
    const name = algorithm.name as JoseAlgorithm;
    const { points } = this.#deps;
    const pkcs8 = await joseKey(key, origin, name, points.of).finally(() => wipe(key));
    const content = toBase64url(pkcs8);
    wipe(pkcs8);
    return { type, extractable, algorithm, usages, format: 'pkcs8', content };
  }

  async #joseGeneration(ref: string, origin: string, generation: number | undefined) {
    const found = await this.#deps.keyRing.joseKey(ref, origin, generation);
    if (!found) throw noSuchGeneration();
    return found;
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
  const asked = { algorithm, extractable, usages: [...usages] };
  const jose = joseAlgorithmOf(algorithm.name);
  if (jose === undefined) {
    return { ...asked, format: 'raw-secret', keyData: new Uint8Array(bitsOf(request) / 8) };
  }
  checkJoseCurve(jose, algorithm);
  return { ...asked, format: 'pkcs8', keyData: await exampleJoseKey(jose) };
}

/**
 * The page chooses the IV, so in some modes a page that may encrypt can decrypt, too: that takes both
 * capabilities. Those of JOSE belong to the algorithm, and no other key is granted for them.
 */
function asksFor(usage: Usage, algorithm: string, key: Pick<Ask, 'scope' | 'ref'>): readonly Ask[] {
  if (isJoseAlgorithm(algorithm)) return [{ ...key, capability: joseCapability(algorithm) }];
  const capability = CAPABILITY[usage as NamedUsage];
  const isMore = capability === 'seal' && encryptingDecrypts(algorithm);
  return (isMore ? ([capability, 'open'] as const) : [capability]).map((each) => ({
    ...key,
    capability: each,
  }));
}

/** A key of HMAC is for one hash. */
function labelOf({ name, hash }: StoredAlgorithm): string {
  return hash ? `${name} ${hash.name}` : name;
}

function bitsOf({ algorithm: { length = DEFAULT_BITS } }: Pick<NamedImport, 'algorithm'>): number {
  const bits = Number(length);
  if (Number.isInteger(bits / 8) && bits > 0 && bits <= MAX_BITS) return bits;
  throw subtleError('OperationError', 'length must be one of the algorithm’s');
}

function toGeneration(value: unknown): number {
  const generation = Number(value);
  if (Number.isSafeInteger(generation) && generation > 0) return generation;
  throw new TypeError('generation must be a positive integer');
}

function noSuchGeneration(): DOMException {
  return subtleError('OperationError', 'The key has no such generation');
}
