/*
 * Wrote test/format/vectors/*.json, once. Run again, it must leave them as they are: a difference
 * means that the format has changed, and version 1 never does.
 *
 *   npx tsx scripts/make-format-vectors.ts
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { armor } from '../src/format/wire/armor.ts';
import { ChunkSealer } from '../src/format/chunks/chunks.ts';
import { deriveChunkKeys } from '../src/format/keys/chunk-keys.ts';
import { COBBLESTONE_256 } from '../src/format/wire/suites.ts';
import { WEB_ALPHABET, webArmor } from '../src/format/wire/web-armor.ts';
import { messageContext } from '../src/format/wire/context.ts';
import { encodeHeader, type Flags, type Purpose } from '../src/format/wire/header.ts';
import { inspect } from '../src/format/wire/inspect.ts';
import { deriveInputKey } from '../src/format/keys/input-key.ts';
import { sealMessage } from '../src/format/message.ts';
import { NATIVE_CRYPTO } from '../src/format/native-crypto.ts';
import { contentOf, sealOptions } from '../test/format/message-vectors.ts';
import type {
  ArmorVectors,
  Content,
  MessageVector,
  RefusedVector,
  WebArmorVectors,
} from '../test/format/message-vectors.ts';

const FOLDER = new URL('../test/format/vectors/', import.meta.url);
/** Longer messages are kept as a hash alone. */
const KEPT_BYTES_MAX = 600;
const KEY = run(0x00, 32);
const KEY_ID = run(0xa0, 16);
const ORIGIN = 'https://example.org';

type Draft = Partial<MessageVector> & Pick<MessageVector, 'id' | 'comment'>;

const text = (words: string): Content => ({ hex: hex(Buffer.from(words, 'utf8')) });
const bytes = (patternBytes: number): Content => ({ patternBytes });

const DRAFTS: readonly Draft[] = [
  { id: 'empty', comment: 'empty message: one empty chunk', message: bytes(0) },
  { id: 'one-byte', comment: 'one byte', message: bytes(1) },
  { id: 'text', comment: 'UTF-8 text', message: text('Grüße, 你好') },
  { id: 'chunk-minus-1', comment: '16,383 bytes: one chunk', message: bytes(16_383) },
  { id: 'chunk', comment: '16,384 bytes: a full chunk and an empty one', message: bytes(16_384) },
  { id: 'chunk-plus-1', comment: '16,385 bytes: two chunks', message: bytes(16_385) },
  { id: 'suite-01-longest', comment: '1 MiB: suite 01', message: bytes(1_048_576) },
  { id: 'suite-02-shortest', comment: '1 MiB and 1 byte: suite 02', message: bytes(1_048_577) },
  {
    id: 'suite-02-two-chunks',
    comment: '2 MiB: ends in an empty chunk',
    message: bytes(2_097_152),
  },
  { id: 'suite-02-257-kib', comment: '3 MiB and 257 KiB', message: bytes(3_408_896) },
  ...(['page', 'field', 'stream', 'vault', 'backup', 'sync'] as const).map((purpose: Purpose) => ({
    id: `purpose-${purpose}`,
    comment: `purpose "${purpose}", not padded`,
    purpose,
    message: text('purpose'),
  })),
  { id: 'origin', comment: 'bound to an origin', origin: ORIGIN, message: text('bound') },
  {
    id: 'origin-port',
    comment: 'an origin with a port is another origin',
    origin: 'http://localhost:8080',
    message: text('bound'),
  },
  {
    id: 'associated-data',
    comment: 'associated data, with a zero byte',
    associatedData: '726f7700736576656e',
    message: text('row seven'),
  },
  {
    id: 'everything',
    comment: 'origin, associated data and padding at once',
    origin: ORIGIN,
    associatedData: '00ff',
    pad: true,
    message: text('everything'),
  },
  ...[0, 30, 31, 32, 100, 1000].map((length) => ({
    id: `padded-${length}`,
    comment: `padded message of ${length} bytes`,
    purpose: 'field' as const,
    pad: true,
    message: bytes(length),
  })),
  {
    id: 'padded-ends-in-marker',
    comment: 'a padded message whose own last bytes look like padding',
    pad: true,
    message: { hex: '0180000080' },
  },
  {
    id: 'padded-into-suite-02',
    comment: '1 MiB is longer than 1 MiB when padded: suite 02',
    pad: true,
    message: bytes(1_048_576),
  },
  {
    id: 'recipient',
    comment: 'one recipient of the test type, no header key id',
    keyId: run(0, 16, 0),
    recipientKeys: [run(0x40, 32)],
    message: text('shared'),
  },
  {
    id: 'recipients',
    comment: 'two recipients of the test type, origin, padding',
    recipientKeys: [run(0x40, 32), run(0x80, 32)],
    origin: ORIGIN,
    pad: true,
    message: text('shared'),
  },
];

const messages = await Promise.all(DRAFTS.map(finish));
await write('messages.json', messages);
await write('refused.json', await refused());
await write('armor.json', armors());
await write('web-armor.json', webArmors());

async function finish(draft: Draft): Promise<MessageVector> {
  const given = {
    key: KEY,
    keyId: KEY_ID,
    purpose: 'page' as const,
    origin: null,
    associatedData: '',
    pad: false,
    salt: hex(createHash('sha256').update(draft.id).digest().subarray(0, 24)),
    recipientKeys: [],
    message: bytes(0),
    ...draft,
  };
  const sealed = await sealMessage(sealOptions(given), contentOf(given.message));
  return {
    ...given,
    sealed: sealed.length <= KEPT_BYTES_MAX ? hex(sealed) : null,
    sealedBytes: sealed.length,
    sealedSha256: createHash('sha256').update(sealed).digest('hex'),
    info: inspect(sealed),
  };
}

/** Everything that has to fail, each with the error it has to fail with. */
async function refused(): Promise<RefusedVector[]> {
  const vectors: RefusedVector[] = [];
  const add = (
    error: RefusedVector['error'],
    comment: string,
    sealed: string,
    known: Partial<RefusedVector> = {},
  ) => {
    const id = `refused-${vectors.length + 1}`;
    const own = { key: KEY, purpose: 'page' as const, origin: null, associatedData: '' };
    vectors.push({ id, comment, ...own, identityKeys: null, ...known, sealed, error });
  };
  const plain = sealedOf('text');

  add('BAD_ENVELOPE', 'nothing at all', '');
  add('BAD_ENVELOPE', '23 bytes: a header cut off', plain.slice(0, 46));
  add('BAD_ENVELOPE', 'a header alone', plain.slice(0, 48));
  add('BAD_ENVELOPE', 'header and salt alone', plain.slice(0, 96));
  add('BAD_ENVELOPE', '80 bytes: no chunk', plain.slice(0, 160));
  add('BAD_ENVELOPE', '95 bytes: a tag cut off', plain.slice(0, 190));
  [0, 1, 2, 3].forEach((at) =>
    add('BAD_ENVELOPE', `byte ${at} of the magic altered`, flipped(plain, at)),
  );
  add('BAD_ENVELOPE', 'version 0', withByte(plain, 4, 0));
  add('BAD_ENVELOPE', 'version 2', withByte(plain, 4, 2));
  add('BAD_ENVELOPE', 'suite 0', withByte(plain, 5, 0));
  add('BAD_ENVELOPE', 'suite 3', withByte(plain, 5, 3));
  [3, 4, 5, 6, 7].forEach((bit) =>
    add('BAD_ENVELOPE', `unknown flag bit ${bit}`, withByte(plain, 6, 2 ** bit)),
  );
  add('BAD_ENVELOPE', 'purpose 0', withByte(plain, 7, 0));
  add('BAD_ENVELOPE', 'purpose 7', withByte(plain, 7, 7));

  add('AUTH_FAILED', 'suite 01 relabelled as 02', withByte(plain, 5, 2));
  add('AUTH_FAILED', 'relabelled as padded', withByte(plain, 6, 4));
  add('AUTH_FAILED', 'relabelled as bound to an origin', withByte(plain, 6, 2), { origin: ORIGIN });
  add('AUTH_FAILED', 'origin bit cleared', withByte(sealedOf('origin'), 6, 0), { origin: ORIGIN });
  add('AUTH_FAILED', 'purpose relabelled', withByte(plain, 7, 2), { purpose: 'field' });
  for (const [name, at] of Object.entries({ 'key id': 8, salt: 24, commitment: 48, chunk: 80 })) {
    add('AUTH_FAILED', `one bit of the ${name} flipped`, flipped(plain, at));
  }
  add('AUTH_FAILED', 'one bit of the tag flipped', flipped(plain, plain.length / 2 - 1));
  add('AUTH_FAILED', 'last byte cut off', plain.slice(0, -2));
  add('AUTH_FAILED', 'one byte appended', `${plain}00`);
  add('AUTH_FAILED', 'another message appended', plain + plain);

  add('AUTH_FAILED', 'another key', plain, { key: run(0x01, 32) });
  add('AUTH_FAILED', 'another purpose', plain, { purpose: 'stream' });
  add('AUTH_FAILED', 'another origin', sealedOf('origin'), { origin: 'https://example.com' });
  add('AUTH_FAILED', 'no origin', sealedOf('origin'));
  add('AUTH_FAILED', 'associated data missing', sealedOf('associated-data'));
  add('AUTH_FAILED', 'associated data not expected', plain, { associatedData: '00' });

  const identityKeys = [run(0x40, 32)];
  const shared = sealedOf('recipient');
  add('AUTH_FAILED', 'a shared message opened as an own one', shared);
  add('AUTH_FAILED', 'an identity that is no recipient', shared, { identityKeys: [run(0x41, 32)] });
  add('AUTH_FAILED', 'entry id altered', flipped(shared, 29), { identityKeys });
  add('AUTH_FAILED', 'entry body altered', flipped(shared, 60), { identityKeys });
  add('AUTH_FAILED', 'entry of an unknown type', withByte(shared, 26, 9), { identityKeys });
  add('BAD_ENVELOPE', 'recipients cut off', shared.slice(0, 100), { identityKeys });
  add('BAD_ENVELOPE', 'recipients of 0 bytes', withByte(withByte(shared, 24, 0), 25, 0));
  add('BAD_ENVELOPE', 'section ends inside an entry', withByte(shared, 25, 0x7a), { identityKeys });
  add('BAD_ENVELOPE', 'entry shorter than its id', withByte(shared, 28, 15), { identityKeys });
  add('TOO_LARGE', 'recipients of 24,577 bytes', shared.slice(0, 48) + '6001' + shared.slice(52));
  add('TOO_LARGE', '17 recipients', withEntries(17), { identityKeys });

  const padding = { recipients: false, originBound: false, padded: true };
  const body = async (contentHex: string) => hex(await sealBody(contentHex, padding, 1));
  add('AUTH_FAILED', 'padded, but empty', await body(''));
  add('AUTH_FAILED', 'padded, but zeros alone', await body(run(0, 32, 0)));
  add('AUTH_FAILED', 'padding does not begin with 80', await body(`0181${run(0, 30, 0)}`));
  add('AUTH_FAILED', 'one zero missing', await body(`0180${run(0, 29, 0)}`));
  add('AUTH_FAILED', 'one zero too many', await body(`0180${run(0, 31, 0)}`));
  add('AUTH_FAILED', 'padded to 64 where 32 is enough', await body(`0180${run(0, 62, 0)}`));

  const bound = { recipients: false, originBound: true, padded: false };
  add('AUTH_FAILED', 'bound to an empty origin', hex(await sealBody('00', bound, 1)));
  return vectors;
}

/** What a faulty writer would make: any body under any flags. */
async function sealBody(contentHex: string, flags: Flags, suite: 1 | 2): Promise<Uint8Array> {
  const header = encodeHeader({ suite, purpose: 'page', flags, headerKeyId: unhex(KEY_ID) });
  const none = new Uint8Array(0);
  const context = messageContext({ header, recipients: none, origin: '', associatedData: none });
  const inputKey = await deriveInputKey(NATIVE_CRYPTO, unhex(KEY), 'page', suite);
  const salt = unhex(run(0x60, 24));
  const keys = await deriveChunkKeys(NATIVE_CRYPTO, COBBLESTONE_256, inputKey, salt, context);
  const aead = await NATIVE_CRYPTO.aesGcm(keys.key);
  const sealer = new ChunkSealer(aead, keys.baseNonce, COBBLESTONE_256.chunkBytes);
  return Buffer.concat([header, salt, keys.commitment, await sealer.seal(unhex(contentHex))]);
}

function armors(): ArmorVectors {
  const sealed = ['empty', 'one-byte', 'text', 'origin'].map(sealedOf);
  const line = armor(unhex(sealed[0]!));
  return {
    valid: sealed.map((one) => ({ sealed: one, text: armor(unhex(one)) })),
    refused: [
      { comment: 'no prefix', text: line.slice(4) },
      { comment: 'another prefix', text: `sw2.${line.slice(4)}` },
      { comment: 'prefix in capitals', text: `SW1.${line.slice(4)}` },
      { comment: 'padding', text: `${line.slice(0, -1)}=` },
      { comment: 'padding appended', text: `${armor(unhex(sealed[1]!))}==` },
      { comment: 'space before', text: ` ${line}` },
      { comment: 'line end after', text: `${line}\n` },
      { comment: 'line end inside', text: `${line.slice(0, 40)}\n${line.slice(40)}` },
      { comment: 'the other alphabet', text: `sw1.+${line.slice(5)}` },
      { comment: 'a single last character', text: `${line}A` },
      { comment: 'unused bits not zero', text: `${line}AB` },
      { comment: 'a letter outside ASCII', text: `sw1.ä${line.slice(5)}` },
    ],
  };
}

function webArmors(): WebArmorVectors {
  const sealed = ['empty', 'one-byte', 'text', 'origin', 'padded-100'].map(sealedOf);
  const [word = '', other = ''] = sealed.map((one) => webArmor(unhex(one)));
  const last = word.at(-2)!;
  return {
    valid: sealed.map((one) => ({ sealed: one, text: webArmor(unhex(one)) })),
    read: [
      { comment: 'in capitals', text: word.toUpperCase() },
      { comment: 'in lines', text: ` ${word.slice(0, 64)}\r\n\t${word.slice(64)}\n` },
      { comment: 'cut in its prefix', text: `SW t1${word.slice(4)}` },
    ].map((one) => ({ ...one, sealed: sealed[0]! })),
    refused: [
      { comment: 'the prefix alone', text: 'swt1' },
      { comment: 'nothing but an end', text: 'swt10' },
      { comment: 'no prefix', text: word.slice(4) },
      { comment: 'another prefix', text: `swt2${word.slice(4)}` },
      { comment: 'no end', text: word.slice(0, -1) },
      { comment: 'two ends', text: `${word}0` },
      { comment: 'half of it', text: word.slice(0, 80) },
      { comment: 'two digits missing', text: word.slice(0, 60) + word.slice(62) },
      { comment: 'two digits added', text: `${word.slice(0, 60)}ab${word.slice(60)}` },
      { comment: 'two digits exchanged', text: exchanged(word, 100) },
      { comment: 'another length', text: `swt1aaaa${word.slice(8)}` },
      { comment: 'the checksum of another message', text: word.slice(0, -8) + other.slice(-8) },
      { comment: 'unused bits not zero', text: `${word.slice(0, -2)}${after(last)}0` },
      { comment: 'a letter that is no digit', text: `${word.slice(0, 40)}i${word.slice(41)}` },
      { comment: 'a hyphen', text: `${word.slice(0, 40)}-${word.slice(40)}` },
      { comment: 'a no-break space', text: `${word.slice(0, 40)}\u00a0${word.slice(40)}` },
      { comment: 'a letter whose small form is of ASCII', text: word.replace('k', '\u212a') },
      { comment: 'words after it', text: `${word} and` },
    ],
  };
}

/** Two different digits that stand side by side, from a place on, in the other order. */
function exchanged(word: string, from: number): string {
  let at = from;
  while (word[at] === word[at + 1]) at++;
  return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
}

/** The digit whose lowest bit alone differs. */
function after(digit: string): string {
  return WEB_ALPHABET[WEB_ALPHABET.indexOf(digit) ^ 1]!;
}

/** A message with that many entries of the smallest size: id, no body. */
function withEntries(count: number): string {
  const shared = sealedOf('recipient');
  const entries = run(0, count, 0).replaceAll('00', `ff0010${run(0x20, 16)}`);
  const length = (entries.length / 2).toString(16).padStart(4, '0');
  return shared.slice(0, 48) + length + entries + shared.slice(-2 * (56 + 16 + 6));
}

function sealedOf(id: string): string {
  const sealed = messages.find((message) => message.id === id)?.sealed;
  if (!sealed) throw new Error(`no short message ${id}`);
  return sealed;
}

function withByte(sealed: string, at: number, value: number): string {
  const altered = unhex(sealed);
  altered[at] = value;
  return hex(altered);
}

function flipped(sealed: string, at: number): string {
  return withByte(sealed, at, unhex(sealed)[at]! ^ 1);
}

/** `count` bytes from `first` on, each `step` more than the one before. */
function run(first: number, count: number, step = 1): string {
  return hex(Uint8Array.from({ length: count }, (_, i) => first + step * i));
}

function hex(content: Uint8Array): string {
  return Buffer.from(content).toString('hex');
}

function unhex(digits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

async function write(name: string, content: unknown): Promise<void> {
  const json = await format(JSON.stringify(content), { parser: 'json', printWidth: 100 });
  writeFileSync(new URL(name, FOLDER), json);
}
