import { equal } from '../../crypto/bytes.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import { wipeSyncKey } from '../../keys/ring/sync-key.ts';
import type { SyncKeyMaterial } from '../../keys/ring/sync-key.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { bundleCodec } from '../../sync/weave/bundle-codec.ts';
import { sealwrightCodec } from '../../sync/sealwright/codec.ts';
import { bundleOf, wipeBundle } from '../../sync/key-bundle.ts';
import type { KeyBundle } from '../../sync/key-bundle.ts';
import { notesCodec } from '../../sync/notes/notes.ts';
import type { RecordCodec } from '../../sync/codec.ts';
import { recordCipher } from '../../sync/record-cipher.ts';
import type { RecordCipher } from '../../sync/record-cipher.ts';
import { BufferedRandom } from '../random/buffered-random.ts';
import type { Hedge } from '../messages/salts.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import type { SyncEngine } from '../../sync/sync-engine.ts';

/** Dependencies of SyncKeys. */
export interface SyncKeysDeps {
  readonly keyRing: KeyRing;
  readonly syncEngine: SyncEngine;
  readonly messageCrypto: MessageCrypto;
  readonly hedge: Hedge;
  readonly random: RandomSource;
  /** The browser's own generator alone. */
  readonly platformRandom: RandomSource;
}

/** Opens sync keys and creates their codecs. Wipes secrets after the work. */
export class SyncKeys {
  readonly #deps: SyncKeysDeps;

  constructor(deps: SyncKeysDeps) {
    this.#deps = deps;
  }

  /**
   * @param work gets the codec of the key's format
   * @throws SealwrightError NEEDS_KEY if a Weave key lacks the keys of its collections
   */
  async withCodec<T>(
    ref: string,
    collection: string,
    work: (codec: RecordCodec) => Promise<T>,
  ): Promise<T> {
    const key = await this.#deps.keyRing.syncKey(ref);
    try {
      const codec = await this.#codec(key, collection);
      try {
        return await work(codec);
      } finally {
        codec.wipe();
      }
    } finally {
      wipeSyncKey(key);
    }
  }

  /** @param work gets the cipher of a Weave account's own bundle @throws SealwrightError UNSUPPORTED */
  async withAccountCipher<T>(
    ref: string,
    work: (cipher: RecordCipher, key: SyncKeyMaterial) => Promise<T>,
  ): Promise<T> {
    const key = await this.#deps.keyRing.syncKey(ref);
    try {
      if (key.format !== 'weave-5') {
        throw new SealwrightError('UNSUPPORTED', 'Only keys of Weave have keys of collections');
      }
      const bundle = bundleOf(key.generations[0]!.key);
      const cipher = await recordCipher(await this.#deps.syncEngine.algorithms(), bundle);
      wipeBundle(bundle);
      try {
        return await work(cipher, key);
      } finally {
        cipher.wipe();
      }
    } finally {
      wipeSyncKey(key);
    }
  }

  async #codec(key: SyncKeyMaterial, collection: string): Promise<RecordCodec> {
    const { syncEngine, messageCrypto, hedge, random, platformRandom } = this.#deps;
    const keys = key.generations.map((each) => each.key);
    if (key.format === 'sealwright') {
      const salt = await hedge.salts();
      const cryptoFor = async (bytes: number) => messageCrypto.forBytes(bytes);
      return sealwrightCodec({ collection, keys, salt, cryptoFor });
    }
    const algorithms = await syncEngine.algorithms();
    const buffered = new BufferedRandom(random, platformRandom);
    if (key.format === 'notes') {
      return notesCodec({ key: keys[0]!, kid: key.foreignId ?? '' }, algorithms, buffered);
    }
    const bundles = key.format === 'kinto' ? keys.map(bundleOf) : weaveBundles(key, collection);
    const codec = await bundleCodec(key.format, bundles, algorithms, buffered);
    bundles.forEach(wipeBundle);
    return codec;
  }
}

/** The collection's bundles without duplicates, those of the newest crypto/keys first. */
function weaveBundles({ collectionKeys }: SyncKeyMaterial, collection: string): KeyBundle[] {
  if (collectionKeys.length === 0) {
    throw new SealwrightError('NEEDS_KEY', 'Load the keys of the collections first', {
      headerKeyId: 'crypto/keys',
    });
  }
  const all = collectionKeys.map((keys) => keys.collections.get(collection) ?? keys.default);
  const distinct = all.filter((bytes, i) => all.findIndex((each) => equal(each, bytes)) === i);
  return distinct.map(bundleOf);
}
