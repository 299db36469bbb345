import type { ParamsOf, ResultOf, UiMethod } from '../../../../src/rpc/methods/methods.ts';
import type { UiMedium } from '../../../../src/rpc/methods/ui-devices.ts';
import { SealwrightError } from '../../../../src/rpc/errors.ts';

/** A fake device that pairs: what it offers, and what it takes. */
export interface DevicesWorld {
  passphrase: string;
  offer: ResultOf<'ui.ownOffer'>;
  parcel: ResultOf<'ui.checkParcel'>;
  members: ResultOf<'ui.members'>;
  medium: ResultOf<'ui.medium'>;
  removed: ResultOf<'ui.removedDevices'>;
  /** But for whether the device is in a circle. */
  deviceFiles: ResultOf<'ui.deviceFiles'>;
  filesReport: ResultOf<'ui.takeDeviceFiles'>;
}

const WORDS = [5_120, 33, 7_001, 2_418, 904, 6_333];

export const ownOffer: NonNullable<DevicesWorld['offer']> = {
  offer: new Uint8Array(1_250),
  name: 'New laptop',
  words: WORDS,
  code: `SWD1:${'0123456789ABCDEF'.repeat(4)}`,
  until: Date.now() + 9 * 60_000,
};

export const members: NonNullable<DevicesWorld['members']> = {
  number: 3,
  members: (['Firefox, Linux', 'Old laptop', 'Küche, zweites Fenster links'] as const).map(
    (name, at) => ({
      id: String(at).repeat(32),
      kind: 'device',
      name,
      isThis: at === 0,
      joiningSince: at === 2 ? Date.now() - 2 * 86_400_000 : null,
    }),
  ),
};

/** What the recovery code of another device opens. */
export const found: ResultOf<'ui.lookAtMedium'> = {
  outcome: 'opened',
  members: [
    { kind: 'device', name: 'Old laptop' },
    { kind: 'device', name: 'Küche, zweites Fenster links' },
    { kind: 'code', name: '' },
  ],
  keys: 7,
  contacts: 3,
};

/** Another device has joined, the lists differ, and the room is nearly full. */
export const medium: NonNullable<DevicesWorld['medium']> = {
  isOn: true,
  isInCircle: true,
  code: 'unknown',
  joined: [
    { id: '2'.repeat(32), name: 'Küche, zweites Fenster links', at: Date.now() - 3_600_000 },
  ],
  last: {
    at: Date.now() - 60_000,
    hindrance: { kind: 'forked', since: Date.now() - 7_200_000 },
    other: '7'.repeat(64),
    room: {
      usedPercent: 84,
      isNearlyFull: true,
      leftOut: { contacts: 12, siteKeys: 3, others: 0 },
    },
  },
};

/** No file was made or taken yet. */
export const noFiles: DevicesWorld['deviceFiles'] = {
  ...{ isInCircle: false, takenAt: null, madeAt: null, copies: [] },
};

/** A profile was copied. */
export const copiedFiles: DevicesWorld['deviceFiles'] = {
  ...noFiles,
  madeAt: Date.now() - 60_000,
  copies: [{ name: 'Küche, zweites Fenster links', at: Date.now() - 60_000 }],
};

/** Everything that can be told of files at once. */
export const filesReport: DevicesWorld['filesReport'] = {
  taken: ['Old laptop', 'Küche, zweites Fenster links'],
  notTaken: { damaged: 2, unreached: 1, older: 1, refused: 1 },
  other: '7'.repeat(64),
  told: { wentBack: ['Old laptop'], late: ['Küche, zweites Fenster links'] },
  isDue: true,
};

/** A device was removed, and some of its keys cannot be renewed. */
export const removed: NonNullable<DevicesWorld['removed']> = {
  devices: [{ kind: 'device', name: 'Lost phone' }],
  due: 60,
  hasSharing: true,
  stuck: [
    { label: 'Firefox Sync', reason: 'service' },
    { label: 'Server, 2019', reason: 'imported' },
  ],
};

type Hindrance = NonNullable<NonNullable<UiMedium['last']>['hindrance']>['kind'];

/** The same, all well, or with one thing in its way. */
export function quietMedium(kind?: Hindrance): UiMedium {
  const { last } = medium;
  const hindrance = kind === undefined ? null : { kind, since: Date.now() - 7_200_000 };
  return { ...medium, joined: [], last: { ...last!, hindrance, other: null, room: null } };
}

/** As many as there may be. */
export const eightMembers: typeof members = {
  ...members,
  members: Array.from({ length: 8 }, (_, at) => ({
    ...members.members[at % 3]!,
    id: String(at).repeat(32),
    isThis: at === 0,
  })),
};

export const joining: ResultOf<'ui.checkParcel'> = {
  outcome: 'opened',
  joining: {
    name: 'Old laptop',
    anew: { here: ['https://notes.example.org'], there: ['https://photos.example'] },
    changedSince: 1,
    forgotten: 2,
    leaves: ['Desktop'],
  },
};

type DeviceMethods = Extract<
  UiMethod,
  | 'ui.ownOffer'
  | 'ui.makeOffer'
  | 'ui.endOffer'
  | 'ui.readOffer'
  | 'ui.giveToDevice'
  | 'ui.checkParcel'
  | 'ui.takeParcel'
  | 'ui.members'
  | 'ui.removeMember'
  | 'ui.leaveCircle'
  | 'ui.memberHasJoined'
  | 'ui.removedDevices'
  | 'ui.rotateKeys'
  | 'ui.dismissRemovedDevices'
  | 'ui.medium'
  | 'ui.useMedium'
  | 'ui.leaveMedium'
  | 'ui.readJoined'
  | 'ui.chooseEpoch'
  | 'ui.deviceFiles'
  | 'ui.makeDeviceFile'
  | 'ui.takeDeviceFiles'
  | 'ui.chooseByFiles'
  | 'ui.readCopies'
  | 'ui.lookAtMedium'
  | 'ui.restoreFromMedium'
>;

export function devicesImplementations(world: DevicesWorld): {
  [M in DeviceMethods]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  const requireRight = (by: ParamsOf<'ui.giveToDevice'>['by']) => {
    const isRight = 'passphrase' in by && by.passphrase === world.passphrase;
    if (!isRight) throw new SealwrightError('AUTH_FAILED', 'wrong');
  };
  return {
    'ui.ownOffer': () => world.offer,
    'ui.makeOffer': ({ name }) => (world.offer = { ...ownOffer, name }),
    'ui.endOffer': () => {
      world.offer = null;
      return {};
    },
    'ui.readOffer': () => ({
      name: 'New laptop',
      at: Date.now() - 60_000,
      isStale: false,
      isFull: world.members?.members.length === 8,
      choices: [WORDS.toReversed(), WORDS, WORDS.map((place) => (place * 7) % 7_776)],
    }),
    'ui.giveToDevice': ({ by }) => {
      requireRight(by);
      return { parcel: new Uint8Array(4_000), digits: '402817' };
    },
    'ui.members': () => world.members,
    'ui.removeMember': ({ by, id }) => {
      requireRight(by);
      const { number, members: all } = world.members!;
      world.members = { number: number + 1, members: all.filter((it) => it.id !== id) };
      world.removed = removed;
      return {};
    },
    'ui.leaveCircle': ({ by }) => {
      requireRight(by);
      world.members = null;
      return {};
    },
    'ui.memberHasJoined': ({ id }) => {
      const { number, members: all } = world.members!;
      const heard = all.map((it) => (it.id === id ? { ...it, joiningSince: null } : it));
      world.members = { number, members: heard };
      return {};
    },
    'ui.removedDevices': () => world.removed,
    'ui.rotateKeys': () => {
      const left = Math.max(0, (world.removed?.due ?? 0) - 25);
      world.removed = world.removed && { ...world.removed, due: left };
      return { left };
    },
    'ui.dismissRemovedDevices': () => {
      world.removed = null;
      return {};
    },
    'ui.medium': () => world.medium && { ...world.medium, isInCircle: world.members !== null },
    'ui.useMedium': () => {
      world.medium = { ...medium, joined: [], last: null };
      return {};
    },
    'ui.leaveMedium': () => {
      world.medium = { ...medium, isOn: false, joined: [], last: null };
      return {};
    },
    'ui.readJoined': () => {
      world.medium = world.medium && { ...world.medium, joined: [] };
      return {};
    },
    'ui.chooseEpoch': ({ by }) => {
      requireRight(by);
      world.medium = { ...medium, joined: [], last: null };
      return {};
    },
    'ui.deviceFiles': () => ({ ...world.deviceFiles, isInCircle: world.members !== null }),
    'ui.makeDeviceFile': () => {
      world.deviceFiles = { ...world.deviceFiles, madeAt: Date.now() };
      return { name: 'sealwright-0123456789abcdef.device', file: new Uint8Array(12_000) };
    },
    'ui.takeDeviceFiles': () => world.filesReport,
    'ui.chooseByFiles': ({ by }) => {
      requireRight(by);
      world.filesReport = { ...filesReport, other: null };
      return world.filesReport;
    },
    'ui.readCopies': () => {
      world.deviceFiles = { ...world.deviceFiles, copies: [] };
      return {};
    },
    'ui.lookAtMedium': () => found,
    'ui.restoreFromMedium': () => ({ outcome: 'arrived', keys: 7, contacts: 3 }),
    'ui.checkParcel': () => world.parcel,
    'ui.takeParcel': () => {
      world.offer = null;
      return { isForked: false };
    },
  };
}
