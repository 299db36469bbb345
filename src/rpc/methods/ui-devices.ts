/* Devices of one person that pair, as the manager sees them (docs/design/devices.md). */
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
  union,
} from '../validate.ts';
import {
  DEVICE_FILES_MAX,
  DEVICE_FILES_MAX_BYTES,
  MAX_RECOVERY_CODE_CHARACTERS,
} from '../limits.ts';
import type { Infer } from '../validate.ts';

const MAX_OFFER_BYTES = 2048;
const MAX_PARCEL_BYTES = 2 ** 24;

/** In UTF-8 (src/keys/circle/members.ts), and so in UTF-16 units. */
const MAX_NAME_BYTES = 64;
const MAX_MEMBERS = 8;
const MAX_REMOVED = 16;
const DIGITS = 6;
/** "SWD1:" and a SHA-256 in hex. */
const CODE_CHARACTERS = 69;
/** Far more than join before the person looks. */
const MAX_JOINED = 1_000;
/** Each member once, and those that have gone since. */
const MAX_COPIES = 256;

const name = string(MAX_NAME_BYTES, 1);
const time = integer(0);
const count = integer(0);
const offer = bytes(MAX_OFFER_BYTES);
const parcel = bytes(MAX_PARCEL_BYTES);
/** docs/format.md section 3.4. */
const words = array(integer(0, 7775), 6, 6);
const origins = array(string(4096), 10_000);
const answer = object({ parcel, digits: string(DIGITS, DIGITS) });
/** docs/format.md section 15: what stands for an offer on the screen of its device, as a QR code. */
const code = string(CODE_CHARACTERS, CODE_CHARACTERS);

const ownOffer = object({
  offer,
  name,
  words,
  code,
  /** When it ends. */
  until: time,
});

const joining = object({
  /** The device that gives, as it says. */
  name,
  /** Origins that will know the person anew, by the device on which they knew the person before. */
  anew: object({ here: origins, there: origins }),
  /** Things that were deleted on the one device and changed on the other: they come back. */
  changedSince: count,
  /** Things that the one device has and the other deleted so long ago that its record is gone: they stay. */
  forgotten: count,
  /** The devices of a circle that this device leaves for the one of the other device. */
  leaves: array(string(MAX_NAME_BYTES), MAX_MEMBERS),
});

/** 16 bytes in hex. */
const memberId = string(32, 32);

const memberKind = literal('device', 'code', 'passkey');

const member = object({
  id: memberId,
  kind: memberKind,
  /** Of a device; '' for what opens the circle without one. */
  name: string(MAX_NAME_BYTES),
  isThis: boolean,
  /** When this device has taken it in, where it has not heard of it since; else null. */
  joiningSince: nullable(time),
});

const removedDevices = object({
  /** Those that were removed, with the names that they had. */
  devices: array(object({ kind: memberKind, name: string(MAX_NAME_BYTES) }), MAX_REMOVED),
  /** Keys that can be rotated, and are not yet. */
  due: count,
  /** Whether there is one among them that contacts seal to: they need its new public key. */
  hasSharing: boolean,
  /** Keys that cannot be rotated (src/service/vault/removed-devices.ts). */
  stuck: array(
    object({ label: string(4096), reason: literal('imported', 'service', 'guest', 'generations') }),
    10_000,
  ),
});

/** What opens the circle on a medium without a device: the output of the passkey's PRF is 32 bytes. */
const opener = union(
  '{ recoveryCode } or { prf }',
  object({ recoveryCode: string(MAX_RECOVERY_CODE_CHARACTERS, 1) }),
  object({ prf: bytes(64) }),
);

/** Why nothing was taken; the first is about the code alone. For the others see src/keys/media/found-circle.ts. */
const fault = literal(
  'mistyped',
  'unreachable',
  'empty',
  'unopened',
  'damaged',
  'late',
  'forked',
  'refused',
);

/** What a vault would hold that is made of it. */
const found = { keys: count, contacts: count };

/** SHA-256 in hex: the commitment of an epoch. */
const epochId = string(64, 64);

const medium = object({
  isOn: boolean,
  /** Whether this device is in a circle: without one there is nothing to exchange. */
  isInCircle: boolean,
  /**
   * Whether the recovery code of this vault opens the medium: 'none' without a confirmed code; 'unknown' until it is entered,
   * as it was made before, or was removed from the circle; 'waiting' for the next exchange; 'full' as there are eight members.
   */
  code: literal('none', 'unknown', 'waiting', 'member', 'full'),
  /** Devices that another one has added, until the user has seen them. */
  joined: array(object({ id: memberId, name: string(MAX_NAME_BYTES), at: time }), MAX_JOINED),
  last: nullable(
    object({
      at: time,
      /** Null where all went well. The kinds are those of src/service/exchange/medium-exchange.ts. */
      hindrance: nullable(
        object({
          kind: literal(
            'no-circle',
            'medium',
            'forbidden',
            'failed',
            'late',
            'refused',
            'unreached',
            'forked',
          ),
          since: time,
        }),
      ),
      /** The epoch that hinders, between which and the own one the person chooses; null where no choice is needed. */
      other: nullable(epochId),
      /** Null where nothing was to be written. */
      room: nullable(
        object({
          /** 0 to 100, rounded up. */
          usedPercent: integer(0),
          isNearlyFull: boolean,
          /** How much has no room, by kind. */
          leftOut: object({ contacts: count, siteKeys: count, others: count }),
        }),
      ),
    }),
  ),
});

/** Of members, '' where one has gone. */
const names = array(string(MAX_NAME_BYTES), MAX_MEMBERS);

const files = array(bytes(DEVICE_FILES_MAX_BYTES), DEVICE_FILES_MAX);
/** Which of the files that were given, from 0 on; absent for a medium, and for none. */
const places = optional(array(integer(0, DEVICE_FILES_MAX - 1), DEVICE_FILES_MAX));
/** `files`: those that are in the way. */
const faulty = object({ outcome: fault, files: places });

/** What became of files. The words are those of src/service/exchange/file-exchange.ts. */
const filesReport = object({
  taken: names,
  notTaken: object({ damaged: count, unreached: count, older: count, refused: count }),
  other: nullable(epochId),
  told: object({ wentBack: names, late: names }),
  isDue: boolean,
});

/** The shapes of the rows of `UI_METHODS` for devices that pair. */
export const DEVICE_SHAPES = {
  named: object({ name }),
  ownOffer,
  anOffer: nullable(ownOffer),
  /** `code`: what was scanned; INVALID_ARGUMENT where it is not that of the offer. */
  offered: object({ offer, code: optional(code) }),
  /** Six words are those of the offer, and the others decoys; the order is random. */
  readOffer: object({
    name,
    at: time,
    /** Whether it was made longer ago than it can be answered, or later than now, by the clock of this device. */
    isStale: boolean,
    choices: array(words, 3, 3),
    /** Whether there are eight members: one must be removed first. */
    isFull: boolean,
  }),
  /** `shown`: what the other device shows, as the person has picked it among the choices or scanned it. */
  giving: {
    offer,
    shown: union('{ words } or { code }', object({ words }), object({ code })),
    name,
  },
  given: object({ parcel, digits: string(DIGITS, DIGITS) }),
  answer,
  checked: union(
    'what became of a parcel',
    object({ outcome: literal('opened'), joining }),
    object({ outcome: literal('no-offer', 'other-offer') }),
    object({ outcome: literal('wrong-digits'), triesLeft: count }),
  ),
  /** `isForked`: this device was a copy of another one, and has an id of its own from here on. */
  joined: object({ isForked: boolean }),
  /** Null where this device is in no circle. `number`: of the epoch. */
  members: nullable(object({ number: integer(1), members: array(member, MAX_MEMBERS, 1) })),
  memberId,
  removedDevices: nullable(removedDevices),
  rotated: object({ left: count }),
  /** Null where the browser has no medium. */
  medium: nullable(medium),
  leftMedium: object({ removeItems: boolean }),
  choice: { other: epochId, holds: literal('own', 'other') },
  deviceFiles: object({
    /** Whether this device is in a circle: without one there is nothing to exchange. */
    isInCircle: boolean,
    /** When files were last taken, and this device's was last made; null for never. */
    takenAt: nullable(time),
    madeAt: nullable(time),
    /** As whom two devices write, until the person has read it. */
    copies: array(object({ name: string(MAX_NAME_BYTES), at: time }), MAX_COPIES),
  }),
  deviceFile: object({ name: string(64), file: bytes(DEVICE_FILES_MAX_BYTES) }),
  files: object({ files }),
  chosenFiles: { files },
  filesReport,
  /** `files`: of devices; without them, what the browser has synced. */
  source: { by: opener, files: optional(files) },
  name,
  /** `members`: all of the circle. `older`: files from before its list changed, of which nothing is taken. */
  found: union(
    'what a medium or files hold',
    object({
      outcome: literal('opened'),
      members: array(object({ kind: memberKind, name: string(MAX_NAME_BYTES) }), MAX_MEMBERS, 1),
      older: places,
      ...found,
    }),
    faulty,
  ),
  arrived: union(
    'what was taken of a medium or of files',
    object({ outcome: literal('arrived'), ...found }),
    faulty,
  ),
} as const;

/** What the person has to know before this device takes what another one shares. */
export type UiJoining = Infer<typeof joining>;
/** A device of the circle, or what opens it without one. */
export type UiMember = Infer<typeof member>;
/** Keys that removed devices have. */
export type UiRemovedDevices = Infer<typeof removedDevices>;
/** The exchange of this device with others over the browser's own storage that syncs. */
export type UiMedium = Infer<typeof medium>;
/** The exchange of this device with others by files. */
export type UiDeviceFiles = Infer<(typeof DEVICE_SHAPES)['deviceFiles']>;
/** What became of files of other devices. */
export type UiFilesReport = Infer<typeof filesReport>;
/** What a medium or files hold for a recovery code or a passkey. */
export type UiFoundCircle = Infer<(typeof DEVICE_SHAPES)['found']>;
/** An offer of this device. */
export type UiOffer = Infer<typeof ownOffer>;
