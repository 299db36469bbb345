/*
 * Wrote test/keys/vectors/pairing.json. Run again, it must leave the file as it is.
 *
 *   npx tsx scripts/make-pairing-vectors.ts
 */
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { toHex, utf8 } from '../src/crypto/bytes.ts';
import { NATIVE_X25519 } from '../src/engine/kem/native-x25519.ts';
import { NATIVE_CRYPTO } from '../src/format/native-crypto.ts';
import { allKems } from '../src/format/recipients/kems.ts';
import { memberOf } from '../src/keys/circle/members.ts';
import { codeOfOffer, encodeOffer, parseOffer } from '../src/keys/pairing/offer.ts';
import { sealParcel } from '../src/keys/pairing/parcel.ts';

const FILE = new URL('../test/keys/vectors/pairing.json', import.meta.url);
const AT = 1_800_000_000_000;

const run = (first: number, length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (first + at) % 256);

const kem = allKems(() => Promise.resolve(NATIVE_X25519))['X-Wing'];
const pair = {
  kind: 'device',
  id: run(0x40, 16),
  xWing: run(0x00, kem.privateKeyBytes),
  ed25519: run(0x60, 32),
} as const;

/** An empty state, and one for which only the length of the parts counts; names of one and of several bytes a letter. */
const CASES = [
  {
    to: 'New laptop',
    from: 'Old laptop',
    circle: new Uint8Array(0),
    state: '{"entries":{},"seen":{}}',
  },
  { to: 'Küche', from: '書斎', circle: run(0x20, 77), state: 'x'.repeat(5_000) },
] as const;

const vectors = [];
for (const [i, { to, from, circle, state }] of CASES.entries()) {
  const member = await memberOf(pair, to, kem);
  const bytes = encodeOffer({ member, at: AT + i });
  const random = { bytes: (length: number) => run(0x80 + i, length) };
  const contents = { circle, state: utf8(state) };
  const giver = { name: from, at: AT + 60_000 };
  const sealing = sealParcel({ bytes, offer: parseOffer(bytes) }, giver, contents, {
    kem,
    crypto: NATIVE_CRYPTO,
    random,
  });
  const { parcel, digits } = await sealing;
  vectors.push({
    privateKey: toHex(pair.xWing),
    offer: toHex(bytes),
    parcel: toHex(parcel),
    read: {
      code: codeOfOffer(bytes),
      ...{ to, from, id: toHex(member.id), ed25519: toHex(member.ed25519) },
      offered: AT + i,
      given: giver.at,
      digits,
      circle: toHex(circle),
      state,
    },
  });
}

writeFileSync(FILE, await format(JSON.stringify(vectors), { parser: 'json', printWidth: 100 }));
