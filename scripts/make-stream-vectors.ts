/*
 * Wrote test/format/vectors/streams.json, once: messages of purpose 3, which are suite 02 at any
 * length. Run again, it must leave the file as it is.
 *
 *   npx tsx scripts/make-stream-vectors.ts
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { toHex } from '../src/crypto/bytes.ts';
import { inspect } from '../src/format/wire/inspect.ts';
import { contentOf, sealOptions } from '../test/format/message-vectors.ts';
import { sealedInPieces } from '../test/format/stream-message.ts';

const FILE = new URL('../test/format/vectors/streams.json', import.meta.url);
const MIB = 1_048_576;
/** Longer messages are kept as a hash alone. */
const KEPT_BYTES_MAX = 200;
const COMMON = {
  key: toHex(Uint8Array.from({ length: 32 }, (_, i) => i)),
  keyId: toHex(Uint8Array.from({ length: 16 }, (_, i) => 0xa0 + i)),
  purpose: 'stream',
  origin: 'https://example.org',
  associatedData: toHex(new TextEncoder().encode('file 7')),
  recipientKeys: [],
} as const;

const drafts = [
  ...[0, 1, 16_384, MIB - 1, MIB, MIB + 1, 2 * MIB].map((length) => ({ length, pad: false })),
  ...[0, 100, MIB - 1, MIB].map((length) => ({ length, pad: true })),
];

const vectors = [];
for (const { length, pad } of drafts) {
  const id = `stream-${length}${pad ? '-padded' : ''}`;
  const salt = createHash('sha256').update(id).digest('hex').slice(0, 48);
  const given = { ...COMMON, id, comment: '', salt, pad, message: { patternBytes: length } };
  const options = { ...sealOptions(given), salt: undefined };
  const salted = Uint8Array.from(Buffer.from(salt, 'hex'));
  const sealed = await sealedInPieces(options, salted, contentOf(given.message), MIB);
  vectors.push({
    ...given,
    comment: `${length} bytes${pad ? ', padded' : ''}, as a stream`,
    sealedBytes: sealed.length,
    sealedSha256: createHash('sha256').update(sealed).digest('hex'),
    sealed: sealed.length <= KEPT_BYTES_MAX ? toHex(sealed) : null,
    info: inspect(sealed),
  });
}
const json = await format(JSON.stringify(vectors), { parser: 'json', printWidth: 100 });
writeFileSync(FILE, json);
