/*
 * Wrote test/format/vectors/shared.json and passphrase.json, once. Run again, it must leave the files as they are:
 * version 1 of the format never changes.
 *
 *   npx tsx scripts/make-shared-vectors.ts
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { concat, fromHex, toHex, u16be } from '../src/crypto/bytes.ts';
import { ARGON2ID_COST, ARGON2ID_MIN, preparePassphrase } from '../src/format/passphrase.ts';
import { loadX25519 } from '../src/engine/kem/x25519.ts';
import { xWingKem } from '../src/engine/kem/x-wing-kem.ts';
import { inspect } from '../src/format/wire/inspect.ts';
import { sealMessage } from '../src/format/message.ts';
import { sharedSealOptions } from '../test/format/shared-vectors.ts';
import type { SharedRefusal, SharedVector, TypedKey } from '../test/format/shared-vectors.ts';

const FOLDER = new URL('../test/format/vectors/', import.meta.url);
const ORIGIN = 'https://example.org';
const KEY_ID = run(0xa0, 16);
const NO_KEY_ID = '00'.repeat(16);
const MESSAGE = toHex(Buffer.from('shared', 'utf8'));

interface Pair {
  readonly own: TypedKey;
  readonly shown: TypedKey;
}

const x25519 = await loadX25519();
const alice = await pair(1, run(0x40, 32));
const bob = await pair(1, run(0x80, 32));
const carol = await pair(2, run(0x20, 32));
const dave = await pair(2, run(0x60, 32));
const self: TypedKey = { type: 3, key: run(0x00, 32) };

const opened = [
  await made('x25519', 'one recipient of type 1', [alice]),
  await made('x-wing', 'one recipient of type 2', [carol]),
  await made('named-key', 'the named key alone, of type 3', [], { keyId: KEY_ID }, [self]),
  await made(
    'mixed',
    'all three types, two recipients of each that has pairs',
    [alice, carol, bob, dave],
    {
      keyId: KEY_ID,
      origin: ORIGIN,
      associatedData: '726f7700736576656e',
      pad: true,
    },
    [self],
  ),
  await made('stream', 'purpose 3', [alice], { purpose: 'stream' }),
];
await write('shared.json', { opened, refused: refused() });

const words = passphrase('unpaved shiny cactus ladder ozone wrist');
const accented = passphrase('cafe\u0301 du\u00a0monde');
const byPassphrase = [
  await made('passphrase', 'the cost of a vault', [], { cost: ARGON2ID_COST }, [words]),
  await made('least-cost', 'the lowest cost', [], { cost: ARGON2ID_MIN }, [words]),
  await made('prepared', 'composed, with a plain space', [], { cost: ARGON2ID_MIN }, [accented]),
  await made(
    'bound',
    'bound, padded, of purpose 3',
    [],
    { cost: ARGON2ID_MIN, purpose: 'stream', origin: ORIGIN, associatedData: '00ff', pad: true },
    [words],
  ),
];
await write('passphrase.json', { opened: byPassphrase, refused: refusedPassphrases() });

async function write(name: string, content: object): Promise<void> {
  const text = await format(JSON.stringify(content), { parser: 'json', printWidth: 100 });
  writeFileSync(new URL(name, FOLDER), text);
}

function passphrase(text: string): TypedKey {
  return { type: 4, key: toHex(preparePassphrase(text)) };
}

async function pair(type: 1 | 2, key: string): Promise<Pair> {
  const publicKeyOf = type === 1 ? x25519 : xWingKem(() => x25519);
  const shown = toHex(await publicKeyOf.publicKey(fromHex(key)));
  return { own: { type, key }, shown: { type, key: shown } };
}

async function made(
  id: string,
  comment: string,
  pairs: readonly Pair[],
  how: Partial<SharedVector> = {},
  named: readonly TypedKey[] = [],
): Promise<SharedVector> {
  const given = {
    id,
    comment,
    purpose: 'page' as const,
    origin: null,
    associatedData: '',
    pad: false,
    keyId: NO_KEY_ID,
    salt: toHex(createHash('sha256').update(`shared ${id}`).digest().subarray(0, 24)),
    recipients: [...pairs.map(({ shown }) => shown), ...named],
    identities: [...pairs.map(({ own }) => own), ...named],
    message: MESSAGE,
    ...how,
  };
  const sealed = await sealMessage(sharedSealOptions(given), fromHex(given.message));
  return { ...given, sealed: toHex(sealed), info: inspect(sealed) };
}

/** Where the parts of the first entry begin: header 24, section length 2, type 1, length 2, id 16. */
function refused(): SharedRefusal[] {
  const vectors: SharedRefusal[] = [];
  const add = (comment: string, from: SharedVector, how: Partial<SharedRefusal>) => {
    const { purpose, origin, associatedData, identities, sealed } = from;
    const id = `shared-refused-${vectors.length + 1}`;
    const known = { purpose, origin, associatedData, identities, sealed };
    vectors.push({ id, comment, ...known, error: 'AUTH_FAILED', ...how });
  };
  const [classic, wing, named] = opened as [SharedVector, SharedVector, SharedVector];
  for (const [at, part] of [
    [29, 'id'],
    [45, 'encapsulation'],
    [77, 'sealed data key'],
  ] as const) {
    add(`type 1: one bit of the ${part} flipped`, classic, { sealed: flipped(classic.sealed, at) });
  }
  add('type 1: a point of low order', classic, {
    sealed: replaced(classic.sealed, 45, '00'.repeat(32)),
  });
  for (const [at, part] of [
    [45, 'ML-KEM part'],
    [1133, 'X25519 part'],
    [1165, 'sealed data key'],
  ] as const) {
    add(`type 2: one bit of the ${part} flipped`, wing, { sealed: flipped(wing.sealed, at) });
  }
  add('type 2: a point of low order', wing, {
    sealed: replaced(wing.sealed, 1133, '00'.repeat(32)),
  });
  for (const [at, part] of [
    [45, 'salt'],
    [69, 'commitment'],
    [101, 'chunk'],
  ] as const) {
    add(`type 3: one bit of the ${part} flipped`, named, { sealed: flipped(named.sealed, at) });
  }
  add('type 1: another private key', classic, { identities: [bob.own] });
  add('type 2: another private key', wing, { identities: [dave.own] });
  add('type 3: another named key', named, { identities: [{ type: 3, key: run(0x01, 32) }] });
  add('type 1 relabelled as type 2', classic, {
    sealed: replaced(classic.sealed, 26, '02'),
    identities: [{ type: 2, key: alice.own.key }],
  });
  add('type 3 relabelled as type 1', named, {
    sealed: replaced(named.sealed, 26, '01'),
    identities: [{ type: 1, key: self.key }],
  });
  add('header key id altered', classic, { sealed: replaced(classic.sealed, 8, KEY_ID) });
  add('purpose relabelled', classic, {
    sealed: replaced(classic.sealed, 7, '03'),
    purpose: 'stream',
  });
  add('another origin', opened[3]!, { origin: 'https://example.com' });
  add('no identity', classic, { identities: [] });
  const shorter =
    `${classic.sealed.slice(0, 48)}006201005f` +
    classic.sealed.slice(58, 58 + 2 * 0x5f) +
    classic.sealed.slice(58 + 2 * 0x60);
  add('type 1: body one byte short', classic, { sealed: shorter });
  return vectors;
}

/** The body begins at 45: memory 4, passes 1, lanes 1, password salt 16, salt 24, commitment 32, chunk 48. */
function refusedPassphrases(): SharedRefusal[] {
  const [, least] = byPassphrase as [SharedVector, SharedVector];
  const vectors: SharedRefusal[] = [];
  const add = (comment: string, sealed: string, how: Partial<SharedRefusal> = {}) => {
    const { purpose, origin, associatedData, identities } = least;
    const id = `passphrase-refused-${vectors.length + 1}`;
    const known = { purpose, origin, associatedData, identities, sealed };
    vectors.push({ id, comment, ...known, error: 'AUTH_FAILED', ...how });
  };
  add('another passphrase', least.sealed, { identities: [passphrase('unpaved')] });
  add('no passphrase', least.sealed, { identities: [] });
  for (const [at, part] of [
    [29, 'id'],
    [51, 'password salt'],
    [67, 'salt'],
    [91, 'commitment'],
    [123, 'chunk'],
  ] as const) {
    add(`one bit of the ${part} flipped`, flipped(least.sealed, at));
  }
  add('one lane more', replaced(least.sealed, 50, '02'));
  add('more than 256 MiB', replaced(least.sealed, 45, '00040001'), { error: 'TOO_LARGE' });
  add('9 passes', replaced(least.sealed, 49, '09'), { error: 'TOO_LARGE' });
  add('17 lanes', replaced(least.sealed, 50, '11'), { error: 'TOO_LARGE' });
  add('less than 19 MiB', replaced(least.sealed, 45, '00004bff'), { error: 'BAD_ENVELOPE' });
  add('one pass', replaced(least.sealed, 49, '01'), { error: 'BAD_ENVELOPE' });
  add('no lane', replaced(least.sealed, 50, '00'), { error: 'BAD_ENVELOPE' });
  for (const [other, entry] of [
    ['the same passphrase again', entriesOf(least)],
    ['a recipient of type 1', entriesOf(opened[0]!)],
    ['a recipient of a type to come', '05' + '0010' + '00'.repeat(16)],
  ] as const) {
    for (const both of new Set([entriesOf(least) + entry, entry + entriesOf(least)])) {
      const place = both.startsWith('04') ? 'after' : 'before';
      const section = toHex(concat(u16be(both.length / 2), fromHex(both)));
      const rest = least.sealed.slice(48 + 4 + entriesOf(least).length);
      const sealed = least.sealed.slice(0, 48) + section + rest;
      add(`${other}, ${place} it`, sealed, { error: 'BAD_ENVELOPE' });
    }
  }
  return vectors;
}

/** All entries of a message, without their length. */
function entriesOf({ sealed }: SharedVector): string {
  const bytes = Number.parseInt(sealed.slice(48, 52), 16);
  return sealed.slice(52, 52 + 2 * bytes);
}

function flipped(sealed: string, at: number): string {
  const byte = Number.parseInt(sealed.slice(2 * at, 2 * at + 2), 16) ^ 1;
  return replaced(sealed, at, byte.toString(16).padStart(2, '0'));
}

function replaced(sealed: string, at: number, digits: string): string {
  return sealed.slice(0, 2 * at) + digits + sealed.slice(2 * at + digits.length);
}

function run(first: number, count: number): string {
  return toHex(Uint8Array.from({ length: count }, (_, i) => first + i));
}
