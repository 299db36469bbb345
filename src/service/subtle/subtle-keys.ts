import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import type { Call } from '../../rpc/call.ts';
import type { WireKeyInfo } from '../../rpc/methods/subtle-values.ts';
import type { Usage } from '../../subtle/key.ts';
import type { StoredKey } from '../../subtle/stored-key.ts';
import { pageCall } from '../calls/caller.ts';
import { ReusedRequestId } from '../calls/journal.ts';
import type { PageCaller } from '../calls/frame-policy.ts';
import { isNamed, isPersistent, storedPart } from './key-record.ts';
import type { KeyRecord, WithStored } from './key-record.ts';
import type { NamedKeys } from './named/named-keys.ts';
import type { PersistentKeys } from './persistent-keys.ts';
import type { KeptKey, MadeKeys, SessionKeys } from './session-keys.ts';
import { subtleError } from './errors.ts';

/** What the keys of `subtle` are built from. */
export interface SubtleKeysDeps {
  readonly sessionKeys: SessionKeys;
  readonly namedKeys: NamedKeys;
  readonly persistentKeys: PersistentKeys;
}

/** What a call does with a key. 'peer': it is a parameter of the algorithm, and public. */
export type KeyUse = Usage | 'export' | 'publicHalf' | 'peer';

/** A key that a call names, and what it does with it. */
export interface UsedKey {
  readonly handle: string;
  readonly uses: readonly KeyUse[];
  readonly record: KeyRecord;
}

/** A key as the work of a call gets it. */
export interface GivenKey {
  readonly handle: string;
  readonly key: StoredKey;
}

type WithKeys<T> = (keys: readonly GivenKey[], ended: Ended) => Promise<T>;
type Ended = Parameters<WithStored<unknown>>[1];

/** The keys of pages' `subtle`: from their handles to what is stored, under their grants, and back. */
export class SubtleKeys {
  readonly #deps: SubtleKeysDeps;

  constructor(deps: SubtleKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Looks up the keys that a call names.
   *
   * @throws InvalidAccessError (DOMException) for a key that is not of this document
   */
  used(uses: ReadonlyMap<string, readonly KeyUse[]>, call: Call): Promise<readonly UsedKey[]> {
    const { caller } = pageCall(call);
    const found = [...uses].map(async ([handle, each]) => {
      return { handle, uses: each, record: await this.#record(handle, caller) };
    });
    return Promise.all(found);
  }

  /**
   * Does work with keys, those of the vault under their grants. A use of a key that the user owns is counted. A
   * key whose usages do not allow what the call does with it is given without its content: the work says so.
   *
   * @throws InvalidAccessError (DOMException) for what reads a key that the user owns
   */
  async withKeys<T>(
    [next, ...others]: readonly UsedKey[],
    call: Call,
    work: WithKeys<T>,
    ended: Ended = call,
  ): Promise<T> {
    if (next === undefined) return work([], ended);
    const { handle, uses } = next;
    return this.#withStored(next, call, ended, (stored, until) => {
      const key = uses.some((use) => isAllowed(stored, use)) ? stored : { ...stored, content: '' };
      return this.withKeys(
        others,
        call,
        (keys, end) => work([{ handle, key }, ...keys], end),
        until,
      );
    });
  }

  async #withStored<T>(
    { record, uses }: UsedKey,
    call: Call,
    ended: Ended,
    work: WithStored<T>,
  ): Promise<T> {
    const { namedKeys, persistentKeys } = this.#deps;
    if (isPersistent(record)) return persistentKeys.withStored(record, call, work);
    if (!isNamed(record)) return work(record, ended);
    if (uses.includes('publicHalf')) return namedKeys.withPublicHalf(record, call, work);
    const [usage] = uses;
    if (uses.some(isReading)) {
      throw subtleError('InvalidAccessError', 'The key is the user’s, and not extractable');
    }
    return namedKeys.withStored(record, usage as Usage, call, work);
  }

  /**
   * The reference of a key, which is stored in the vault for it; a key that has come from there has one.
   *
   * @throws as PersistentKeys.save does; InvalidAccessError (DOMException) for a key that the user owns
   */
  async reference(handle: string, call: Call): Promise<Uint8Array> {
    const record = await this.#record(handle, pageCall(call).caller);
    if (isNamed(record)) {
      throw subtleError(
        'InvalidAccessError',
        'A key of the user has its id in place of a reference',
      );
    }
    if (isPersistent(record)) return fromBase64url(record.reference);
    return this.#deps.persistentKeys.save(storedPart(record), call);
  }

  /**
   * Makes a key or a pair once for each request, however often it is replayed.
   *
   * @throws QuotaExceededError (DOMException) when there is no room
   */
  async keep(call: Call, work: () => Promise<MadeKeys>): Promise<readonly WireKeyInfo[]> {
    const made = await this.#kept(call, work);
    return made.map(infoOf);
  }

  /** The same for a shared key. Its ciphertext is kept with it, because a repetition must answer the same. */
  async keepEncapsulated(
    call: Call,
    work: () => Promise<{ readonly sharedKey: StoredKey; readonly ciphertext: Uint8Array }>,
  ): Promise<{ readonly sharedKey: WireKeyInfo; readonly ciphertext: Uint8Array }> {
    const [made] = await this.#kept(call, async () => {
      const { sharedKey, ciphertext } = await work();
      return [{ ...sharedKey, ciphertext: toBase64url(ciphertext) }];
    });
    const { record } = made!;
    if (!('ciphertext' in record)) throw new ReusedRequestId();
    return { sharedKey: infoOf(made!), ciphertext: fromBase64url(record.ciphertext) };
  }

  async #kept(call: Call, work: () => Promise<MadeKeys>): Promise<readonly KeptKey[]> {
    const { requestId } = call;
    const { caller } = pageCall(call);
    const { sessionKeys } = this.#deps;
    const before = await sessionKeys.madeBy({ caller, requestId });
    return before ?? (await sessionKeys.keep({ caller, requestId }, await work()));
  }

  /** Removes session keys that their page has dropped. */
  drop(call: Call, handles: readonly string[]): Promise<void> {
    const { caller } = pageCall(call);
    return this.#deps.sessionKeys.drop({ caller, requestId: call.requestId }, handles);
  }

  async #record(handle: string, caller: PageCaller): Promise<KeyRecord> {
    const record = await this.#deps.sessionKeys.get(caller, handle);
    if (record) return record;
    throw subtleError('InvalidAccessError', 'The key is not one of this document’s, or has gone');
  }
}

/** Whether a use reads a key. */
function isReading(use: KeyUse): boolean {
  return use === 'export' || use === 'peer';
}

/** Whether a key may be used so, by what it says of itself. */
function isAllowed({ type, extractable, usages }: StoredKey, use: KeyUse): boolean {
  switch (use) {
    case 'export':
      return extractable;
    case 'peer':
      return type === 'public';
    case 'publicHalf':
      return true;
    default:
      return usages.includes(use);
  }
}

function infoOf({ handle, record }: KeptKey): WireKeyInfo {
  const { type, extractable, algorithm, usages } = record;
  const { publicExponent, ...rest } = algorithm;
  const exponent = publicExponent !== undefined && {
    publicExponent: fromBase64url(publicExponent),
  };
  return { handle, type, extractable, usages: [...usages], algorithm: { ...rest, ...exponent } };
}
