import type { RandomSource } from '../../random/contract.ts';
import type { Call } from '../../rpc/call.ts';
import type { WireAlgorithm, WireKeyInfo } from '../../rpc/methods/subtle-values.ts';
import { fromBase64url } from '../../crypto/bytes.ts';
import type { SubtleKey, Usage } from '../../subtle/key.ts';
import type { SubtleParams } from '../../subtle/params.ts';
import { Runtime } from '../../subtle/runtime.ts';
import { restoredKey, storedKey, type StoredKey } from '../../subtle/stored-key.ts';
import { Subtle } from '../../subtle/subtle.ts';
import { pageCall } from '../calls/caller.ts';
import { ReusedRequestId } from '../calls/journal.ts';
import type { Engines } from '../engines/engines.ts';
import type { PageCaller } from '../calls/frame-policy.ts';
import { isNamed, isPersistent, storedPart } from './key-record.ts';
import type { EncapsulatedRecord, KeyRecord } from './key-record.ts';
import type { NamedKeys } from './named-keys.ts';
import type { PersistentKeys } from './persistent-keys.ts';
import type { HandedKey, WorkFor } from './subtle-work.ts';
import type { KeptKey, MadeKeys, SessionKeys } from './session-keys.ts';
import { algorithmOf } from '../../workshop/subtle-arguments.ts';
import { subtleError } from './errors.ts';

/** What the keys of `subtle` are built from. */
export interface SubtleKeysDeps {
  readonly engines: Engines;
  readonly random: RandomSource;
  readonly sessionKeys: SessionKeys;
  readonly namedKeys: NamedKeys;
  readonly persistentKeys: PersistentKeys;
}

/** The keys of pages' `subtle`, between their handles, their stored form and the engines. */
export class SubtleKeys {
  readonly #deps: SubtleKeysDeps;
  #runtime: Promise<Runtime> | undefined;
  /** Set up once for each key, until what the store remembers of it changes. */
  readonly #restored = new WeakMap<KeyRecord, Promise<SubtleKey>>();

  constructor(deps: SubtleKeysDeps) {
    this.#deps = deps;
  }

  async subtle(): Promise<Subtle> {
    return new Subtle(await this.runtime());
  }

  /** The engines and the generator that keys work with. */
  runtime(): Promise<Runtime> {
    this.#runtime ??= this.#made();
    return this.#runtime;
  }

  /** @throws InvalidAccessError (DOMException) for a key in it that is not of this document */
  algorithm(wire: WireAlgorithm, call: Call): Promise<SubtleParams> {
    return algorithmOf(wire, (handle) => this.sessionKey(handle, call));
  }

  /**
   * For what reads a key itself.
   *
   * @throws InvalidAccessError (DOMException) for a key that is not of this document, and for one
   * that the user owns: that is used, and never read
   */
  async sessionKey(handle: string, call: Call): Promise<SubtleKey> {
    const record = await this.#record(handle, pageCall(call).caller);
    if (isNamed(record)) {
      throw subtleError('InvalidAccessError', 'The key is the user’s, and not extractable');
    }
    if (isPersistent(record)) return this.#deps.persistentKeys.key(record, call);
    return this.#restore(record);
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

  /** Does work with a key; with one that the user owns, under its grant, which takes one use. */
  async withKey<T>(
    handle: string,
    usage: Usage,
    call: Call,
    work: (key: SubtleKey, ended: WorkFor['ended']) => Promise<T>,
  ): Promise<T> {
    const record = await this.#record(handle, pageCall(call).caller);
    if (isNamed(record)) return this.#deps.namedKeys.withKey(record, usage, call, work);
    if (isPersistent(record)) return this.#deps.persistentKeys.withKey(record, call, work);
    return work(await this.#restore(record), call);
  }

  /** The records of keys. @throws InvalidAccessError (DOMException) for a key that is not of this document */
  records(handles: readonly string[], call: Call): Promise<readonly KeyRecord[]> {
    const { caller } = pageCall(call);
    return Promise.all(handles.map((handle) => this.#record(handle, caller)));
  }

  /** Does work with keys as they are stored, for the workshop. None of them is a key that the user owns. */
  async withStored<T>(
    handles: readonly string[],
    call: Call,
    work: (keys: readonly HandedKey[], ended: WorkFor['ended']) => Promise<T>,
    ended: WorkFor['ended'] = call,
  ): Promise<T> {
    const [handle, ...others] = handles;
    if (handle === undefined) return work([], ended);
    const record = await this.#record(handle, pageCall(call).caller);
    if (isNamed(record)) throw new Error('A key of the user stays in the background');
    const go = (stored: StoredKey, until: WorkFor['ended']): Promise<T> => {
      const handed = { handle, key: storedPart(stored) };
      return this.withStored(others, call, (keys, end) => work([handed, ...keys], end), until);
    };
    if (isPersistent(record)) return this.#deps.persistentKeys.withStored(record, call, go);
    return go(record, ended);
  }

  /** Does work with the public half of a key; of one that the user owns, under its grant, of which no use is taken. */
  async withPublicHalf<T>(
    handle: string,
    call: Call,
    work: (key: SubtleKey) => Promise<T>,
  ): Promise<T> {
    const record = await this.#record(handle, pageCall(call).caller);
    if (isNamed(record)) return this.#deps.namedKeys.withPublicHalf(record, call, work);
    return work(await this.sessionKey(handle, call));
  }

  /**
   * Makes a key once for each request, however often it is replayed.
   *
   * @throws QuotaExceededError (DOMException) when there is no room
   */
  async make(call: Call, work: () => Promise<SubtleKey>): Promise<readonly WireKeyInfo[]> {
    return this.keep(call, async () => [await storedKey(await work(), await this.runtime())]);
  }

  /** The same for records that are made otherwise. */
  async keep(call: Call, work: () => Promise<MadeKeys>): Promise<readonly WireKeyInfo[]> {
    const made = await this.#kept(call, work);
    return made.map(infoOf);
  }

  /** The same for a shared key. Its ciphertext is kept with it, because a repetition must answer the same. */
  async keepEncapsulated(
    call: Call,
    work: () => Promise<EncapsulatedRecord>,
  ): Promise<{ readonly sharedKey: WireKeyInfo; readonly ciphertext: Uint8Array }> {
    const [made] = await this.#kept(call, async () => [await work()]);
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

  /** Forgets session keys that their page has let go. */
  drop(call: Call, handles: readonly string[]): Promise<void> {
    const { caller } = pageCall(call);
    return this.#deps.sessionKeys.drop({ caller, requestId: call.requestId }, handles);
  }

  async #record(handle: string, caller: PageCaller): Promise<KeyRecord> {
    const record = await this.#deps.sessionKeys.get(caller, handle);
    if (record) return record;
    throw subtleError('InvalidAccessError', 'The key is not one of this document’s, or has gone');
  }

  async #restore(record: StoredKey): Promise<SubtleKey> {
    const runtime = await this.runtime();
    const known = this.#restored.get(record);
    if (known) return known;
    const restored = restoredKey(record, runtime);
    this.#restored.set(record, restored);
    // What failed is tried again the next time.
    restored.catch(() => this.#restored.delete(record));
    return restored;
  }

  async #made(): Promise<Runtime> {
    const { engines, random } = this.#deps;
    return new Runtime(await engines.ready(), 'auto', random, { keepsKeys: true });
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
