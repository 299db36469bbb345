import { jsonOf } from '../json.ts';
import { checkOptions, checkProvider, codeOf, SealwrightClientError } from '../../errors.ts';
import { sealedMessages } from '../messages.ts';
import type { MessageSealer, Sealed } from '../messages.ts';
import type { QuarantineOptions } from '../quarantine.ts';

/** A key of automerge-repo's storage: the document's id, 'snapshot' or 'incremental', and a hash. */
export type AutomergeStorageKey = string[];

/** The storage of automerge-repo, for `new Repo({ storage })`. */
export interface AutomergeStorage {
  load(key: AutomergeStorageKey): Promise<Uint8Array | undefined>;
  save(key: AutomergeStorageKey, data: Uint8Array): Promise<void>;
  remove(key: AutomergeStorageKey): Promise<void>;
  loadRange(
    prefix: AutomergeStorageKey,
  ): Promise<{ key: AutomergeStorageKey; data: Uint8Array | undefined }[]>;
  removeRange(prefix: AutomergeStorageKey): Promise<void>;
}

/** Options of `automergeStorage`. */
export interface AutomergeStorageOptions extends QuarantineOptions {
  /** Id of the key; default: this origin's app key. */
  readonly key?: string | undefined;
}

/** Bytes of the length of a storage key, before the key and the data. */
const LENGTH_BYTES = 4;

/**
 * A storage for automerge-repo that seals what it gives to another one (IndexedDB, files, a server). Each value is bound
 * to its key, so values of other documents are refused. A value that does not open stays stored, is reported, and is
 * not loaded with its document; automerge-repo deletes only what it has loaded.
 *
 * @param inner the storage that gets the sealed values. It sees keys, which are ids and hashes, and sizes
 *
 * @example
 *   const storage = automergeStorage(new IndexedDBStorageAdapter(), sealwright);
 *   const repo = new Repo({ storage });
 */
export function automergeStorage(
  inner: AutomergeStorage,
  sealwright: MessageSealer,
  options: AutomergeStorageOptions = {},
): AutomergeStorage {
  checkProvider(sealwright, 'sealMany', 'openMany');
  checkOptions(options, 'key', 'onQuarantine');
  const { key: keyId, onQuarantine } = options;
  const messages = sealedMessages(sealwright, 'sealwright/adapters automergeStorage', keyId);

  /** @throws SealwrightError, SealwrightClientError WRONG_PLACE */
  const opened = async (key: AutomergeStorageKey, sealed: Uint8Array): Promise<Uint8Array> => {
    const result = await messages.tryOpen(sealed as Sealed);
    if (!result.ok) throw new ValueError(result.error);
    return dataOf(key, result.value);
  };

  return {
    async load(key) {
      const sealed = await inner.load(key);
      return sealed && opened(key, sealed).catch(unwrapped);
    },

    async save(key, data) {
      await inner.save(key, await messages.seal(withKey(key, data)));
    },

    async loadRange(prefix) {
      const chunks = await inner.loadRange(prefix);
      const loading = chunks.map(async ({ key, data: sealed }) => {
        if (sealed === undefined) return [];
        try {
          return [{ key, data: await opened(key, sealed) }];
        } catch (error) {
          if (!(error instanceof ValueError)) throw error;
          const code = codeOf(error.cause) ?? 'INTERNAL';
          onQuarantine?.(key.join('/'), { code, sealed });
          return [];
        }
      });
      return (await Promise.all(loading)).flat();
    },

    remove: (key) => inner.remove(key),
    removeRange: (prefix) => inner.removeRange(prefix),
  };
}

/** An error of one value, not of the whole call. */
class ValueError extends Error {
  override readonly cause: unknown;
  constructor(cause: unknown) {
    super();
    this.cause = cause;
  }
}

function unwrapped(error: unknown): never {
  throw error instanceof ValueError ? error.cause : error;
}

/** u32 length of the key ‖ key as JSON ‖ data. */
function withKey(key: AutomergeStorageKey, data: Uint8Array): Sealed {
  const name = new TextEncoder().encode(jsonOf(key));
  const message = new Uint8Array(LENGTH_BYTES + name.length + data.length);
  new DataView(message.buffer).setUint32(0, name.length);
  message.set(name, LENGTH_BYTES);
  message.set(data, LENGTH_BYTES + name.length);
  return message;
}

function dataOf(key: AutomergeStorageKey, message: Sealed): Uint8Array {
  const nameBytes =
    message.length < LENGTH_BYTES
      ? 0
      : new DataView(message.buffer, message.byteOffset).getUint32(0);
  const data = LENGTH_BYTES + nameBytes;
  const name = new TextDecoder().decode(message.subarray(LENGTH_BYTES, data));
  if (name === jsonOf(key)) return message.slice(data);
  const words = 'This value was stored under another key.';
  throw new ValueError(new SealwrightClientError('WRONG_PLACE', words));
}
