import { toHex } from '../../crypto/bytes.ts';
import { ED25519_KEY_BYTES, ed25519PublicKey } from '../../engine/native/ed25519.ts';
import { leaveIn, publicCircleIn } from '../../keys/circle/membership.ts';
import type { SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import { readOf, type Vault } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import { argumentChecked, whereSupported } from '../errors.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { haveJoinedIn, joiningIn } from './member-notes.ts';
import { removeDeviceIn } from './removed-devices.ts';

/** What epochs are made with. */
export interface MembersParts {
  readonly vault: Vault;
  readonly sharing: Pick<Sharing, 'epochParts'>;
  readonly slotKeeper: Pick<SlotKeeper, 'check'>;
}

type Methods = 'ui.members' | 'ui.removeMember' | 'ui.memberHasJoined' | 'ui.leaveCircle';

/** The devices of this circle (docs/design/devices.md, "Members and epochs"). Each method may be repeated without harm. */
export function uiMembersMethods(parts: MembersParts): Pick<Implementations, Methods> {
  const { vault, slotKeeper, sharing } = parts;
  return {
    async 'ui.members'() {
      const circle = await publicCircleIn(readOf(vault));
      if (circle === undefined) return null;
      const { number, members } = circle.epoch;
      const own = toHex(circle.id);
      const joining = new Map((await joiningIn(readOf(vault))).map(({ id, at }) => [id, at]));
      return {
        number,
        members: members.map(({ id, kind, name }) => {
          const hex = toHex(id);
          return {
            id: hex,
            kind,
            name,
            isThis: hex === own,
            joiningSince: joining.get(hex) ?? null,
          };
        }),
      };
    },
    async 'ui.removeMember'({ by, id }) {
      await requireEd25519();
      await slotKeeper.check(by);
      const epochParts = await sharing.epochParts();
      const removing = vault.commit((draft) => removeDeviceIn(draft, id, epochParts));
      await argumentChecked(removing);
      return {};
    },
    async 'ui.memberHasJoined'({ id }) {
      await vault.commit((draft) => haveJoinedIn(draft, [id]));
      return {};
    },
    async 'ui.leaveCircle'({ by }) {
      await slotKeeper.check(by);
      await vault.commit(leaveIn);
      return {};
    },
  };
}

/** @throws SealwrightError UNSUPPORTED where the platform has no Ed25519, by which epochs are signed */
export async function requireEd25519(): Promise<void> {
  const anyKey = new Uint8Array(ED25519_KEY_BYTES).fill(1);
  await whereSupported('This browser has no Ed25519: it cannot join devices', () =>
    ed25519PublicKey(anyKey),
  );
}
