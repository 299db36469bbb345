import { equal } from '../../crypto/bytes.ts';
import { recipientTypeOf, NEW_KEY_PAIR } from '../../format/wire/recipient-table.ts';
import { joinReportIn, shareIn } from '../../keys/devices/device.ts';
import type { Circle } from '../../keys/circle/circle-record.ts';
import { EpochError } from '../../keys/circle/epoch.ts';
import { isDeviceName, wipePair } from '../../keys/circle/members.ts';
import type { Member } from '../../keys/circle/members.ts';
import {
  admitIn,
  isFullIn,
  joinIn,
  leftBehindIn,
  publicCircleIn,
} from '../../keys/circle/membership.ts';
import { SharedStateError } from '../../keys/devices/state-text.ts';
import {
  bytesOfMember,
  codeOfOffer,
  OFFER_LIFE_MS,
  PairingError,
  parseOffer,
} from '../../keys/pairing/offer.ts';
import { Pairing, type ParcelOutcome } from '../../keys/pairing/pairing.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import type { SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import { readOf, type Vault, type VaultDraft } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import { uniformInteger } from '../../random/uniform.ts';

import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import type { Activity } from '../audit/activity.ts';
import { callIdOf, entryOf, JOURNAL_ID, journalOf, OWN_PAGES, recordIn } from '../calls/journal.ts';
import { argumentChecked } from '../errors.ts';
import { requireEd25519 } from './ui-members.ts';
import { guardAll, type GuardedSitesDeps } from '../fields/field-settings.ts';
import type { Grants } from '../grants/grants.ts';
import type { Revoker } from '../grants/revoker.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { verificationOf } from '../sharing/verification.ts';
import { noteJoinedIn, noteJoiningIn } from './member-notes.ts';
import { commitMerging, sharingParts } from './merged-states.ts';

/** What pairing works with. */
export interface PairingParts extends GuardedSitesDeps {
  readonly vault: Vault;
  readonly sharing: Pick<Sharing, 'kem' | 'epochParts'>;
  readonly messageCrypto: Pick<MessageCrypto, 'forBytes'>;
  readonly slotKeeper: SlotKeeper;
  readonly grants: Grants;
  readonly revoker: Revoker;
  readonly activity: Pick<Activity, 'all'>;
  readonly random: RandomSource;
  readonly now: () => number;
}

interface Deps extends PairingParts {
  readonly pairing: Pairing;
}

type Methods =
  | 'ui.ownOffer'
  | 'ui.makeOffer'
  | 'ui.endOffer'
  | 'ui.readOffer'
  | 'ui.giveToDevice'
  | 'ui.checkParcel'
  | 'ui.takeParcel';

/** Sets of words to choose from: those of the offer, and two decoys. */
const CHOICES = 3;

/**
 * Devices that pair (docs/design/devices.md). All but the last may be repeated without harm: an offer takes the place of the
 * one before it, another parcel opens as the first does, and a repeated check counts as another try.
 */
export function uiPairingMethods(parts: PairingParts): Pick<Implementations, Methods> {
  const pairing = new Pairing({
    ...parts,
    kem: () => parts.sharing.kem(NEW_KEY_PAIR),
    crypto: async (bytes) => parts.messageCrypto.forBytes(bytes),
  });
  const deps: Deps = { ...parts, pairing };
  return {
    async 'ui.ownOffer'() {
      const offer = await pairing.offer();
      return offer === undefined ? null : shownOffer(offer);
    },
    async 'ui.makeOffer'({ name }) {
      await requireEd25519();
      return shownOffer(await argumentChecked(pairing.makeOffer(name)));
    },
    async 'ui.endOffer'() {
      await pairing.endOffer();
      return {};
    },
    'ui.readOffer': (params) => readOffer(params, deps),
    async 'ui.giveToDevice'({ by, offer, shown, name }) {
      const { member } = parseOffer(offer);
      if ('code' in shown) requireCode(shown.code, offer);
      else if (wordsOf(member).join() !== shown.words.join()) {
        throw new SealwrightError('INVALID_ARGUMENT', 'words: not those of the offer');
      }
      if (!isDeviceName(name)) {
        throw new SealwrightError('INVALID_ARGUMENT', 'name: not one of a device');
      }
      await requireEd25519();
      await deps.slotKeeper.check(by);
      const [sharing, epochParts] = [await sharingParts(deps), await deps.sharing.epochParts()];
      const contents = await refusedAsMalformed(
        deps.vault.commit(async (draft) => {
          await noteJoiningIn(draft, member, deps.now());
          const circle = await admitIn(draft, member, name, epochParts);
          return { circle, state: await shareIn(draft, sharing) };
        }),
      );
      return pairing.seal(offer, name, contents);
    },
    async 'ui.checkParcel'({ parcel, digits }) {
      const opened = await pairing.open(parcel, digits);
      return opened.outcome === 'opened' ? shownJoining(opened, deps) : opened;
    },
    async 'ui.takeParcel'({ parcel, digits }, call) {
      const joined = await takeOnce(parcel, digits, call, deps);
      await guardAll(deps);
      return joined;
    },
  };
}

const wordsOf = (member: Member): number[] => wordsOfBytes(bytesOfMember(member));

const wordsOfBytes = (bytes: Uint8Array): number[] => [
  ...verificationOf(recipientTypeOf(NEW_KEY_PAIR), bytes).words,
];

function shownOffer(offer: Uint8Array) {
  const { name, at, member } = parseOffer(offer);
  return {
    offer,
    name,
    words: wordsOf(member),
    code: codeOfOffer(offer),
    until: at + OFFER_LIFE_MS,
  };
}

function requireCode(code: string, offer: Uint8Array): void {
  if (code !== codeOfOffer(offer)) {
    throw new SealwrightError('INVALID_ARGUMENT', 'code: not that of the offer');
  }
}

/** The words of keys that there are not are decoys: the person has to look at the other device. */
async function readOffer({ offer, code }: ParamsOf<'ui.readOffer'>, { vault, random, now }: Deps) {
  const { name, at, member } = parseOffer(offer);
  if (code !== undefined) requireCode(code, offer);
  const decoys = Array.from({ length: CHOICES - 1 }, () => wordsOfBytes(random.bytes(32)));
  const choices = decoys.toSpliced(uniformInteger(random, CHOICES), 0, wordsOf(member));
  // Clocks of two devices differ: this is reported, and refuses nothing. The device that offers judges by its own.
  const isStale = Math.abs(now() - at) > OFFER_LIFE_MS;
  return { name, at, isStale, choices, isFull: await isFullIn(readOf(vault)) };
}

type Opened = Extract<ParcelOutcome, { readonly outcome: 'opened' }>;

async function shownJoining(
  { giver, state, circle }: Opened,
  deps: Deps,
): Promise<ResultOf<'ui.checkParcel'>> {
  wipePair(circle.pair);
  const read = readOf(deps.vault);
  const { anew, changedSince, forgotten } = await refusedAsMalformed(
    joinReportIn(read, state, await sharingParts(deps)),
  );
  const leaves = await refusedAsMalformed(leftBehindIn(read, circle));
  const joining = {
    name: giver.name,
    anew: { here: [...anew.here], there: [...anew.there] },
    changedSince: changedSince.here.length + changedSince.there.length,
    forgotten: forgotten.here.length + forgotten.there.length,
    leaves: leaves.map((member) => member.name),
  };
  return { outcome: 'opened', joining };
}

/** The keys and the end of the offer go in one commit, with the permissions on keys that the other device had deleted. */
async function takeOnce(
  parcel: Uint8Array,
  digits: string,
  call: Call,
  deps: Deps,
): Promise<ResultOf<'ui.takeParcel'>> {
  const { vault, pairing } = deps;
  const recorded = { call: callIdOf(call), at: deps.now() };
  const earlier = entryOf(journalOf(await vault.read(JOURNAL_ID)), OWN_PAGES, recorded);
  if (earlier) return earlier.result as ResultOf<'ui.takeParcel'>;
  const opened = await pairing.open(parcel, digits);
  if (opened.outcome === 'wrong-digits') {
    throw new SealwrightError('INVALID_ARGUMENT', 'digits: not those of the other device');
  }
  if (opened.outcome !== 'opened') throw offerEnded();
  const merging = commitMerging(deps, async (draft, mergeRevokingIn) => {
    if (!(await pairing.endAnsweredIn(draft, opened.offerDigest))) throw offerEnded();
    await followIn(draft, opened.circle, deps.now());
    const { isForked } = await mergeRevokingIn(draft, opened.state);
    await recordIn(draft, OWN_PAGES, { ...recorded, result: { isForked } });
    return { isForked };
  });
  return refusedAsMalformed(merging).finally(() => wipePair(opened.circle.pair));
}

/** Follows the circle that was given. Where it follows the own one, the devices that joined meanwhile are reported. */
async function followIn(draft: VaultDraft, given: Circle, at: number): Promise<void> {
  const before = await publicCircleIn(draft);
  await joinIn(draft, given);
  const isOn = given.links.some(({ digest }) => before && equal(digest, before.epoch.digest));
  if (before && isOn) await noteJoinedIn(draft, before.epoch, at);
}

function offerEnded(): SealwrightError {
  return new SealwrightError('EXPIRED', 'The offer of this device can be answered no more');
}

/** Two states, or circles, that each are whole may be nothing together: one of them was forged. */
function refusedAsMalformed<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isForged = error instanceof SharedStateError || error instanceof EpochError;
    throw isForged ? new PairingError('MALFORMED') : error;
  });
}
