import type { Member } from '../../keys/circle/members.ts';
import { keepOpenerIn } from '../../keys/circle/openers.ts';
import { adviceFor, type DerivationTimes } from '../../keys/unlock/calibration.ts';
import { isPbkdf2 } from '../../keys/unlock/passphrase-kdf.ts';
import type { SlotDescription, SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import { prfCredentialOf } from '../../keys/unlock/strong-slot.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { argumentChecked } from '../errors.ts';
import type { Toolbar } from '../status/toolbar.ts';
import type { Sharing } from '../sharing/sharing.ts';
import type { FirstCode } from './first-code.ts';
import type { MediumExchange } from '../exchange/medium-exchange.ts';
import { codeMember, passkeyMember } from './openers.ts';
import { callIdOf, entryOf, JOURNAL_ID, journalOf, recordIn, OWN_PAGES } from '../calls/journal.ts';

interface Deps {
  readonly vault: Vault;
  readonly slotKeeper: SlotKeeper;
  readonly sharing: Pick<Sharing, 'kem'>;
  readonly exchange: Pick<MediumExchange, 'changed'> | undefined;
  readonly firstCode: FirstCode;
  readonly times: Pick<DerivationTimes, 'of'>;
  readonly toolbar: Pick<Toolbar, 'noteSlots' | 'changingSlots'>;
  readonly now: () => number;
}

type SlotMethods =
  | 'ui.slots'
  | 'ui.checkSecret'
  | 'ui.changePassphrase'
  | 'ui.addRecoveryCode'
  | 'ui.addFirstRecoveryCode'
  | 'ui.confirmRecoveryCode'
  | 'ui.passkeys'
  | 'ui.addPasskey'
  | 'ui.removeSlot';

/**
 * The ways to open the vault. All but the change of the passphrase may be repeated without harm: a
 * recovery code that was not seen is replaced by the next (the first, which is made once, by one that
 * takes the passphrase), and what is gone or confirmed stays so.
 */
export function uiSlotMethods(deps: Deps): Pick<Implementations, SlotMethods> {
  const { vault, slotKeeper, firstCode, toolbar } = deps;
  return {
    async 'ui.slots'() {
      const slots = await slotKeeper.list();
      await toolbar.noteSlots(slots);
      return Promise.all(slots.map(async (slot) => ({ ...slot, ...(await costOf(slot, deps)) })));
    },
    async 'ui.checkSecret'({ by }) {
      await slotKeeper.check(by);
      return {};
    },
    async 'ui.changePassphrase'({ by, passphrase }, call) {
      await argumentChecked(changeOnce(by, passphrase, call, deps));
      return {};
    },
    async 'ui.addRecoveryCode'({ by }) {
      return { code: await toolbar.changingSlots(() => slotKeeper.addRecoveryCode(by)) };
    },
    async 'ui.addFirstRecoveryCode'() {
      firstCode.take();
      return { code: await toolbar.changingSlots(() => slotKeeper.addFirstRecoveryCode()) };
    },
    async 'ui.confirmRecoveryCode'({ code }) {
      const member = await codeMember(code, deps);
      await toolbar.changingSlots(() =>
        slotKeeper.confirmRecoveryCode(code, (draft, slot) => keepIn(draft, slot, member)),
      );
      return {};
    },
    // Asked for while locked too: an authenticator has to be told which credential is meant.
    async 'ui.passkeys'() {
      const credentials = (await vault.slotsInSight()).map(prfCredentialOf);
      return credentials.filter((credential) => credential !== undefined);
    },
    async 'ui.addPasskey'({ by, credentialId, prfSalt, output, circleOutput }) {
      const member = circleOutput && (await argumentChecked(passkeyMember(circleOutput, deps)));
      const adding = slotKeeper.addPrf(by, { credentialId, prfSalt }, output, (draft, slot) =>
        keepIn(draft, slot, member),
      );
      await argumentChecked(adding);
      return {};
    },
    async 'ui.removeSlot'({ by, id }) {
      await toolbar.changingSlots(() => slotKeeper.remove(by, id));
      deps.exchange?.changed(); // its member ends, too
      return {};
    },
  };
}

/** Keeps a secret as a member where the platform can have one. */
async function keepIn(draft: VaultDraft, slot: string, member: Member | undefined): Promise<void> {
  if (member) await keepOpenerIn(draft, slot, member);
}

/** What a passphrase costs, how long it took this machine, and what to do about that. */
async function costOf({ cost }: SlotDescription, { times }: Deps) {
  const isTimed = cost !== undefined && !isPbkdf2(cost);
  const tookMs = isTimed ? await times.of(cost) : undefined;
  if (!isTimed || tookMs === undefined) {
    return { cost: cost ?? null, tookMs: null, advice: 'none' as const };
  }
  return { cost, tookMs, advice: adviceFor(cost, tookMs) };
}

/** A replay could not show the former passphrase any more: what the call did is in the journal. */
async function changeOnce(
  by: Parameters<SlotKeeper['changePassphrase']>[0],
  passphrase: string,
  call: Call,
  { vault, slotKeeper, now }: Deps,
): Promise<void> {
  const recorded = { call: callIdOf(call), at: now() };
  const journal = journalOf(await vault.read(JOURNAL_ID));
  if (entryOf(journal, OWN_PAGES, recorded)) return;
  await slotKeeper.changePassphrase(by, passphrase, (draft) =>
    recordIn(draft, OWN_PAGES, { ...recorded, result: null }),
  );
}
