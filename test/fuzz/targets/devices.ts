/* What a device takes from another one. */
import { concat, toBase64url, u32be } from '../../../src/crypto/bytes.ts';
import { markPadding } from '../../../src/format/wire/padding.ts';
import { paddedLength } from '../../../src/format/wire/sealed-length.ts';
import { parseContents, recordsOfBackedUp } from '../../../src/keys/backup/backup-contents.ts';
import { changesFor, withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { EMPTY_STATE, merge } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import { recordsOfState } from '../../../src/keys/devices/state-records.ts';
import {
  encodeState,
  parseState,
  requireUsable,
  SharedStateError,
} from '../../../src/keys/devices/state-text.ts';
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
import { accepted, counting, require, requireSame } from '../target.ts';
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

const OFFER = encodeOffer({ name: 'Küche', at: 1_700_000_000_000, publicKey: counting(1_216) });

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

export const DEVICE_TARGETS: readonly FuzzTarget[] = [sharedState, pairingOffer, pairingParcel];
