import { toHex } from '../../crypto/bytes.ts';
import { CONTACT } from '../../keys/annotations/contact.ts';
import { MEMBERS_MAX } from '../../keys/circle/members.ts';
import { publicCircleIn } from '../../keys/circle/membership.ts';
import { openersIn } from '../../keys/circle/openers.ts';
import { MediumError, NEARLY_FULL } from '../../keys/media/medium.ts';
import { PERSISTENT_KEY } from '../../keys/ring/persistent-key.ts';
import type { SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import { slotName } from '../../keys/values/value-names.ts';
import { readOf, type Vault } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { UiMedium } from '../../rpc/methods/ui-devices.ts';
import { joinedIn, readJoinedIn } from '../vault/member-notes.ts';
import { requireEd25519 } from '../vault/ui-members.ts';
import type { LastExchange, MediumExchange } from './medium-exchange.ts';
import { withoutOthers } from './taking.ts';

/** What the person sees of the exchange, and decides about it. */
export interface MediumParts {
  readonly vault: Vault;
  readonly slotKeeper: Pick<SlotKeeper, 'check' | 'list'>;
  readonly exchange: MediumExchange | undefined;
}

type Methods = 'ui.medium' | 'ui.useMedium' | 'ui.leaveMedium' | 'ui.readJoined' | 'ui.chooseEpoch';

/** The exchange with other devices over a medium (docs/design/devices.md). Each method may be repeated without harm. */
export function uiMediumMethods(parts: MediumParts): Pick<Implementations, Methods> {
  const { vault, slotKeeper, exchange } = parts;
  const existing = (): MediumExchange => {
    if (exchange) return exchange;
    throw new SealwrightError('UNSUPPORTED', 'This browser has no storage that syncs');
  };
  return {
    async 'ui.medium'() {
      if (!exchange) return null;
      const { isOn, last } = await exchange.state();
      const joined = await joinedIn(readOf(vault));
      const circle = await shownCircleIn(vault);
      return {
        isOn,
        isInCircle: circle.members.length > 0,
        code: await standingOfCode(circle, parts),
        joined: joined.map((member) => ({ ...member })),
        last: last && shown(last),
      };
    },
    async 'ui.useMedium'() {
      const found = existing();
      await requireEd25519();
      if ((await shownCircleIn(vault)).members.length === 0) {
        throw withoutOthers();
      }
      await found.turnOn();
      return {};
    },
    async 'ui.leaveMedium'({ removeItems }) {
      try {
        await existing().turnOff(removeItems);
      } catch (error) {
        if (!(error instanceof MediumError)) throw error;
        throw new SealwrightError('INTERNAL', 'The browser could not remove the items');
      }
      return {};
    },
    async 'ui.readJoined'() {
      await vault.commit(readJoinedIn);
      return {};
    },
    async 'ui.chooseEpoch'({ by, other, holds }) {
      const found = existing();
      await slotKeeper.check(by);
      await found.choose(other, holds);
      return {};
    },
  };
}

/** Ids as hex. */
interface ShownCircle {
  /** Of this device; null where it is in no circle. */
  readonly own: string | null;
  readonly members: readonly string[];
}

async function shownCircleIn(vault: Vault): Promise<ShownCircle> {
  const circle = await publicCircleIn(readOf(vault));
  if (!circle) return { own: null, members: [] };
  return { own: toHex(circle.id), members: circle.epoch.members.map(({ id }) => toHex(id)) };
}

/** Whether the confirmed recovery code of this vault is a member of its circle. */
async function standingOfCode(
  { own, members }: ShownCircle,
  { vault, slotKeeper }: MediumParts,
): Promise<UiMedium['code']> {
  const slots = await slotKeeper.list();
  const code = slots.find(({ kind, confirmed }) => kind === 'recovery-code' && confirmed);
  if (!code) return 'none';
  const openers = await openersIn(readOf(vault));
  const opener = openers.find(({ slot }) => slot === slotName(code.id));
  if (!opener) return 'unknown';
  if (members.includes(toHex(opener.member.id))) return 'member';
  if (opener.joinedAs === own) return 'unknown'; // it was removed from the circle
  return members.length >= MEMBERS_MAX ? 'full' : 'waiting';
}

function shown({ at, hindrance, other, room }: LastExchange) {
  return {
    at,
    hindrance: hindrance && { ...hindrance },
    other,
    room: room ? shownRoom(room) : null,
  };
}

function shownRoom({ usedBytes, roomBytes, leftOut }: NonNullable<LastExchange['room']>) {
  const ofType = (type: string): number =>
    leftOut.filter((name) => name.startsWith(`${type} `)).length;
  const [contacts, siteKeys] = [ofType(CONTACT), ofType(PERSISTENT_KEY)];
  return {
    usedPercent: Math.ceil((100 * usedBytes) / roomBytes),
    isNearlyFull: usedBytes >= NEARLY_FULL * roomBytes || leftOut.length > 0,
    leftOut: { contacts, siteKeys, others: leftOut.length - contacts - siteKeys },
  };
}
