/*
 * Wrote test/format/vectors/attributes.json and signed.json, once. Run again, it must leave both as they are.
 *
 *   npx tsx scripts/make-attribute-vectors.ts
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { fromHex, toHex } from '../src/crypto/bytes.ts';
import { sealMessage } from '../src/format/message.ts';
import { proofText } from '../src/format/recipients/proof-text.ts';
import { inspect } from '../src/format/wire/inspect.ts';
import {
  attributeSealOptions,
  attributesFor,
  publicOf,
  signerOf,
  type AttributeInputs,
  type AttributeVector,
  type SignedVector,
} from '../test/format/attribute-vectors.ts';
import type { TypedKey } from '../test/format/shared-vectors.ts';

const FILE = new URL('../test/format/vectors/attributes.json', import.meta.url);
const SIGNED_FILE = new URL('../test/format/vectors/signed.json', import.meta.url);
const KEY_ID = toHex(run(0xa0, 16));
const NO_KEY_ID = '00'.repeat(16);
const MESSAGE = toHex(Buffer.from('shared', 'utf8'));

const alice: TypedKey = { type: 2, key: toHex(run(0x20, 32)) };
const bob: TypedKey = { type: 2, key: toHex(run(0x60, 32)) };
const carol: TypedKey = { type: 1, key: toHex(run(0x40, 32)) };
const mallory: TypedKey = { type: 1, key: toHex(run(0x80, 32)) };
const self: TypedKey = { type: 3, key: toHex(run(0x00, 32)) };
const photo = { name: 'holiday (2).png', type: 'image/png' };

const signer = toHex(run(0xc0, 32));
const signedVectors = [
  await signed('signed-text', 'a text of a field to Bob, padded', [bob], {
    purpose: 'field',
    pad: true,
    message: toHex(Buffer.from('Grüße, Ada 🙂', 'utf8')),
  }),
  await signed('signed-file', 'a file to Bob, Carol and oneself, no text', [bob, carol, self], {
    keyId: KEY_ID,
    file: photo,
    purpose: 'stream',
    message: 'ff00fe',
  }),
  await signed('signed-bound', 'bound to an origin and a context', [bob], {
    origin: 'https://example.org',
    associatedData: '726f7700736576656e',
  }),
  await signed('signed-untagged', 'a signature without tags: whose it is nothing says', [bob], {
    sender: null,
  }),
  await signed('signed-moved', 'the signature, and the tags, of another message', [bob], {
    tagged: toHex(Buffer.from('other', 'utf8')),
  }),
];
const vectors = [
  await made('text', 'a text of Alice to Bob', [bob], {}),
  await made(
    'older-key',
    'the sender has an X-Wing key, one recipient an X25519 key',
    [carol, bob],
    {},
  ),
  await made('from-x25519', 'the sender has an X25519 key', [bob], { sender: carol }),
  await made('file', 'a file to Bob and to oneself', [bob, self], {
    keyId: KEY_ID,
    file: photo,
    purpose: 'stream',
  }),
  await made('own-file', 'a file for oneself alone, under a named key', [self], {
    keyId: KEY_ID,
    file: { name: 'Überraschung 写真.tar.gz', type: '' },
  }),
  await made('bound', 'bound to an origin and a context, padded', [bob, self], {
    keyId: KEY_ID,
    origin: 'https://example.org',
    associatedData: '726f7700736576656e',
    pad: true,
  }),
  await made('anonymous', 'a file without tags', [bob], { sender: null, file: photo }),
  await made('long-name', 'attributes of 2,048 bytes', [bob], {
    file: { name: '写'.repeat(255), type: 'x'.repeat(255) },
  }),
  await made('reused', 'an insider sealed another message with the tags of one', [carol, bob], {
    tagged: toHex(Buffer.from('other', 'utf8')),
  }),
];
for (const [file, content] of [
  [FILE, vectors],
  [SIGNED_FILE, signedVectors],
] as const) {
  writeFileSync(file, await format(JSON.stringify(content), { parser: 'json', printWidth: 100 }));
}

async function signed(
  id: string,
  comment: string,
  identities: readonly TypedKey[],
  how: Partial<AttributeInputs>,
): Promise<SignedVector> {
  const vector = await made(id, comment, identities, { ...how, signer });
  const found = await attributesFor(vector, identities[0]!, vector.from[0]!.key);
  const valid = typeof found.signed === 'object';
  const message = vector.purpose === 'field' ? fromHex(vector.message) : undefined;
  const { publicKey } = await signerOf(fromHex(signer));
  return {
    ...vector,
    signer,
    signed: { publicKey: toHex(publicKey), valid },
    proof: typeof found.signed === 'object' ? proofText(found.signed, message) : null,
  };
}

async function made(
  id: string,
  comment: string,
  identities: readonly TypedKey[],
  how: Partial<AttributeInputs>,
): Promise<AttributeVector> {
  const shown = await Promise.all(
    identities.map(async (each) => {
      const { type, key } = await publicOf(each);
      return { type, key: toHex(key) };
    }),
  );
  const given: AttributeInputs = {
    id,
    comment,
    purpose: 'page',
    origin: null,
    associatedData: '',
    pad: false,
    keyId: NO_KEY_ID,
    salt: toHex(createHash('sha256').update(`attributes ${id}`).digest().subarray(0, 24)),
    recipients: shown,
    identities,
    message: MESSAGE,
    file: null,
    sender: alice,
    tagged: null,
    ...how,
  };
  const options = await attributeSealOptions(given);
  const sealed = await sealMessage(options, fromHex(given.message));
  const message = { ...given, sealed: toHex(sealed) };
  const from = [];
  for (const key of [alice, carol, mallory, self]) {
    const of = await publicOf(key);
    const shownKey = { type: of.type, key: toHex(of.key) };
    const proven = [];
    for (const identity of identities) {
      proven.push((await attributesFor(message, identity, shownKey)).isFrom);
    }
    from.push({ key: shownKey, proven });
  }
  return { ...message, info: inspect(sealed), from };
}

function run(first: number, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, i) => first + i);
}
