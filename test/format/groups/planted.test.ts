import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import {
  encodeEpoch,
  parseEpoch,
  type Epoch,
  type GroupMember,
} from '../../../src/format/groups/epoch.ts';
import type { EpochBasis, GroupHistory } from '../../../src/format/groups/history.ts';
import { inDepth } from '../../support/depth.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { outcome } from '../support.ts';
import { epochOf, nameOf, numbersFrom, people, World, type Person } from './small-groups.ts';

/* Somebody who carries a group's epochs, or was an admin of it once, brings one that no admin of the group made. */

const PLANTED = Number(process.env['SEALWRIGHT_PLANTED'] ?? inDepth(1_000, 240));
const FIRST_SEED = Number(process.env['SEALWRIGHT_PLANTED_SEED'] ?? 0);
const STEPS = 6;

const SEEDS = Array.from({ length: PLANTED }, (_, i) => FIRST_SEED + i);

/** What there is to plant with. */
interface Scene {
  readonly world: World;
  readonly history: GroupHistory;
  readonly below: (below: number) => number;
  /** Of the group, admins and members. */
  readonly insiders: readonly Person[];
  /** Never of the group. */
  readonly stranger: Person;
}

type Plant = (scene: Scene) => Promise<Epoch | undefined>;

const pick = <T>(items: readonly T[], below: (below: number) => number): T | undefined =>
  items[below(items.length)];

const isAdminIn = (members: readonly GroupMember[], { signer }: Person): boolean =>
  members.some(({ adminKey }) => adminKey && toHex(adminKey) === toHex(signer.publicKey));

/** An epoch that follows one of those that were made, and lets the stranger in as an admin. */
function after(
  parent: Epoch,
  by: Pick<Person, 'signer'>,
  { world, stranger }: Scene,
  change: Partial<EpochBasis> = {},
) {
  const members = [...parent.members, stranger.admin];
  const place = { parents: [parent.digest], number: parent.number + 1, ...change };
  return epochOf(members, by, { ...place, group: world.first.digest });
}

/** The content of an epoch under another signature. */
const signedAs = ({ signer, ...content }: Epoch, signature: Uint8Array): Promise<Epoch> => {
  const bytes = encodeEpoch(content, signer);
  return parseEpoch(Uint8Array.of(...bytes, ...signature));
};

/** Each brings an epoch, or none where this group has nothing for it. */
const PLANTS: Readonly<Record<string, Plant>> = {
  'with a byte changed': async ({ world, below }) => {
    const bytes = Uint8Array.from(pick(world.all, below)!.bytes);
    bytes[below(bytes.length)]! ^= 1 + below(255);
    try {
      return await parseEpoch(bytes);
    } catch (error) {
      if (error instanceof EnvelopeError) return undefined;
      throw error;
    }
  },
  'signed by a stranger': (scene) =>
    after(pick(scene.world.all, scene.below)!, scene.stranger, scene),
  'signed by a member': async (scene) => {
    const parent = pick(scene.world.all, scene.below)!;
    const by = scene.insiders.find((each) => !isAdminIn(parent.members, each));
    return by && after(parent, by, scene);
  },
  "signed in an admin's name by a stranger": async (scene) => {
    const parent = pick(scene.world.all, scene.below)!;
    const admin = scene.insiders.find((each) => isAdminIn(parent.members, each));
    if (!admin) return undefined;
    const { publicKey } = admin.signer;
    return after(parent, { signer: { ...scene.stranger.signer, publicKey } }, scene);
  },
  'under the signature of another epoch': async (scene) => {
    const parent = pick(scene.world.all, scene.below)!;
    const admin = scene.insiders.find((each) => isAdminIn(parent.members, each));
    return admin && signedAs(await after(parent, admin, scene), parent.bytes.subarray(-64));
  },
  'of another group of the same admin': async ({ world, insiders, stranger }) => {
    const admin = insiders.find((each) => isAdminIn(world.first.members, each))!;
    return epochOf([admin.admin, stranger.member], admin);
  },
  'of another group, called this one': async (scene) => {
    const admin = scene.insiders.find((each) => isAdminIn(scene.world.first.members, each))!;
    const other = await epochOf([admin.admin], admin);
    return after(other, admin, scene);
  },
  'with a number left out': async (scene) => {
    const parent = pick(scene.world.all, scene.below)!;
    const admin = scene.insiders.find((each) => isAdminIn(parent.members, each));
    return admin && after(parent, admin, scene, { number: parent.number + 2 });
  },
  'after one that does not exist': async (scene) => {
    const parent = pick(scene.world.all, scene.below)!;
    const admin = scene.insiders.find((each) => isAdminIn(parent.members, each));
    return admin && after(parent, admin, scene, { parents: [randomBytes(32)] });
  },
};

describe(`epochs that no admin of a group made, ${PLANTED.toLocaleString('en')} of them`, function () {
  this.timeout(3_600_000);

  let insiders: readonly Person[];
  let stranger: Person;
  before(async () => {
    const all = await people(7);
    insiders = all.slice(0, 6);
    stranger = all[6]!;
  });

  const sceneOf = async (seed: number): Promise<Scene> => {
    const below = numbersFrom(seed);
    const members = insiders.slice(0, 5).map((each, at) => (at < 3 ? each.admin : each.member));
    const world = new World(insiders, 3, await epochOf(members, insiders[0]!), below);
    for (let step = 0; step < STEPS; step++) await world.step();
    return { world, history: await world.history(world.all), below, insiders, stranger };
  };

  it('are refused with all that came with them', async () => {
    const kinds = Object.entries(PLANTS);
    const refused = new Map(kinds.map(([name]) => [name, 0]));
    for (const seed of SEEDS) {
      const [name, plant] = kinds[seed % kinds.length]!;
      const scene = await sceneOf(seed);
      const planted = await plant(scene);
      if (!planted) continue;
      const taken = await outcome(scene.world.history([...scene.world.all, planted]));
      expect(taken, `${name}, seed ${seed}`).to.be.oneOf(['BAD_ENVELOPE', 'NEEDS_KEY']);
      refused.set(name, refused.get(name)! + 1);
    }
    // Each kind was there, and not once only.
    for (const [name, count] of refused) expect(count, name).to.be.above(PLANTED / 40);
  });

  it('change nothing where an admin who was removed makes them at an old place', async () => {
    let tried = 0;
    for (const seed of SEEDS) {
      const scene = await sceneOf(seed);
      const { world, history } = scene;
      const removed = insiders.find(
        (each) => isAdminIn(world.first.members, each) && !isAdminIn(history.members, each),
      );
      if (!removed || !history.whole) continue;
      // Where admins removed each other at the same time, each may go on from an epoch that is still a newest one.
      const places = world.all.filter(
        ({ members, digest }) =>
          isAdminIn(members, removed) &&
          !history.heads.some((head) => toHex(head.digest) === toHex(digest)),
      );
      if (places.length === 0) continue;
      const planted = await after(pick(places, scene.below)!, removed, scene);
      const later = await world.history([...world.all, planted]);
      expect(later.members.map(nameOf), `seed ${seed}`).to.deep.equal(history.members.map(nameOf));
      expect(later.whole && toHex(later.whole.digest), `seed ${seed}`).to.equal(
        toHex(history.whole.digest),
      );
      tried += 1;
    }
    expect(tried).to.be.above(PLANTED / 40);
  });

  it('change nothing where they are old ones again', async () => {
    for (const seed of SEEDS) {
      const { world, history, below } = await sceneOf(seed);
      const again = await parseEpoch(pick(world.all, below)!.bytes);
      const later = await world.history([...world.all, again, again]);
      expect(
        later.heads.map(({ digest }) => toHex(digest)),
        `seed ${seed}`,
      ).to.deep.equal(history.heads.map(({ digest }) => toHex(digest)));
    }
  });
});
