import type { Awaitable } from '../../../engine/contract.ts';
import type { KeyRing } from '../../../keys/ring/key-ring.ts';
import type { UserKeyKind } from '../../../keys/ring/kinds.ts';
import { generationFor } from '../../../keys/ring/user-key.ts';
import type { Capability } from '../../../rpc/key-kinds.ts';
import type { WireAlgorithm } from '../../../rpc/methods/subtle-values.ts';
import type { InputOf } from '../../../rpc/workshop.ts';
import type { StoredKey } from '../../../subtle/stored-key.ts';
import type { Usage } from '../../../subtle/key.ts';
import { subtleError } from '../errors.ts';
import type { NamedKey, NamedKeyInfo } from '../key-record.ts';
import type { P256Points } from './p256-keys.ts';

/** What `importKey` of a key of the user asks for. */
export interface NamedImport {
  readonly keyId: string;
  readonly algorithm: WireAlgorithm;
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

/** A key of the vault, as one site uses it. */
export interface KeyOfSite {
  readonly ref: string;
  readonly origin: string;
}

/** What the keys are derived from. */
export interface DerivationDeps {
  readonly keyRing: KeyRing;
  readonly points: P256Points;
}

/** The algorithms that keys of some kinds have in `subtle`: what each use needs, and how its key is derived. */
export interface NamedAlgorithms<K extends NamedKey = NamedKey> {
  /** The algorithm of a name in any case; undefined for one that is not among them. */
  nameOf(name: string): string | undefined;
  /** What the grant has to allow for a usage: all of it. The first is what the usage is for. */
  capabilities(algorithm: string, usage: Usage): readonly Capability[];
  /** What the grant has to allow for the public half; absent for secret keys. */
  publicHalf?(algorithm: string): Capability;
  /**
   * A key without a secret, whose import checks what a request asks for.
   *
   * @throws OperationError, NotSupportedError (DOMException) for what no key of the user has
   */
  example(
    request: NamedImport,
    algorithm: string,
  ): Awaitable<Pick<InputOf<'subtle.importKey'>['params'], 'format' | 'keyData'>>;
  /** What is kept of an imported key beside its name and usages. @param generation as the request names it */
  imported(
    request: NamedImport,
    key: KeyOfSite,
    generation: number | undefined,
    deps: DerivationDeps,
  ): Awaitable<Omit<K, keyof NamedKeyInfo> & Pick<K, 'generation'>>;
  /** Derives the key, which the caller wipes. */
  derived(named: K, key: KeyOfSite, deps: DerivationDeps): Promise<Uint8Array>;
  /** The format of what is derived. */
  readonly format: StoredKey['format'];
}

/**
 * One generation of a key of this kind, which the caller wipes.
 *
 * @param wanted undefined: the newest
 * @throws OperationError (DOMException) where there is none; RangeError for the key of another site
 */
export async function generationOf(
  kind: UserKeyKind,
  { ref, origin }: KeyOfSite,
  wanted: number | undefined,
  { keyRing }: DerivationDeps,
) {
  const value = await keyRing.userKeyValue(ref, kind);
  const found = generationFor({ kind, value }, origin, wanted);
  if (!found) throw noSuchGeneration();
  return found;
}

/** The error for a generation that a key does not have. */
export function noSuchGeneration(): DOMException {
  return subtleError('OperationError', 'The key has no such generation');
}
