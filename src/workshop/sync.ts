import { wipe } from '../crypto/bytes.ts';
import type { Awaitable } from '../engine/contract.ts';
import { recordEngines, type RecordEngines } from '../engine/record-engines.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import { HedgedSalt } from '../format/keys/hedged-salt.ts';
import type { SaltSource } from '../format/message.ts';
import type { RandomSource } from '../random/contract.ts';
import { SystemSource } from '../random/system-source.ts';
import type { InputOf } from '../rpc/workshop.ts';
import { SyncError } from '../sync/errors.ts';
import type { RecordCodec } from '../sync/codec.ts';
import { bundleBytes, bundleOf, wipeBundle } from '../sync/key-bundle.ts';
import { readSyncKeySource } from '../sync/key-sources/read-source.ts';
import { notesCodec } from '../sync/notes/notes.ts';
import { recordCipher, type RecordCipher } from '../sync/record-cipher.ts';
import { sealwrightCodec } from '../sync/sealwright/codec.ts';
import { digestKey, digestOf } from '../sync/sealwright/head-layout.ts';
import { sealwrightMessages } from '../sync/sealwright/messages.ts';
import { SyncEngine } from '../sync/sync-engine.ts';
import { bundleCodec } from '../sync/weave/bundle-codec.ts';
import {
  openCollectionKeys,
  sealCollectionKeys,
  wipeCollectionKeys,
  type CollectionKeys,
} from '../sync/weave/collection-keys.ts';
import type { Group } from './contract.ts';
import { NO_RANDOM, stirred } from './seeded.ts';
import { checkpointed, verified, type HeadParts } from './sync/heads.ts';
import { decryptedRecords, encryptedRecords } from './sync/records.ts';

/** Records of sync services, and the keys that accounts have for them, with engines of its own. */
export function operations(loadWasm: LoadWasm): Group<'sync'> {
  return syncOperations(recordEngines(loadWasm));
}

type RecordsInput = InputOf<'sync.encryptRecords' | 'sync.decryptRecords'>;
type HeadsInput = InputOf<'sync.checkpoint' | 'sync.verify'>;
type StoredKeys = InputOf<'sync.sealCollectionKeys'>['secrets']['keys'];

const IV_BYTES = 16;

/** @param platform the platform's generator; replaced in tests only */
export function syncOperations(
  { registry, messageCrypto }: RecordEngines,
  platform: RandomSource = new SystemSource(),
): Group<'sync'> {
  const randomOf = stirred(platform);
  const syncEngine = new SyncEngine(async () => {
    await registry.ready();
    return registry;
  });
  const codecFor = async ({ secrets, params }: RecordsInput): Promise<RecordCodec> => {
    const { keys, seed } = secrets;
    const { format, collection, kid } = params;
    const random = seed ? randomOf(seed) : NO_RANDOM;
    if (format === 'sealwright') {
      const salt = seed ? hedgedSalt(random, platform, keys[0]!) : NO_SALT;
      const cryptoFor = async (bytes: number) => messageCrypto.forBytes(bytes);
      return sealwrightCodec({ collection, keys, salt, cryptoFor });
    }
    const algorithms = await syncEngine.algorithms();
    if (format === 'notes') {
      return notesCodec({ key: keys[0]!, kid: kid ?? '' }, algorithms, random);
    }
    const bundles = keys.map(bundleOf);
    const codec = await bundleCodec(format, bundles, algorithms, random);
    bundles.forEach(wipeBundle);
    return codec;
  };
  const withCodec = async <T>(
    input: RecordsInput,
    work: (codec: RecordCodec) => Promise<T>,
  ): Promise<T> => {
    const codec = await codecFor(input);
    try {
      return await work(codec);
    } finally {
      codec.wipe();
    }
  };
  const withHeads = async <T>(
    { secrets: { keys, first, seed }, params: { collection } }: HeadsInput,
    work: (parts: HeadParts) => Promise<T>,
  ): Promise<T> => {
    const random = randomOf(seed);
    const salt = hedgedSalt(random, platform, keys[0]!);
    const cryptoFor = async (bytes: number) => messageCrypto.forBytes(bytes);
    const parts = { collection, keys, salt, cryptoFor };
    const [codec, messages] = [sealwrightCodec(parts), sealwrightMessages(parts)];
    const { HMAC } = await syncEngine.algorithms();
    const key = digestKey(first, collection);
    const mac = await HMAC.withKey(key, 'SHA-256');
    wipe(key);
    const tags = (texts: readonly Uint8Array[]): Awaitable<Uint8Array[]> =>
      mac.signMany?.(texts) ?? Promise.all(texts.map(async (text) => mac.sign(text)));
    const digests = async (texts: readonly Uint8Array[]) => (await tags(texts)).map(digestOf);
    try {
      return await work({ codec, messages, digests, random });
    } finally {
      for (const each of [codec, messages, mac]) each.wipe();
    }
  };
  const withAccount = async <T>(
    account: Uint8Array,
    work: (cipher: RecordCipher) => Promise<T>,
  ): Promise<T> => {
    const bundle = bundleOf(account);
    const cipher = await recordCipher(await syncEngine.algorithms(), bundle);
    wipeBundle(bundle);
    try {
      return await work(cipher);
    } finally {
      cipher.wipe();
    }
  };
  return {
    'sync.encryptRecords': (input, report) =>
      withCodec(input, (codec) => encryptedRecords(codec, input.params.records, report)),
    'sync.decryptRecords': (input, report) =>
      withCodec(input, (codec) => decryptedRecords(codec, input.params.records, report)),
    'sync.checkpoint': (input) => withHeads(input, (parts) => checkpointed(input, parts)),
    'sync.verify': (input) => withHeads(input, (parts) => verified(input, parts)),
    'sync.openCollectionKeys': ({ secrets, params }) =>
      withAccount(secrets.account, async (cipher) => {
        const keys = await openedKeys(cipher, params.payload);
        const stored = storedKeys(keys);
        wipeCollectionKeys(keys);
        return stored;
      }),
    'sync.sealCollectionKeys': ({ secrets: { account, keys: stored, seed } }) =>
      withAccount(account, async (cipher) => {
        const keys = collectionKeysOf(stored);
        try {
          return await sealCollectionKeys(cipher, randomOf(seed).bytes(IV_BYTES), keys);
        } finally {
          wipeCollectionKeys(keys);
        }
      }),
    'sync.readKey': ({ secrets: { source }, params: { keyBytes } }) =>
      readSyncKeySource(source, keyBytes),
  };
}

/** For records that are only opened. */
const NO_SALT: SaltSource = { salt: () => NO_RANDOM.bytes(0) };

/** As docs/format.md section 4.3 has it, with the sealing key in the place of the vault's. */
function hedgedSalt(random: RandomSource, platform: RandomSource, key: Uint8Array): SaltSource {
  return new HedgedSalt({ random, platform, bootId: platform.bytes(IV_BYTES), vaultKey: key });
}

/** @throws TypeError for what is not such a record */
async function openedKeys(cipher: RecordCipher, payload: string): Promise<CollectionKeys> {
  try {
    return await openCollectionKeys(cipher, payload);
  } catch (error) {
    throw error instanceof SyncError ? new TypeError(error.message) : error;
  }
}

function storedKeys({ default: fallback, collections }: CollectionKeys): StoredKeys {
  const named = [...collections].map(([name, bundle]) => ({ name, bundle: bundleBytes(bundle) }));
  return { default: bundleBytes(fallback), collections: named };
}

function collectionKeysOf({ default: fallback, collections }: StoredKeys): CollectionKeys {
  const named = collections.map(({ name, bundle }) => [name, bundleOf(bundle)] as const);
  return { default: bundleOf(fallback), collections: new Map(named) };
}
