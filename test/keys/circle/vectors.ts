/* What test/keys/vectors/circle.json was made of, with random bytes that are the same each time. */
import { fromHex } from '../../../src/crypto/bytes.ts';
import { firstEpoch, syncKeyOf, withMember } from '../../../src/keys/circle/changes.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import {
  codePair,
  memberOf,
  newDevicePair,
  passkeyPair,
} from '../../../src/keys/circle/members.ts';
import { withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import { deviceFileName, sealDeviceFile } from '../../../src/keys/media/device-file.ts';
import { mediumChanges, openItems } from '../../../src/keys/media/medium.ts';
import { seededRandom } from '../seeded-random.ts';
import { recordsOfVector } from './vector-records.ts';
import { PARTS, X_WING } from './circle.ts';

/** Of a recovery code and of a passkey. */
const SECRETS = { code: '000102030405060708090a0b0c0d0e0f', passkey: '10'.repeat(32) } as const;

/** The device whose file it is, and another one whose file it has read. */
const [DEVICE, READ] = ['EBESExQVFhcYGRobHB0eHw', 'ICEiIyQlJicoKSorLC0uLw'] as const;

/** Two epochs of a device, a recovery code and a passkey, and what lies on a medium and in a folder in the second one. */
export async function circleVectors() {
  const random = seededRandom('circle vectors');
  const parts = { ...PARTS, random };
  const pairs = [
    newDevicePair(random),
    codePair(fromHex(SECRETS.code)),
    passkeyPair(fromHex(SECRETS.passkey)),
  ] as const;
  const [device, code, passkey] = await Promise.all(
    pairs.map((pair) => memberOf(pair, pair.kind === 'device' ? 'Läptop' : '', X_WING)),
  );
  const first = await firstEpoch([device!, code!], pairs[0], parts);
  const second = await withMember(first, passkey!, pairs[1], parts);
  const epochs: { readonly epoch: Epoch; readonly syncKey: Uint8Array }[] = [];
  for (const epoch of [first, second]) {
    epochs.push({ epoch, syncKey: await syncKeyOf(epoch, pairs[1], parts) });
  }
  const { syncKey } = epochs[1]!;
  const state = withLocalChanges(EMPTY_STATE, recordsOfVector(), DEVICE);
  const none = await openItems(new Map(), { ...second, syncKey });
  const contents = { epoch: second, syncKey, links: [first], present: [], state };
  const { writes } = await mediumChanges(contents, new Map(), none, random);
  const items = Object.fromEntries([...writes].sort());
  const head = { member: pairs[0].id, device: DEVICE, generation: 7, before: random.bytes(32) };
  const bytes = await sealDeviceFile(contents, { ...head, read: { [READ]: 3 } }, random);
  const file = { name: deviceFileName(DEVICE), bytes, before: head.before, read: { [READ]: 3 } };
  return { secrets: SECRETS, pairs, epochs, items, file, state };
}
