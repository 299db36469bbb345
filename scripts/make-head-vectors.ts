/*
 * Wrote test/sync/sealwright/vectors/heads.json, once. Run again, it must leave the file as it is.
 *
 *   npx tsx scripts/make-head-vectors.ts
 */
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { fromHex, toHex } from '../src/crypto/bytes.ts';
import { checkpoint, type SealedItem } from '../src/sync/sealwright/checkpoint.ts';
import { decodeChunk, decodeHead, headContext } from '../src/sync/sealwright/head-layout.ts';
import { sealwrightMessages } from '../src/sync/sealwright/messages.ts';
import { emptyList } from '../src/sync/sealwright/own-list.ts';
import { NATIVE_CRYPTO } from '../src/format/native-crypto.ts';
import { digester, type HeadVectors } from '../test/sync/sealwright/head-vectors.ts';

const FILE = new URL('../test/sync/sealwright/vectors/heads.json', import.meta.url);
const COLLECTION = 'notes';
const DEVICE = '0123456789abcdef';
const AT = 1_800_000_000_000;
const FIRST = toHex(run(0x00, 32));
const NEWEST = toHex(run(0x40, 32));

let salts = 0;
const messages = sealwrightMessages({
  collection: COLLECTION,
  keys: [NEWEST, FIRST].map(fromHex),
  salt: { salt: () => run(0x80 + 8 * salts++, 24) },
  cryptoFor: () => Promise.resolve(NATIVE_CRYPTO),
});
const digests = digester(FIRST, COLLECTION);
const crypto = {
  digests,
  seal: (id: string, content: Uint8Array) => messages.seal(headContext(COLLECTION, id), content),
};

/** Three records are written; then one is written again, and one is deleted. */
const WRITTEN = [
  { id: 'n1', payload: 'sw1.first', generation: 1 },
  { id: 'Grüße', payload: 'sw1.second', generation: 0 },
  { id: 'n3', payload: 'sw1.third', generation: Number.MAX_SAFE_INTEGER },
];
const LATER = [
  { id: 'n1', payload: 'sw1.fourth', generation: 2 },
  { id: 'Grüße', payload: null, generation: 1 },
];

const first = await checkpoint(emptyList(DEVICE), WRITTEN.map(changeOf), AT, crypto);
const second = await checkpoint(first.list, LATER.map(changeOf), AT, crypto);

const vectors: HeadVectors = {
  collection: COLLECTION,
  device: DEVICE,
  keys: [NEWEST, FIRST],
  records: [WRITTEN, LATER],
  checkpoints: await Promise.all(
    [first, second].map(async ({ head, chunks }) => ({
      head: { ...head, content: decodeHead(await contentOf(head)) },
      chunks: await Promise.all(
        chunks.map(async (chunk) => ({ ...chunk, content: decodeChunk(await contentOf(chunk)) })),
      ),
    })),
  ),
};
writeFileSync(FILE, await format(JSON.stringify(vectors), { parser: 'json', printWidth: 100 }));

function changeOf({ id, payload, generation }: HeadVectors['records'][number][number]) {
  const [digest, record] = digests([id, payload ?? ''].map((text) => Buffer.from(text)));
  return { id: digest!, name: id, record: payload === null ? null : record!, generation };
}

function contentOf({ id, payload }: SealedItem): Promise<Uint8Array> {
  return messages.open(headContext(COLLECTION, id), payload);
}

function run(first: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => first + i);
}
