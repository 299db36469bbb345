import { fromBase64url } from '../../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../../src/format/wire/public-key.ts';
import type { ParamsOf, ResultOf } from '../../../../src/rpc/methods/methods.ts';
import { SealwrightError } from '../../../../src/rpc/errors.ts';
import type {
  FriendsState,
  OwnSharingKey,
  SealableGroup,
  UiContact,
  UiGroup,
} from '../../../../src/rpc/methods/ui-contacts.ts';
import { verificationOf } from '../../../../src/service/sharing/verification.ts';
import type { GroupVectors } from '../../../format/groups/group-vectors.ts';
import vectors from '../../../format/vectors/groups.json';

/** The contacts of a fake background. */
export interface ContactsWorld {
  contacts: UiContact[];
  ownSharingKeys: OwnSharingKey[];
  friends: FriendsState;
  groups: UiGroup[];
  /** Why nothing can be sealed to a group, by its name. */
  groupProblems: Readonly<Record<string, SealableGroup['problem']>>;
  /** "swp1.…" of every signing key. */
  signerKey: string;
}

const NOW = Date.now();

function keyOf(fill: number) {
  const bytes = new Uint8Array(1216).fill(fill);
  const { digest, words, digits } = verificationOf(2, bytes);
  const publicKey = publicKeyText({ type: 'X-Wing', bytes });
  return { publicKey, digest, words: [...words], digits: [...digits] };
}

function contact(id: string, name: string, fill: number, verified: number | null): UiContact {
  return { id, name, created: NOW, verified, ...keyOf(fill) };
}

const LONG_TEXT = `swr1.${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(200)}`;

/** A request to friends that waits for answers. */
export const waitingRecovery: NonNullable<FriendsState['recovery']> = {
  request: LONG_TEXT,
  name: 'Amira',
  asked: NOW,
  until: NOW + 10 * 86_400_000,
  created: NOW - 200 * 86_400_000,
  threshold: 3,
  count: 5,
  answered: [2],
  words: [11, 222, 3333, 4444, 5555, 6666],
};

/** Friends of a recovery file, one of whom has answered a drill. */
export const dealtFriends: NonNullable<FriendsState['dealt']> = {
  created: NOW - 200 * 86_400_000,
  threshold: 2,
  friends: [
    { name: 'Amira Haddad', proved: NOW - 86_400_000 },
    { name: 'Jörg-Öznur Wolfeschlegelsteinhausen', proved: null },
    { name: 'Ines', proved: null },
  ],
  drillAsked: NOW - 86_400_000,
};

const { epochs: EPOCHS, groups: GROUPS }: Pick<GroupVectors, 'epochs' | 'groups'> =
  vectors as unknown as GroupVectors;

/** A member of an epoch. */
interface Member {
  readonly publicKey: string;
  /** '' of one who is no admin. */
  readonly adminKey: string;
}

/** The members of an epoch, by the layout in src/format/groups/epoch.ts. */
function membersIn(epoch: string): Member[] {
  const bytes = fromBase64url(epoch.slice('swge1.'.length));
  const parents = bytes[37]!;
  const oldKeysAt = 38 + 32 * parents + 32;
  const countAt = oldKeysAt + 1 + 80 * bytes[oldKeysAt]!;
  let at = countAt + 1;
  return Array.from({ length: bytes[countAt]! }, () => {
    const isAdmin = bytes[at] === 1;
    const key = bytes.slice(at + 1, at + 1217);
    const adminKey = bytes.slice(at + 1217, at + 1249);
    at += 1217 + (isAdmin ? 32 : 0) + 1168;
    return {
      publicKey: publicKeyText({ type: 'X-Wing', bytes: key }),
      adminKey: isAdmin ? publicKeyText({ type: 'Ed25519', bytes: adminKey }) : '',
    };
  });
}

function keptGroup(name: string, vector: string): UiGroup {
  const { group, epochs } = GROUPS.find(({ id }) => id === vector)!;
  return { id: group, name, epochs: epochs.map((each) => ({ text: EPOCHS[each]!, at: NOW })) };
}

/** Two groups in which the user is a member, of the second of which admins changed the members at the same time. */
export function withGroups(): Partial<ContactsWorld> {
  const { contacts, ownSharingKeys } = contactsWorld();
  const [user, friend] = membersIn(EPOCHS.first!);
  return {
    contacts: [{ ...contacts[0]!, publicKey: friend!.publicKey }, contacts[1]!],
    ownSharingKeys: [{ ...ownSharingKeys[0]!, publicKey: user!.publicKey }],
    groups: [keptGroup('Chamber choir', 'chain'), keptGroup('Neighbours', 'waiting')],
    groupProblems: { Neighbours: 'waiting' },
  };
}

/** Of the epoch 'other-group', whose one member is its admin. */
const GROUP_OF_ONE = 'swg1.BQLypelhSdF-ztM9FiQbZJxyJEPPTYOXk-HG5vykpgBG';

/** A group with two admins, of whom the user is one, and a group of the user alone. */
export function withOwnGroups(): Partial<ContactsWorld> {
  const { contacts, ownSharingKeys } = contactsWorld();
  const [user] = membersIn(EPOCHS['other-group']!);
  const friend = membersIn(EPOCHS.third!).find(({ adminKey }) => adminKey === '');
  const alone = { text: EPOCHS['other-group']!, at: NOW };
  return {
    contacts: [{ ...contacts[0]!, publicKey: friend!.publicKey }, contacts[1]!],
    ownSharingKeys: [{ ...ownSharingKeys[0]!, publicKey: user!.publicKey }],
    groups: [
      keptGroup('Chamber choir', 'chain'),
      { id: GROUP_OF_ONE, name: 'Reading list', epochs: [alone] },
    ],
    signerKey: user!.adminKey,
  };
}

/** Two contacts and a sharing key of the user. */
export function contactsWorld(): ContactsWorld {
  return {
    contacts: [
      contact('c1', 'Amira Haddad', 1, NOW - 3 * 86_400_000),
      contact('c2', 'Jörg-Öznur Wolfeschlegelsteinhausen', 2, null),
    ],
    ownSharingKeys: [{ ref: 's1', label: 'Messages to me', ...keyOf(3) }],
    friends: { dealt: null, recovery: null },
    groups: [],
    groupProblems: {},
    signerKey: 'swp1.Eep-ZjAGkz4DJmybxZi-5lXl2X_Vx_vSpwXEyVyrDoUZ',
  };
}

type ContactMethods =
  | 'ui.contacts'
  | 'ui.ownSharingKeys'
  | 'ui.addContact'
  | 'ui.changeContact'
  | 'ui.removeContact'
  | 'ui.groups'
  | 'ui.sealableGroups'
  | 'ui.makeGroup'
  | 'ui.changeGroup'
  | 'ui.takeEpochs'
  | 'ui.renameGroup'
  | 'ui.removeGroup'
  | 'ui.friends'
  | 'ui.dealRecovery'
  | 'ui.drillFriends'
  | 'ui.askFriends'
  | 'ui.endRecovery'
  | 'ui.readRequest'
  | 'ui.answerRequest'
  | 'ui.takeAnswer';

/** The contact methods over a fake background. */
export function contactsImplementations(world: ContactsWorld): {
  [M in ContactMethods]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  return {
    'ui.contacts': () => world.contacts,
    'ui.ownSharingKeys': () => world.ownSharingKeys,
    'ui.addContact': ({ name, publicKey }) => {
      if (!publicKey.startsWith('swp1.')) throw new SealwrightError('INVALID_ARGUMENT', 'wrong');
      const added = { ...contact(`c${world.contacts.length + 1}`, name, 4, null), publicKey };
      world.contacts = [...world.contacts, added];
      return added;
    },
    'ui.changeContact': ({ id, name, verified }) => {
      world.contacts = world.contacts.map((one) =>
        one.id === id
          ? {
              ...one,
              ...(name !== undefined && { name }),
              ...(verified !== undefined && { verified: verified ? NOW : null }),
            }
          : one,
      );
      return {};
    },
    'ui.groups': () => world.groups,
    'ui.sealableGroups': () =>
      world.groups.map(({ id, name }) => ({
        id,
        name,
        problem: world.groupProblems[name] ?? null,
      })),
    'ui.makeGroup': ({ name }) => {
      const made = keptGroup(name, 'first');
      world.groups = [...world.groups, made];
      return { id: made.id };
    },
    'ui.changeGroup': () => ({}),
    'ui.takeEpochs': () => ({}),
    'ui.renameGroup': ({ id, name }) => {
      world.groups = world.groups.map((one) => (one.id === id ? { ...one, name } : one));
      return {};
    },
    'ui.removeGroup': ({ id }) => {
      world.groups = world.groups.filter((one) => one.id !== id);
      return {};
    },
    'ui.friends': () => world.friends,
    'ui.dealRecovery': ({ contacts, threshold }) => {
      const friends = world.contacts
        .filter(({ id }) => contacts.includes(id))
        .map(({ name }) => ({ name, proved: null }));
      const dealt = { created: NOW, threshold, friends, drillAsked: null };
      world.friends = { ...world.friends, dealt };
      return { file: new Uint8Array(1000) };
    },
    'ui.drillFriends': () => {
      const { dealt } = world.friends;
      if (dealt) world.friends = { ...world.friends, dealt: { ...dealt, drillAsked: NOW } };
      return { request: LONG_TEXT };
    },
    'ui.askFriends': ({ name }) => {
      world.friends = { ...world.friends, recovery: { ...waitingRecovery, name } };
      return {};
    },
    'ui.endRecovery': () => {
      world.friends = { ...world.friends, recovery: null };
      return {};
    },
    'ui.readRequest': ({ request }) => {
      if (!request.startsWith('swr1.')) throw new SealwrightError('BAD_ENVELOPE', 'wrong');
      const { created, threshold, count, words, asked } = waitingRecovery;
      const dealer = { name: 'Amira Haddad', verified: NOW };
      return { kind: 'recovery', name: 'Amira', created, threshold, count, words, asked, dealer };
    },
    'ui.answerRequest': () => ({ kind: 'recovery', answer: LONG_TEXT }),
    'ui.takeAnswer': ({ answer }) => {
      if (!answer.startsWith('swa1.')) throw new SealwrightError('BAD_ENVELOPE', 'wrong');
      return { outcome: 'wrong', index: 2, name: null };
    },
    'ui.removeContact': ({ id }) => {
      world.contacts = world.contacts.filter((one) => one.id !== id);
      return {};
    },
  };
}
