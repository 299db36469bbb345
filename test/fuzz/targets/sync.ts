/* Records of sync services, and the keys that came with them. */
import { deepStrictEqual } from 'node:assert';
import { concat, toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { jsEngine } from '../../../src/engine/js/js.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { recordParts, recordText } from '../../../src/rpc/methods/sync-record.ts';
import { fromBase64, toBase64 } from '../../../src/sync/base64.ts';
import { OtherKeyError, SyncError } from '../../../src/sync/errors.ts';
import { parseJwe, writeJwe } from '../../../src/sync/key-sources/compact-jwe.ts';
import { openKeysJwe } from '../../../src/sync/key-sources/keys-jwe.ts';
import { readScopedKey } from '../../../src/sync/key-sources/scoped-key.ts';
import { readSyncKey, showSyncKey, syncUsername } from '../../../src/sync/key-sources/sync-key.ts';
import {
  dataOf,
  isLegacyAccount,
  keyNameIn,
  keyPairOf,
  readLegacyAccount,
  wrappedKeysOf,
} from '../../../src/sync/legacy/account.ts';
import { openLegacyRecord } from '../../../src/sync/legacy/record.ts';
import { notesCipher } from '../../../src/sync/notes/notes.ts';
import type { NotesCipher } from '../../../src/sync/notes/notes.ts';
import { recordCipher } from '../../../src/sync/record-cipher.ts';
import type { RecordAlgorithms, RecordCipher } from '../../../src/sync/record-cipher.ts';
import { sealwrightCodec } from '../../../src/sync/sealwright/codec.ts';
import {
  chunkId,
  decodeChunk,
  decodeHead,
  digestOf,
  encodeChunk,
  encodeHead,
  headContext,
  headId,
  readHeadId,
} from '../../../src/sync/sealwright/head-layout.ts';
import { sealwrightMessages } from '../../../src/sync/sealwright/messages.ts';
import { emptyList, listOf, partsOf } from '../../../src/sync/sealwright/own-list.ts';
import {
  decodeSealwrightContent,
  encodeSealwrightContent,
} from '../../../src/sync/sealwright/record.ts';
import { verify } from '../../../src/sync/sealwright/verify.ts';
import { openCollectionKeys } from '../../../src/sync/weave/collection-keys.ts';
import { sealPayloads } from '../../../src/sync/weave/encrypted-payload.ts';
import { openKintoRecord } from '../../../src/sync/weave/kinto-record.ts';
import { openWeaveRecord } from '../../../src/sync/weave/weave-record.ts';
import {
  accepted,
  acceptedLater,
  bytesIn,
  counting,
  Finding,
  latin1,
  require,
  requireSame,
  textIn,
} from '../target.ts';
import type { FuzzTarget } from '../target.ts';

const random = { bytes: (length: number) => counting(length, 3) };
const BUNDLE = { encryptionKey: counting(32), hmacKey: counting(32, 50) };
const IV = counting(16, 7);
const [ID, KEYS_ID] = ['abc', 'keys'];

async function algorithms(): Promise<RecordAlgorithms> {
  const probe = await jsEngine().probe();
  if (!probe.available) throw new Error('the engine js is always available');
  return probe.algorithms as RecordAlgorithms;
}

let made: Promise<RecordCipher> | undefined;
const cipher = (): Promise<RecordCipher> =>
  (made ??= algorithms().then((all) => recordCipher(all, BUNDLE)));

/** What stands in a record is sealed here, so that changes of it come past its HMAC. */
async function sealed(cleartext: string, bound?: string): Promise<string> {
  const prefix = bound === undefined ? undefined : (iv: Uint8Array) => concat(utf8(bound), iv);
  const draft = { iv: IV, cleartext: { text: cleartext }, ...(prefix && { bound: prefix }) };
  const [payload] = await sealPayloads(await cipher(), [draft]);
  return textIn(payload!);
}

const REFUSALS = [SyncError, AuthenticationError] as const;

const weave: FuzzTarget = {
  name: 'weave',
  files: [
    'src/sync/weave/parsed-payload.ts',
    'src/sync/weave/encrypted-payload.ts',
    'src/sync/weave/weave-record.ts',
    'src/sync/weave/kinto-record.ts',
    'src/sync/weave/collection-keys.ts',
    'src/sync/weave/bundle-records.ts',
    'src/sync/cleartext.ts',
    'src/sync/json-object.ts',
    'src/sync/base64.ts',
  ],
  sample: 500,
  words: ['{"ciphertext":"', '","IV":"', '","hmac":"', '"id":"abc"', '\\u0022', '"default":["'],
  async seeds() {
    const pair = [toBase64(counting(32)), toBase64(counting(32))];
    const keys = { id: KEYS_ID, default: pair, collections: { tabs: pair } };
    const payload = await sealed('{"id":"abc","title":"x"}');
    const spaced = JSON.stringify({ ...(JSON.parse(payload) as object), more: 1 }, null, 1);
    return [
      concat(Uint8Array.of(0), bytesIn(payload)),
      concat(Uint8Array.of(0), bytesIn(spaced)),
      concat(Uint8Array.of(1), bytesIn('{"id":"abc","title":"x"}')),
      concat(Uint8Array.of(1), bytesIn('{"deleted":true}')),
      concat(Uint8Array.of(2), bytesIn('{"id":"abc","data":[1,2]}')),
      concat(Uint8Array.of(3), bytesIn(JSON.stringify(keys))),
    ];
  },
  async fuzz(data) {
    const [kind, text] = [(data[0] ?? 0) % 4, textIn(data.subarray(1))];
    const payload = kind === 0 ? text : await sealed(text, kind === 2 ? ID : undefined);
    const one = await cipher();
    const records = [
      await acceptedLater(() => openWeaveRecord(one, ID, payload), ...REFUSALS),
      await acceptedLater(() => openKintoRecord(one, ID, payload), ...REFUSALS),
      await acceptedLater(() => openLegacyRecord(one, ID, payload, IV), ...REFUSALS),
    ];
    const [opened] = records;
    if (opened) require('a Weave record has its own id', opened['id'] === ID);
    if (opened && kind === 1) deepStrictEqual(opened, JSON.parse(text));
    const keys = await acceptedLater(() => openCollectionKeys(one, payload), ...REFUSALS);
    for (const bundle of keys ? [keys.default, ...keys.collections.values()] : []) {
      const isBundle = bundle.encryptionKey.length === 32 && bundle.hmacKey.length === 32;
      require('a bundle has two keys', isBundle);
    }
  },
};

function account(): string {
  const record = (id: string, payload: object) => ({ id, payload: JSON.stringify(payload) });
  const [salt, iv, keyData] = [counting(8), IV, counting(64)].map(toBase64);
  const encryption = 'https://weave.example/0.5/user/storage/crypto/history';
  return JSON.stringify({
    meta: [record('global', { storageVersion: 3 })],
    keys: [record('privkey', { salt, iv, keyData }), record('pubkey', { keyData })],
    crypto: [
      record('bookmarks', { keyring: { a: { wrapped: keyData, hmac: '00' } } }),
      record('history', { bulkIV: iv, keyring: { a: keyData } }),
    ],
    bookmarks: [record('a', { encryption: '../crypto/bookmarks', ciphertext: keyData })],
    history: [record('c', { encryption, ciphertext: keyData, hmac: 'x', IV: iv })],
  });
}

const legacy: FuzzTarget = {
  name: 'weave-legacy',
  files: ['src/sync/legacy/account.ts', 'src/sync/legacy/record.ts', 'src/sync/json-object.ts'],
  maxBytes: 4096,
  sample: 1_000,
  words: ['"payload":"', '\\"keyring\\":', '\\"bulkIV\\":', '/crypto/', '"__proto__":'],
  async seeds() {
    const one = await cipher();
    const messages = [{ params: { iv: IV }, data: bytesIn('[{"id":"abc","a":1}]') }];
    const [data] = await one.encryptMany(messages);
    const old = JSON.stringify({ ciphertext: toBase64(data!), encryption: '../crypto/x' });
    return [account(), old].map(bytesIn);
  },
  async fuzz(data) {
    const text = textIn(data);
    const isAccount = isLegacyAccount(text);
    const read = accepted(() => readLegacyAccount(text), SyncError);
    require('an account has keys', !read || !isAccount || read.has('keys'));
    for (const [name, records] of read ? dataOf(read) : []) {
      accepted(() => wrappedKeysOf(read!, name), SyncError);
      for (const { payload } of records) keyNameIn(payload);
    }
    if (read) accepted(() => keyPairOf(read), SyncError);
    keyNameIn(text);
    const one = await cipher();
    await acceptedLater(() => openLegacyRecord(one, ID, text, IV), ...REFUSALS);
    await acceptedLater(() => openLegacyRecord(one, ID, text), ...REFUSALS);
  },
};

/** The application's key pair of the published example of RFC 7517, appendix A.2. */
const OWN_JWK = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE',
} as const;
const NOTES_KEY = { key: counting(32), kid: 'kid-1' };

let notes: Promise<NotesCipher> | undefined;
const notesOnce = (): Promise<NotesCipher> =>
  (notes ??= algorithms().then((all) => notesCipher(all, NOTES_KEY, random)));

const jwe: FuzzTarget = {
  name: 'jwe',
  files: [
    'src/sync/key-sources/compact-jwe.ts',
    'src/sync/key-sources/keys-jwe.ts',
    'src/sync/key-sources/scoped-key.ts',
    'src/sync/notes/notes.ts',
    'src/sync/cleartext.ts',
  ],
  sample: 300,
  words: ['"apu":"', '"apv":"', '"epk":', '"zip":"DEF"', '"crit":[]', '"kid":"kid-1"'],
  async seeds() {
    const { kty, crv, x, y } = OWN_JWK;
    const epk = { kty, crv, x, y };
    const header = { alg: 'ECDH-ES', enc: 'A256GCM', epk, apu: 'AAAA', apv: 'AAAA' };
    const ofKeys = writeJwe('', new Uint8Array(0), counting(12), counting(40), counting(16));
    const jwk = { kty: 'oct', k: toBase64url(counting(64)), kid: '1-x', scope: 's' };
    const record = textIn(await (await notesOnce()).seal({ content: 'x' }));
    return [
      // The header in clear: changes of its Base64 would hardly ever be JSON.
      concat(Uint8Array.of(0), bytesIn(`${JSON.stringify(header)}${ofKeys}`)),
      concat(Uint8Array.of(1), bytesIn(record)),
      concat(Uint8Array.of(2), bytesIn(JSON.stringify(jwk))),
    ];
  },
  async fuzz(data) {
    const [kind, given] = [(data[0] ?? 0) % 3, latin1(data.subarray(1))];
    const text = kind === 0 ? withEncodedHeader(given) : given;
    const parsed = accepted(() => parseJwe(text), SyncError);
    if (parsed) {
      const { protectedText, encryptedKey, iv, ciphertext, tag } = parsed;
      const again = writeJwe(protectedText, encryptedKey, iv, ciphertext, tag);
      require('a JWE is written as it was', again === text);
      await acceptedLater(() => openKeysJwe(text, OWN_JWK), ...REFUSALS, RangeError);
      const one = await notesOnce();
      await acceptedLater(() => one.open(text), ...REFUSALS, OtherKeyError);
    }
    const value: unknown = kind === 2 ? jsonOrText(given) : undefined;
    const key = accepted(() => readScopedKey(value), RangeError);
    require('32 or 64 bytes', !key || key.key.length === 32 || key.key.length === 64);
  },
};

function withEncodedHeader(text: string): string {
  const end = text.lastIndexOf('}') + 1;
  return `${toBase64url(new Uint8Array(Buffer.from(text.slice(0, end), 'latin1')))}${text.slice(end)}`;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

const PARTS = {
  collection: 'notes',
  keys: [counting(32)],
  salt: { salt: () => counting(24) },
  cryptoFor: () => Promise.resolve(NATIVE_CRYPTO),
};
const codec = sealwrightCodec(PARTS);

const records: FuzzTarget = {
  name: 'sync-records',
  files: [
    'src/sync/sealwright/codec.ts',
    'src/sync/sealwright/record.ts',
    'src/sync/key-sources/sync-key.ts',
    'src/sync/base64.ts',
    'src/sync/cleartext.ts',
    'src/rpc/methods/sync-record.ts',
  ],
  sample: 500,
  async seeds() {
    const [record] = await codec.encrypt([{ id: ID, payload: { a: 1 }, generation: 3 }]);
    if (record?.status !== 'fulfilled') throw new Error('the seed cannot be sealed');
    const content = encodeSealwrightContent({ payload: { a: 1 }, generation: 3 });
    const texts = [showSyncKey(counting(16)), toBase64(IV), recordText(ID, '3', '{"a":1}')];
    return [record.value, content, ...texts.map(bytesIn)];
  },
  async fuzz(data) {
    const text = latin1(data);
    const [opened] = await codec.decrypt([{ id: ID, payload: text, generation: 1 }]);
    const allowed = [SyncError, AuthenticationError, OtherKeyError, EnvelopeError];
    if (opened?.status === 'rejected') accepted(() => raise(opened.reason), ...allowed);
    const content = accepted(() => decodeSealwrightContent(data.slice(), 1), AuthenticationError);
    if (content) {
      const again = decodeSealwrightContent(encodeSealwrightContent(content), 1);
      deepStrictEqual(again, content);
    }
    const key = accepted(() => readSyncKey(text), RangeError);
    if (key) requireSame('the Sync Key', readSyncKey(showSyncKey(key)), key);
    syncUsername(textIn(data));
    const parts = recordParts(data);
    if (parts) {
      const { id, generation, payload } = parts;
      requireSame('a record', concat(data.subarray(0, 3), id, generation, payload), data);
    }
    const bytes = fromBase64(text);
    if (bytes) requireSame('Base64', fromBase64(toBase64(bytes)) ?? counting(1), bytes);
  },
};

const messages = sealwrightMessages(PARTS);
const DEVICE = '0123456789abcdef';
const [OWN, LISTED] = ['00000000000000aa', '00000000000000bb'];

/** Digests that anybody can compute, so that the search can match them. */
const openDigest = (text: Uint8Array): string =>
  digestOf(concat(text.subarray(-8), new Uint8Array(8)));

/** What stands in a head or a chunk is sealed here, so that changes of it come past the tag. */
const sealedItem = async (id: string, content: Uint8Array) => {
  const payload = await messages.seal(headContext('notes', id), content);
  return { id, payload };
};

const heads: FuzzTarget = {
  name: 'sync-heads',
  files: [
    'src/sync/sealwright/head-layout.ts',
    'src/sync/sealwright/messages.ts',
    'src/sync/sealwright/verify.ts',
  ],
  sample: 300,
  words: [`sealwright-head-${DEVICE}`, '-0', '-111', 'sw1.'],
  async seeds() {
    const entries = [
      { id: OWN, record: LISTED, generation: 3 },
      { id: LISTED, record: null, generation: 4 },
    ];
    const chunk = encodeChunk({ count: 2, before: [OWN], entries });
    const head = encodeHead({ count: 2, before: [LISTED], chunks: [OWN] });
    const { payload } = await sealedItem(headId(DEVICE), head);
    return [
      concat(Uint8Array.of(0), head),
      concat(Uint8Array.of(1), chunk),
      concat(Uint8Array.of(2), payload),
      concat(Uint8Array.of(3), bytesIn(chunkId(DEVICE, 7))),
    ];
  },
  async fuzz(data) {
    const [kind, given] = [(data[0] ?? 0) % 4, data.slice(1)];
    const head = accepted(() => decodeHead(given), SyncError);
    if (head) requireSame('a head', encodeHead(head), given);
    const chunk = accepted(() => decodeChunk(given), SyncError);
    if (chunk) requireSame('a chunk', encodeChunk(chunk), given);
    const place = readHeadId(latin1(given));
    if (place) {
      const { device, number } = place;
      const id = number === undefined ? headId(device) : chunkId(device, number);
      require('the id of a head', id === latin1(given));
    }

    const first = chunkId(DEVICE, 0);
    const listed = kind === 1 ? await sealedItem(first, given) : { id: first, payload: given };
    const heading = encodeHead({ count: 1, before: [], chunks: [openDigest(listed.payload)] });
    const shown = [
      kind === 0
        ? await sealedItem(headId(DEVICE), given)
        : await sealedItem(headId(DEVICE), heading),
      listed,
      ...(kind === 2 ? [{ id: headId(OWN), payload: given }] : []),
      ...(kind === 3 ? [{ id: latin1(given), payload: listed.payload }] : []),
    ];
    const records = [{ id: ID, payload: given }];
    const crypto = {
      digests: (texts: readonly Uint8Array[]) => texts.map(openDigest),
      open: (item: { readonly id: string; readonly payload: Uint8Array }) =>
        messages.open(headContext('notes', item.id), latin1(item.payload)),
      generations: (all: readonly unknown[]) => Promise.resolve(all.map(() => 1)),
    };
    const work = verify(emptyList(OWN), records, shown, 0, crypto, () => LISTED);
    const found = await acceptedLater(() => work, SyncError, OtherKeyError);
    if (!found) return;
    const { ok, missing, missingCount, rolledBack, forked } = found.report;
    require('no more are named than are missing', missing.length <= missingCount);
    require('an alarm has a reason', ok === (missingCount + rolledBack.length === 0 && !forked));
    deepStrictEqual(listOf(partsOf(found.list)), found.list);
  },
};

function raise(error: unknown): never {
  throw error instanceof Error ? error : new Finding(`rejected with ${typeof error}`);
}

export const SYNC_TARGETS: readonly FuzzTarget[] = [weave, legacy, jwe, records, heads];
