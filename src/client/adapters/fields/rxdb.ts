import { jsonOf } from '../json.ts';
import { checkOptions, checkProvider } from '../../errors.ts';
import type { Fields } from '../content.ts';
import { sealedMessages, type MessageSealer, type Sealed } from '../messages.ts';
import { SEALED_FIELD, SealedRows, type FieldOptions } from './row.ts';
import { base64, bytesOf } from './values.ts';

/** The schema of a collection, as RxDB gives it to a storage. */
interface RxSchema {
  readonly primaryKey: string | { readonly key: string };
  readonly encrypted?: readonly string[];
  readonly attachments?: { readonly encrypted?: boolean };
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

interface RxParameters {
  readonly databaseName: string;
  readonly collectionName: string;
  readonly schema: RxSchema;
}

/** What is used of a storage of RxDB. */
export interface RxStorageLike {
  readonly name: string;
  createStorageInstance(parameters: never): Promise<unknown>;
}

/** Options of `rxSealedStorage`. */
export interface RxSealedOptions<Storage extends RxStorageLike> extends FieldOptions {
  /** The storage that gets the sealed documents. */
  readonly storage: Storage;
  /** The function of that name of `rxdb`. */
  readonly wrapRxStorageInstance: (...parts: never[]) => unknown;
  /** Id of the key; default: this origin's app key. */
  readonly key?: string | undefined;
}

type Wrap = (
  schema: RxSchema,
  instance: unknown,
  toStorage: (document: Fields) => Promise<Fields>,
  fromStorage: (document: Fields) => Promise<Fields>,
) => unknown;

const AS_TEXT = {
  stored: (sealed: Sealed) => base64(sealed),
  bytes(stored: unknown): Sealed | undefined {
    try {
      return typeof stored === 'string' ? bytesOf(stored) : undefined;
    } catch {
      return undefined;
    }
  },
};

/**
 * A storage of RxDB that seals the fields which a schema lists under `encrypted`, in one sealed message for each
 * document. No password is needed: the key is the user's. The fields must be top-level ones, and cannot be indexed; a
 * field of its own can have a blind index (`blindIndexer`). Attachments are not sealed.
 *
 * RxDB's replication reads opened documents: what it sends to a server has to be sealed once more, in the push handler.
 *
 * @param sealwright needs `seal` and `open`
 *
 * @example
 *   const storage = rxSealedStorage(sealwright, { storage: getRxStorageDexie(), wrapRxStorageInstance });
 *   const db = await createRxDatabase({ name: 'contacts', storage });
 */
export function rxSealedStorage<Storage extends RxStorageLike>(
  sealwright: MessageSealer,
  options: RxSealedOptions<Storage>,
): Storage {
  checkProvider(sealwright, 'sealMany', 'openMany');
  checkOptions(options, 'storage', 'wrapRxStorageInstance', 'key', 'clearRows', 'onQuarantine');
  const { storage, key } = options;
  const wrap = options.wrapRxStorageInstance as Wrap;
  const createStorageInstance = async (parameters: RxParameters): Promise<unknown> => {
    const { databaseName, collectionName, schema } = parameters;
    if (!schema.encrypted?.length) return storage.createStorageInstance(parameters as never);
    checkSchema(collectionName, schema);
    const context = jsonOf(['sealwright/adapters', 'rxdb', databaseName, collectionName]);
    const messages = sealedMessages(sealwright, context, key);
    const rows = new SealedRows(messages, schema.encrypted, AS_TEXT, options);
    const primary = primaryOf(schema);
    const inner = { ...parameters, schema: storedSchema(schema) };
    return wrap(
      schema,
      await storage.createStorageInstance(inner as never),
      (document) => rows.sealed(document[primary], document),
      (document) => rows.opened(document[primary], document),
    );
  };
  return { ...storage, createStorageInstance };
}

function primaryOf({ primaryKey }: RxSchema): string {
  return typeof primaryKey === 'string' ? primaryKey : primaryKey.key;
}

/** @throws TypeError for what would not be sealed */
function checkSchema(collection: string, schema: RxSchema): void {
  const path = schema.encrypted!.find((field) => !(field in schema.properties));
  if (path !== undefined) {
    throw new TypeError(`${collection}: ${path} of encrypted is not the name of a top-level field`);
  }
  if (schema.encrypted!.includes(primaryOf(schema))) {
    throw new TypeError(`${collection}: the primary key cannot be sealed`);
  }
  if (schema.attachments?.encrypted) {
    throw new TypeError(
      `${collection}: attachments are not sealed; seal them with sealBlob before`,
    );
  }
}

/** The schema of the documents as they are stored. */
function storedSchema({ encrypted, ...schema }: RxSchema): RxSchema {
  const isSealed = new Set(encrypted);
  const clear = Object.entries(schema.properties).filter(([name]) => !isSealed.has(name));
  return {
    ...schema,
    properties: { ...Object.fromEntries(clear), [SEALED_FIELD]: { type: 'string' } },
    required: (schema.required ?? []).filter((name) => !isSealed.has(name)),
  };
}
