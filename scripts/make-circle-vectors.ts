/*
 * Wrote test/keys/vectors/circle.json, once. Run again, it must leave the file as it is.
 *
 *   npx tsx scripts/make-circle-vectors.ts
 */
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { toHex } from '../src/crypto/bytes.ts';
import { encodeEpoch } from '../src/keys/circle/epoch.ts';
import { circleVectors } from '../test/keys/circle/vectors.ts';

const FILE = new URL('../test/keys/vectors/circle.json', import.meta.url);

const { secrets, epochs, pairs, items, file, state } = await circleVectors();
const vectors = {
  secrets,
  pairs: pairs.map(({ kind, id, xWing, ed25519 }) => ({
    ...{ kind, id: toHex(id), xWing: toHex(xWing), ed25519: toHex(ed25519) },
  })),
  epochs: epochs.map(({ epoch, syncKey }) => ({
    ...{ number: epoch.number, bytes: toHex(encodeEpoch(epoch)), digest: toHex(epoch.digest) },
    ...{ signer: toHex(epoch.signer), syncKey: toHex(syncKey) },
    members: epoch.members.map(({ kind, id, name }) => ({ kind, id: toHex(id), name })),
  })),
  items,
  file: { ...file, bytes: toHex(file.bytes), before: toHex(file.before) },
  state,
};
writeFileSync(FILE, await format(JSON.stringify(vectors), { parser: 'json' }));
