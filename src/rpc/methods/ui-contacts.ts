/*
 * Contacts, as the extension's own pages see them: other people's public keys, and what is compared
 * to verify them.
 */
import {
  MAX_EPOCHS,
  MAX_ID_CHARACTERS,
  MAX_LABEL_CHARACTERS,
  MAX_PUBLIC_KEY_CHARACTERS,
} from '../limits.ts';
import {
  array,
  boolean,
  bytes,
  integer,
  literal,
  nullable,
  object,
  optional,
  string,
} from '../validate.ts';
import type { Infer } from '../validate.ts';

/** A text of 1 MiB, each byte of which JSON may write in six characters, a context of 64 KiB, and the rest. */
const MAX_PROOF_BYTES = 8 * 2 ** 20;

const id = string(MAX_ID_CHARACTERS, 1);
const name = string(MAX_LABEL_CHARACTERS, 1);
const publicKey = string(MAX_PUBLIC_KEY_CHARACTERS, 1);
const time = integer(0);

/** docs/format.md section 3.4: of two keys, the one with the lower digest comes first. */
const verification = {
  digest: string(64, 64),
  words: array(integer(0, 7775), 6, 6),
  digits: array(string(5, 5), 5, 5),
};

const contact = object({
  id,
  name: string(4096),
  publicKey,
  created: time,
  verified: nullable(time),
  ...verification,
});
/** Who sealed a message, as it proves to the user. `name` null: the user. `verified`: when the words were compared. */
const sender = object({ name: nullable(string(4096)), verified: nullable(time) });
/**
 * A signature that others can check, verified. `publicKey`: "swp1.…", which signed; `proof`: docs/format.md section 3.8,
 * as a file; of a field it holds the text.
 */
const signed = object({ publicKey, proof: bytes(MAX_PROOF_BYTES) });
/** A recovery file, at most 16 MiB. */
const recoveryFile = bytes(16 * 1024 * 1024);
/** A request to friends, with line ends: src/keys/recovery/recovery-messages.ts; an answer is shorter. */
const recoveryText = string(48 * 1024, 1);
const askerName = string(MAX_LABEL_CHARACTERS, 1);
const friendCount = integer(2, 10);
const requestKind = literal('recovery', 'drill');
const requestFacts = {
  /** Who asks, as they say; null of a drill. */
  name: nullable(string(4096)),
  /** Of the key that asks; none of a drill. */
  words: array(integer(0, 7775), 6),
  asked: time,
  created: time,
  threshold: friendCount,
  count: friendCount,
};
const friendsState = object({
  /** The newest recovery file that was made here. */
  dealt: nullable(
    object({
      created: time,
      threshold: friendCount,
      friends: array(object({ name: string(4096), proved: nullable(time) }), 10),
      drillAsked: nullable(time),
    }),
  ),
  /** The request that waits for answers; `answered`: the indices of those that came. */
  recovery: nullable(
    object({
      request: recoveryText,
      until: time,
      answered: array(integer(1, 10), 10),
      ...requestFacts,
    }),
  ),
});
const shownRequest = object({
  kind: requestKind,
  /** Who made the file, proven; null: nothing proves it. */
  dealer: nullable(sender),
  ...requestFacts,
});
const takenAnswer = object({
  outcome: literal('taken', 'wrong', 'other'),
  index: integer(1, 10),
  name: nullable(string(4096)),
});
const ownSharingKey = object({ ref: id, label: string(4096), publicKey, ...verification });

/** Parameters and results of the methods for contacts. */
export const CONTACT_SHAPES = {
  contact,
  /** More than can be added by hand, so that a restore omits none. */
  contacts: array(contact, 10_000),
  ownSharingKeys: array(ownSharingKey, 10_000),
  added: object({ name, publicKey }),
  changed: object({ id, name: optional(name), verified: optional(boolean) }),
  removed: object({ id }),
  sender,
  signed,
} as const;

/** Parameters and results of the methods for recovery by friends. */
export const RECOVERY_SHAPES = {
  friendsState,
  file: object({ file: recoveryFile }),
  contacts: array(id, 10, 2),
  threshold: friendCount,
  asking: object({ file: recoveryFile, name: askerName }),
  request: object({ request: recoveryText }),
  shownRequest,
  recoveryText,
  answered: object({ kind: requestKind, answer: recoveryText }),
  answer: object({ answer: recoveryText }),
  takenAnswer,
} as const;

/** The members that a group has beside its maker, and the length of the longest epoch as text. */
const MAX_OTHER_MEMBERS = 127;
const MAX_EPOCH_CHARACTERS = 440_273;

const groupId = string(49, 49);
const epoch = string(MAX_EPOCH_CHARACTERS, 1);
const members = array(id, MAX_OTHER_MEMBERS);
/** Whether a member is an admin from now on: the key of Ed25519 by which they are, or null. */
const role = object({ member: publicKey, adminKey: nullable(publicKey) });
/** Epochs as they are kept: all were checked together. `at`: when they were made or taken here. */
const group = object({
  id: groupId,
  name: string(4096),
  epochs: array(object({ text: epoch, at: time }), MAX_EPOCHS),
});

/** A group as one to seal to. `problem`: why the user cannot (src/format/groups/group-problem.ts). */
const sealableGroup = object({
  id: groupId,
  name: string(4096),
  problem: nullable(literal('left', 'waiting', 'noAdmins')),
});

/** Parameters and results of the methods for groups. */
export const GROUP_SHAPES = {
  /** "swg1.…" */
  groupId,
  groups: array(group, 1_000),
  sealable: array(sealableGroup, 1_000),
  /** `own`, `signer`: keys of the user, by which the user is a member and an admin. */
  made: object({ name, contacts: members, own: id, signer: id }),
  id: object({ id: groupId }),
  changed: object({
    id: groupId,
    signer: id,
    add: members,
    remove: array(publicKey, MAX_OTHER_MEMBERS + 1),
    roles: array(role, MAX_OTHER_MEMBERS + 1),
    giveOldKeys: boolean,
  }),
  taken: object({ id: groupId, epochs: array(epoch, MAX_EPOCHS, 1), name: optional(name) }),
  renamed: object({ id: groupId, name }),
} as const;

/** A group with its epochs, which were checked. */
export type UiGroup = Infer<typeof group>;
/** A group as one to seal to. */
export type SealableGroup = Infer<typeof sealableGroup>;
/**
 * What the user lacks to open a message for a group: `data.group` of NEEDS_KEY, for the extension's own pages alone.
 */
export interface NeededGroup {
  /** The user's own name for it; null for a group that is not kept. */
  readonly name: string | null;
  /** 'group', 'epoch': it is not kept. 'member': the user is no member of that epoch. */
  readonly lacks: 'group' | 'epoch' | 'member';
}
/** Another person's public key, with what is compared to verify it. */
export type UiContact = Infer<typeof contact>;
/** The public key of one of the user's sharing keys, with what others compare. */
export type OwnSharingKey = Infer<typeof ownSharingKey>;
/** Who sealed a message. */
export type MessageSender = Infer<typeof sender>;
/** What a friend is shown of a request. */
export type ShownRequest = Infer<typeof shownRequest>;
/** What became of an answer. */
export type TakenAnswer = Infer<typeof takenAnswer>;
/** What the vault knows of recovery by friends. */
export type FriendsState = Infer<typeof friendsState>;
/** That a message is signed, and what proves it to others. */
export type MessageSigned = Infer<typeof signed>;
