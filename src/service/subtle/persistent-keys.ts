import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { deleteIn } from '../../keys/annotations/deletions.ts';
import { APP } from '../../keys/ring/key-records.ts';
import {
  charactersOf,
  isPastArchive,
  PERSISTENT_KEY,
  PERSISTENT_KEYS_MAX_CHARACTERS,
  persistentKeyId,
  persistentKeyOf,
  persistentKeyRecord,
  persistentKeysOf,
  REFERENCE_BYTES,
  type PersistentKeyValue,
} from '../../keys/ring/persistent-key.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Call } from '../../rpc/call.ts';
import type { WireAlgorithm } from '../../rpc/methods/subtle-values.ts';
import type { Usage } from '../../subtle/key.ts';
import type { StoredKey } from '../../subtle/stored-key.ts';
import { pageCall } from '../calls/caller.ts';
import { sameScope, type Scope } from '../calls/frame-policy.ts';
import type { InFlightCalls } from '../calls/in-flight.ts';
import { onceIn } from '../calls/journal.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { GrantChange, Grants } from '../grants/grants.ts';
import { subtleError } from './errors.ts';
import { hasRoom, KEY_SHARES, type PersistentKey, type WithStored } from './key-record.ts';

/** How many keys one origin may have in the vault, how many bytes of them as stored, and all origins (`KeyRoom`). */
export const PERSISTENT_KEY_LIMITS = {
  keysPerOrigin: 256,
  bytesPerOrigin: 1024 * 1024,
  /** Sealed, they take about 8 of the 10 MiB of Chromium's storage.local. */
  bytes: 6 * 1024 * 1024,
  ...KEY_SHARES,
} as const;

interface ImportRequest {
  readonly reference: Uint8Array;
  readonly algorithm: WireAlgorithm;
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

/** What persistent keys need. */
export interface PersistentKeysDeps {
  readonly vault: Vault;
  readonly random: RandomSource;
  readonly grants: Grants;
  readonly inFlightCalls: InFlightCalls;
  /** ms since the epoch. */
  readonly now: () => number;
}

/**
 * Keys of pages that outlive their document: `exportKey('sealwright-ref', key)` stores a session key in the
 * vault and returns a random reference, by which `importKey('sealwright', reference, …)` finds it again.
 *
 * A reference is worth something in its own scope alone (origin, top-level origin, container), while the scope
 * has a grant on the app key and the vault is open. The key itself is read from the vault for each use: a lock
 * and a revocation end it in documents that have imported it, too. When the last grant on the app key goes, the
 * keys of its scope go to the archive for PERSISTENT_KEY_ARCHIVE_MS; a new grant takes them from there. Keys of a
 * backup wait in the same way until their scope has its first grant here, but without end.
 */
export class PersistentKeys {
  readonly #deps: PersistentKeysDeps;

  constructor(deps: PersistentKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a key, once for each request, however often it is replayed.
   *
   * @returns its reference, 32 random bytes
   * @throws SealwrightError NOT_GRANTED, EXPIRED; QuotaExceededError (DOMException) beyond PERSISTENT_KEY_LIMITS
   */
  async save(key: StoredKey, call: Call): Promise<Uint8Array> {
    const { vault, grants, random, now } = this.#deps;
    const page = pageCall(call);
    const { scope, origin } = page;
    const at = Math.trunc(now());
    const recorded = { call: page.id, asks: await page.asks(), at };
    await this.#granted(call);
    const saved = vault.commit((draft) =>
      onceIn(draft, origin, recorded, async () => {
        await grants.requireKeyIn(draft, { scope, ref: APP }); // it may have been revoked meanwhile
        const made = toBase64url(random.bytes(REFERENCE_BYTES));
        const record = persistentKeyRecord(persistentKeyId(made), { scope, key, created: at });
        requireRoom(record, await draft.list(PERSISTENT_KEY));
        draft.put(record);
        return made;
      }),
    );
    return fromBase64url(await saved.catch(unlessFull));
  }

  /**
   * What `importKey` returns: the key's description, never wider than it was stored, without its bytes.
   *
   * @throws SealwrightError NOT_GRANTED, EXPIRED; DataError (DOMException) for a reference that is unknown, of
   *   another scope or removed, and for another algorithm; SyntaxError for more than the key was made for
   */
  async imported(request: ImportRequest, call: Call): Promise<PersistentKey> {
    const reference = toBase64url(request.reference);
    const { scope } = await this.#granted(call);
    const { type, extractable, algorithm, usages } = await this.#read(reference, scope);
    requireSameAlgorithm(algorithm, request.algorithm);
    if (request.extractable && !extractable) {
      throw subtleError('SyntaxError', 'The key was made with extractable: false');
    }
    const lacking = request.usages.find((usage) => !usages.includes(usage));
    if (lacking !== undefined) {
      throw subtleError('SyntaxError', `The key's usages lack ${lacking}`);
    }
    if (request.usages.length === 0 && type !== 'public') {
      throw subtleError('SyntaxError', 'keyUsages: a key must be of use');
    }
    const kept = usages.filter((usage) => request.usages.includes(usage));
    return { type, extractable: request.extractable, algorithm, usages: kept, reference };
  }

  /**
   * Removes a key from the vault; documents that have imported it cannot use it any more. Of a reference that is
   * unknown, removed or of another scope nothing is removed.
   *
   * @throws SealwrightError NOT_GRANTED, EXPIRED
   */
  async delete(reference: Uint8Array, call: Call): Promise<void> {
    const { vault, now } = this.#deps;
    const { scope } = await this.#granted(call);
    const id = persistentKeyId(toBase64url(reference));
    await vault.commit(async (draft) => {
      const record = await draft.get(id);
      if (record && sameScope(persistentKeyOf(record).scope, scope)) {
        await deleteIn(draft, record, now());
      }
    });
  }

  /** Does work with the key. Ends when the grant does, or the vault locks. */
  async withStored<T>(
    { reference, extractable, usages }: PersistentKey,
    call: Call,
    work: WithStored<T>,
  ): Promise<T> {
    const grant = await this.#granted(call);
    return this.#deps.inFlightCalls.run(grant, call, async (inFlight) => {
      const stored = await this.#read(reference, grant.scope);
      return work({ ...stored, extractable, usages }, inFlight);
    });
  }

  /** The grant on the app key under which a call of a page uses its keys. */
  async #granted(call: Call): Promise<Grant> {
    const page = pageCall(call);
    return this.#deps.grants.requireKey({ scope: page.scope, ref: APP }, page);
  }

  async #read(reference: string, scope: Scope): Promise<StoredKey> {
    const record = await this.#deps.vault.read(persistentKeyId(reference));
    const value = record && persistentKeyOf(record);
    if (value && sameScope(value.scope, scope)) return value.key as StoredKey;
    throw subtleError('DataError', 'The reference names no key of this site');
  }

  /** Those of all sites, also in the archive. */
  async all(): Promise<readonly PersistentKeyValue[]> {
    return (await this.#deps.vault.list(PERSISTENT_KEY)).map(persistentKeyOf);
  }

  /** Removes all keys of an origin; its grants stay. */
  async remove(origin: string): Promise<void> {
    const { vault, now } = this.#deps;
    await vault.commit(async (draft) => {
      const kept = (await draft.list(PERSISTENT_KEY)).filter(
        (record) => persistentKeyOf(record).scope.origin === origin,
      );
      for (const record of kept) await deleteIn(draft, record, now());
    });
  }

  /** Removes what has been in the archive for as long as it is kept there. To be called after each unlock. */
  async removePastArchive(): Promise<void> {
    const { vault, grants } = this.#deps;
    const at = grants.now();
    if (!(await this.all()).some((key) => isPastArchive(key, at))) return;
    const left = await grants.all();
    await vault.commit((draft) => keepWithGrants(draft, { gone: [], left, at }));
  }
}

/**
 * To be called in each commit that adds or removes grants: archives the keys of scopes that have lost their last
 * grant on the app key, takes those of scopes that have one from the archive, and removes what is past it.
 */
export async function keepWithGrants(
  draft: VaultDraft,
  { gone, left, at }: GrantChange,
): Promise<void> {
  const isOwned = (grants: readonly Grant[], { scope }: PersistentKeyValue): boolean =>
    grants.some((grant) => grant.ref === APP && sameScope(grant.scope, scope));
  for (const record of await draft.list(PERSISTENT_KEY)) {
    const key = persistentKeyOf(record);
    const { archived, ...inUse } = key;
    if (isOwned(left, key)) {
      if (archived !== undefined) draft.put(persistentKeyRecord(record.id, inUse));
    } else if (isPastArchive(key, at)) {
      draft.remove(record.id); // on this device alone: the archive is its own
    } else if (archived === undefined && isOwned(gone, key)) {
      draft.put(persistentKeyRecord(record.id, { ...key, archived: at }));
    }
  }
}

function requireRoom(added: VaultRecord, others: readonly VaultRecord[]): void {
  const all = persistentKeysOf([...others, added]);
  const stored = [...all.values()].map(({ scope, key }) => ({
    origin: scope.origin,
    bytes: key.content.length,
  }));
  const { origin } = persistentKeyOf(added).scope;
  const own = stored.filter((one) => one.origin === origin);
  const ownBytes = own.reduce((sum, { bytes }) => sum + bytes, 0);
  const { keysPerOrigin, bytesPerOrigin } = PERSISTENT_KEY_LIMITS;
  if (own.length <= keysPerOrigin && ownBytes <= bytesPerOrigin) {
    const isBelow = charactersOf(all) <= PERSISTENT_KEYS_MAX_CHARACTERS;
    if (isBelow && hasRoom(stored, { origin }, PERSISTENT_KEY_LIMITS)) return;
    throw noRoom();
  }
  const bounds = `${keysPerOrigin} keys and ${bytesPerOrigin} bytes`;
  throw subtleError(
    'QuotaExceededError',
    `A site may keep ${bounds} by reference: delete those that it does not need with deleteKey`,
  );
}

/** No room on the disk is for a page as no room beside the keys of other sites. */
function unlessFull(error: unknown): never {
  throw error instanceof VaultError && error.code === 'QUOTA' ? noRoom() : error;
}

function noRoom(): DOMException {
  return subtleError('QuotaExceededError', 'There is no room for more keys by reference');
}

/** What the page names of the algorithm must be what the key was made for. */
function requireSameAlgorithm(stored: StoredKey['algorithm'], given: WireAlgorithm): void {
  const hash = given.hash as string | { readonly name?: string } | undefined;
  const named = {
    name: given.name,
    hash: typeof hash === 'string' ? hash : hash?.name,
    namedCurve: given.namedCurve,
    length: given.length,
  };
  const made = { ...stored, hash: stored.hash?.name };
  for (const member of ['name', 'hash', 'namedCurve', 'length'] as const) {
    const wanted = named[member];
    if (wanted === undefined || isSame(wanted, made[member])) continue;
    throw subtleError('DataError', `The key was made for another algorithm: ${member}`);
  }
}

/** Names are compared without regard to case, as the standard does. */
function isSame(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string'
    ? a.toLowerCase() === b.toLowerCase()
    : a === b;
}
