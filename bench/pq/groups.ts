/* Groups (docs/format.md section 3.9), in Node, by the library: what 128 members cost beside one, and what a chain costs. */
import { median } from '../../src/engine/self-test/measure.ts';
import { parseEpochText } from '../../src/format/groups/epoch.ts';
import { parseGroupId } from '../../src/format/groups/group-id.ts';
import { GroupHistory } from '../../src/format/groups/history.ts';
import { createGroup, groupAdmin, openGroup } from '../../src/format/groups/sharing-groups.ts';
import { sealMessage } from '../../src/format/message.ts';
import { generateIdentity, sealingTo } from '../../src/format/recipients/sharing.ts';
import { publicKeyText } from '../../src/format/wire/public-key.ts';
import { pattern } from '../pattern.ts';
import type { GroupsFigures } from '../result.ts';

const MEMBERS = 128;
const EPOCHS = 100;
const MESSAGE_BYTES = 2 ** 20;
const TURNS = 9;
const SEALS_IN_TURN = 8;

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function groupOf(members: number) {
  const admin = await groupAdmin(pattern(32, 9));
  const adminKey = publicKeyText({ type: 'Ed25519', bytes: admin.publicKey });
  const identities = await Promise.all(Array.from({ length: members }, () => generateIdentity()));
  const list = identities.map(({ publicKey }, i) => ({ publicKey, ...(i === 0 && { adminKey }) }));
  const { id, epoch } = await createGroup(list, admin);
  /** From one epoch alone, as the admin's key was compared. */
  const open = (last: string) =>
    openGroup({ id, epochs: [last], identities: identities.slice(0, 1), trusted: [adminKey] });
  return { id, epoch, admin, identities, open };
}

/**
 * 1 MiB to a group of 128 beside 1 MiB to one person, in turns; 100 epochs of 128 members read from their texts, and the check
 * of their history, signatures included; an epoch that removes one of 128.
 */
export async function measureGroups(): Promise<GroupsFigures> {
  const { id, epoch, admin, identities, open } = await groupOf(MEMBERS);
  const group = await open(epoch);
  const message = pattern(MESSAGE_BYTES, 3);
  const to = [sealingTo([id], { groups: [group] }), sealingTo([identities[1]!.publicKey])] as const;
  const sealed = (options: (typeof to)[number]) =>
    msOf(async () => {
      for (let i = 0; i < SEALS_IN_TURN; i++) {
        await sealMessage({ purpose: 'page', ...options }, message);
      }
    });
  const [ofGroup, ofOne]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    ofGroup.push(await sealed(to[0]));
    ofOne.push(await sealed(to[1]));
  }

  const epochs = [epoch];
  while (epochs.length < EPOCHS) epochs.push(await (await open(epochs.at(-1)!)).change({}, admin));
  const read = () => Promise.all(epochs.map(parseEpochText));
  const known = await read();
  const trust = { group: parseGroupId(id) };
  const [readings, checks, removals]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < TURNS; turn++) {
    readings.push(await msOf(read));
    checks.push(await msOf(() => GroupHistory.check(known, trust)));
    const remove = [identities.at(-1)!.publicKey];
    removals.push(await msOf(() => group.change({ remove }, admin)));
  }
  return {
    sealOverOne: median(ofGroup) / median(ofOne),
    readMs: median(readings),
    checkMs: median(checks),
    removeMs: median(removals),
  };
}
