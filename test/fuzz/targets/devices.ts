/* What a device takes from another one. */
import { concat, toBase64url, u16be, u32be } from '../../../src/crypto/bytes.ts';
import { markPadding } from '../../../src/format/wire/padding.ts';
import { paddedLength } from '../../../src/format/wire/sealed-length.ts';
import { parseContents, recordsOfBackedUp } from '../../../src/keys/backup/backup-contents.ts';
import {
  encodeEpoch,
  EpochError,
  parseEpoch,
  parseLink,
  statementOf,
  withKeys,
  WRAP_BYTES,
} from '../../../src/keys/circle/epoch.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { X_WING_KEY_BYTES } from '../../../src/keys/circle/members.ts';
import { encodePart, parsePart } from '../../../src/keys/circle/membership.ts';
import { changesFor, withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { EMPTY_STATE, merge } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import { recordsOfState } from '../../../src/keys/devices/state-records.ts';
import {
  encodeState,
  parseState,
  requireParts,
  requireUsable,
  SharedStateError,
} from '../../../src/keys/devices/state-text.ts';
import { ByteReader, decodeContent, encodeContent } from '../../../src/keys/media/entry-bytes.ts';
import {
  DeviceFileError,
  headBytes,
  parseDeviceFile,
  parseHeld,
} from '../../../src/keys/media/device-file.ts';
import {
  boxesOf,
  haveLengths,
  itemBytes,
  ITEM_NAMES,
  placeBytes,
  wrappedKeysIn,
} from '../../../src/keys/media/items.ts';
import {
  digestOfOffer,
  encodeDevice,
  encodeOffer,
  messageStart,
  PairingError,
  parseOffer,
} from '../../../src/keys/pairing/offer.ts';
import { contentsOfParcel, parseParcel } from '../../../src/keys/pairing/parcel.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import { sameJson } from '../../../src/keys/values/json.ts';
import { accepted, bytesIn, counting, require, requireSame, textIn } from '../target.ts';
import type { FuzzTarget } from '../target.ts';
import { contentsSeeds } from './vault.ts';

const [ONE, OTHER] = [counting(16), counting(16, 16)].map(toBase64url) as [string, string];

/** The states of devices with what the seeds of backups hold. */
function states(): SharedState[] {
  const vaults = contentsSeeds().flatMap((seed) => {
    const contents = accepted(() => parseContents(seed), VaultError);
    return contents ? [recordsOfBackedUp(contents)] : [];
  });
  return vaults.map((records, at) => {
    const first = withLocalChanges(EMPTY_STATE, records, at % 2 === 0 ? ONE : OTHER);
    return merge(first, withLocalChanges(EMPTY_STATE, vaults[at - 1] ?? [], OTHER));
  });
}

const sharedState: FuzzTarget = {
  name: 'shared-state',
  files: [
    'src/keys/devices/contents.ts',
    'src/keys/devices/shared-state.ts',
    'src/keys/devices/state-records.ts',
    'src/keys/devices/state-text.ts',
  ],
  maxBytes: 8192,
  sample: 500,
  seeds: () => [EMPTY_STATE, ...states()].map(encodeState),
  fuzz(data) {
    const state = accepted(() => parseState(data.slice()), SharedStateError);
    if (!state) return;
    requireSame('a state', encodeState(state), data);
    const records = recordsOfState(state);
    require('no change without a change', withLocalChanges(state, records, ONE) === state);
    require('nothing to write', changesFor(state, records).put.length === 0);
    const own = states().at(-1)!;
    const merged = merge(own, state);
    requireSame('either way round', encodeState(merged), encodeState(merge(state, own)));
    accepted(() => requireUsable(merged), SharedStateError);
  },
};

const OFFER = encodeOffer({
  at: 1_700_000_000_000,
  member: {
    kind: 'device',
    id: counting(16),
    ed25519: counting(32),
    xWing: counting(X_WING_KEY_BYTES),
    name: 'Küche',
  },
});

const pairingOffer: FuzzTarget = {
  name: 'pairing-offer',
  files: ['src/keys/pairing/offer.ts'],
  seeds: () => [OFFER],
  fuzz(data) {
    const offer = accepted(() => parseOffer(data), PairingError);
    if (offer) requireSame('an offer', encodeOffer(offer), data);
  },
};

/** A head, and contents in the place of what is sealed. */
const parcelSeeds = (): Uint8Array[] =>
  [EMPTY_STATE, ...states()].map((state) => {
    const plain = concat(u32be(8), counting(8), encodeState(state));
    const padded = new Uint8Array(paddedLength(plain.length));
    padded.set(plain);
    markPadding(padded, plain.length);
    const device = encodeDevice({ name: 'Old', at: 1_700_000_000_000 });
    return concat(messageStart('parcel'), digestOfOffer(OFFER), device, padded);
  });

const pairingParcel: FuzzTarget = {
  name: 'pairing-parcel',
  files: ['src/keys/pairing/parcel.ts', 'src/keys/pairing/offer.ts'],
  maxBytes: 8192,
  seeds: parcelSeeds,
  fuzz(data) {
    const parcel = accepted(() => parseParcel(data), PairingError);
    if (!parcel) return;
    requireSame('a parcel', concat(parcel.head, parcel.sealed), data);
    const contents = accepted(() => contentsOfParcel(parcel.sealed), PairingError);
    if (!contents) return;
    const { circle, state } = contents;
    const whole = parcel.sealed.subarray(0, 4 + circle.length + state.length);
    requireSame('contents', concat(u32be(circle.length), circle, state), whole);
  },
};

/** Epochs of one and of two members, made without keys: the parser checks no signature. */
function epochs(): Epoch[] {
  const wraps = Array.from({ length: 8 }, (_, at) => counting(WRAP_BYTES, at));
  const members = [1, 2].map((at) => ({
    kind: at === 1 ? ('device' as const) : ('code' as const),
    id: counting(16, at),
    xWing: counting(X_WING_KEY_BYTES, at),
    ed25519: counting(32, at),
    name: at === 1 ? 'Läptop' : '',
  }));
  return [1, 2].map((number) => {
    const [parent, commitment] = [new Uint8Array(32).fill(number - 1), counting(32)];
    const fields = { number, parent, commitment, wraps, signer: counting(16, 1) };
    const some = members.slice(0, number);
    const keys = some.map(({ xWing }) => xWing);
    const statement = statementOf({ ...fields, members: some });
    return parseEpoch(concat(statement, counting(64), ...keys, ...wraps));
  });
}

/** What a new member is given of a circle; no signature is checked. */
const circlePart: FuzzTarget = {
  name: 'circle-part',
  files: ['src/keys/circle/membership.ts'],
  maxBytes: 12_288,
  seeds: () => {
    const [first, second] = epochs() as [Epoch, Epoch];
    const link = concat(u16be(first.bytes.length), first.bytes);
    return [
      concat(Uint8Array.of(0), encodeEpoch(first)),
      concat(Uint8Array.of(1), link, encodeEpoch(second)),
    ];
  },
  fuzz(data) {
    const part = accepted(() => parsePart(data), EpochError);
    if (part) requireSame('a part', encodePart(part), data);
  },
};

const epoch: FuzzTarget = {
  name: 'circle-epoch',
  files: ['src/keys/circle/epoch.ts'],
  maxBytes: 12_288,
  seeds: () => epochs().flatMap((each) => [each.bytes, encodeEpoch(each)]),
  fuzz(data) {
    const whole = accepted(() => parseEpoch(data), EpochError);
    if (whole) requireSame('an epoch', encodeEpoch(whole), data);
    const link = accepted(() => parseLink(data), EpochError);
    if (!link) return;
    requireSame('a link', link.bytes, data);
    const known = epochs().at(-1)!;
    const { members, wraps } = known;
    const keys = concat(...members.map(({ xWing }) => xWing), ...wraps);
    const joined = accepted(() => withKeys(link, keys), EpochError);
    if (joined) requireSame('the keys', joined.keysDigest, known.keysDigest);
  },
};

/** What the items of a medium hold, after they are opened: a member of another version may have made it. */
const mediumEntry: FuzzTarget = {
  name: 'medium-entry',
  files: ['src/keys/media/entry-bytes.ts'],
  words: ['swp1.', 'generation 1', 'sealing-key'],
  seeds: () =>
    states().flatMap(({ entries }) =>
      Object.entries(entries).map(([name, entry]) => encodeContent(name, { entry }, [ONE, OTHER])),
    ),
  fuzz(data) {
    const devices = [ONE, OTHER];
    const read = accepted(() => decodeContent(new ByteReader(data), devices), SharedStateError);
    if (!read || !('entry' in read.content)) return;
    const { name, content } = read;
    const state = { seen: {}, entries: { [name]: content.entry } };
    const isEntry = accepted(() => {
      requireParts(state);
      return true;
    }, SharedStateError);
    if (!isEntry) return;
    const again = encodeContent(name, content, devices);
    const same = decodeContent(new ByteReader(again), devices);
    require('the same entry', sameJson({ [same.name]: same.content }, { [name]: content }));
  },
};

/** What is in clear on a medium. */
const mediumBoxes: FuzzTarget = {
  name: 'medium-boxes',
  files: ['src/keys/media/items.ts'],
  maxBytes: 8192,
  seeds: () => epochs().flatMap((each) => boxesOf(each).map(bytesIn)),
  fuzz(data) {
    const text = textIn(data);
    const texts = new Map([[ITEM_NAMES[1]!, text]]);
    const [wrapped, ...others] = wrappedKeysIn(texts);
    require('one at most', others.length === 0);
    require('of one length', haveLengths(texts) ===
      (text.length === boxesOf(epochs()[0]!)[0]!.length));
    if (wrapped) require('the same text', boxesOf(wrapped)[0] === text);
  },
};

/** Of a file what is in clear, and what is found in it once it was opened. */
const deviceFile: FuzzTarget = {
  name: 'device-file',
  files: ['src/keys/media/device-file.ts'],
  maxBytes: 12_288,
  seeds: () => {
    const clear = epochs().map((each) => {
      const magic = Uint8Array.of(0x53, 0x57, 0x46, 1);
      return concat(magic, placeBytes(each), ...each.wraps, counting(100));
    });
    const head = { member: counting(16), device: ONE, generation: 3, before: counting(32) };
    const held = states().map(({ seen, entries }) => {
      const named = Object.entries(entries).map(([name, entry]) => [name, { entry }] as const);
      const item = { range: [0, 2 ** 48] as const, seen, contents: new Map(named) };
      return concat(headBytes({ ...head, read: { [OTHER]: 2 } }), itemBytes(item, [ONE, OTHER]));
    });
    return [...clear, ...held];
  },
  fuzz(data) {
    const file = accepted(() => parseDeviceFile(data), DeviceFileError);
    if (file) {
      const { box, sealed } = file;
      requireSame(
        'a file',
        concat(data.subarray(0, 4), placeBytes(box), ...box.wraps, sealed),
        data,
      );
    }
    const held = accepted(() => parseHeld(data), SharedStateError);
    if (!held) return;
    const again = parseHeld(
      concat(headBytes(held.head), data.subarray(headBytes(held.head).length)),
    );
    require('the same head', sameJson(again.head.read, held.head.read));
  },
};

export const DEVICE_TARGETS: readonly FuzzTarget[] = [
  sharedState,
  pairingOffer,
  pairingParcel,
  circlePart,
  epoch,
  mediumEntry,
  mediumBoxes,
  deviceFile,
];
