import type { Json } from '../../keys/values/json.ts';
import { annotateKeyIn, deleteKeyIn, takeOverKeyIn } from '../../keys/annotations/key-details.ts';
import { APP } from '../../keys/ring/key-records.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { SlotSecret } from '../../keys/unlock/opened-slots.ts';
import type { SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { argumentChecked } from '../errors.ts';
import type { Activity } from '../audit/activity.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { Grants } from '../grants/grants.ts';
import { callIdOf, onceIn, OWN_PAGES } from '../calls/journal.ts';
import type { Revoker } from '../grants/revoker.ts';
import type { Sharing } from '../sharing/sharing.ts';
import type { Signatures } from '../signing/signatures.ts';
import type { Workshop } from '../../rpc/workshop.ts';
import { uiKeys } from './views.ts';
import { shownPublicKey } from '../signing/public-key.ts';

interface Deps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
  readonly revoker: Revoker;
  readonly slotKeeper: SlotKeeper;
  readonly signatures: Signatures;
  readonly sharing: Sharing;
  /** Reads keys that were made elsewhere. */
  readonly workshop: Workshop;
  readonly activity: Activity;
  readonly now: () => number;
}

type KeyMethods =
  | 'ui.keys'
  | 'ui.createKey'
  | 'ui.importKey'
  | 'ui.publicKey'
  | 'ui.editKey'
  | 'ui.archiveKey'
  | 'ui.takeOverKey'
  | 'ui.deleteKey';

/** The methods of the extension's own pages that create, edit, archive and delete keys. */
export function uiKeyMethods(deps: Deps): Pick<Implementations, KeyMethods> {
  const { keyRing, now } = deps;
  return {
    'ui.keys': async () => uiKeys(deps, await deps.activity.all()),
    async 'ui.createKey'({ kind = 'sealing', label }, call) {
      const create = (draft: VaultDraft) => keyRing.addKey(draft, { kind, label }).ref;
      return madeKey(create, call, deps);
    },
    async 'ui.importKey'({ label, text, scheme }, call) {
      const input = { secrets: { text }, params: { scheme } };
      const read = deps.workshop.call('files', 'signature.readKey', input);
      const { algorithm, privateKey: key, publicKey } = await argumentChecked(read);
      const imported = { kind: 'signing', algorithm, keys: [{ key, publicKey }] } as const;
      const add = (draft: VaultDraft) => keyRing.addImportedKey(draft, imported, label).ref;
      return madeKey(add, call, deps);
    },
    'ui.publicKey': async ({ ref }) => ({ text: await argumentChecked(shownPublicKey(ref, deps)) }),
    async 'ui.editKey'({ ref, label, note, tone }, call) {
      await commitOnce(call, deps, async (draft) => {
        await keyRing.relabelIn(draft, ref, label);
        if (ref !== APP) await annotateKeyIn(draft, ref, { note, tone });
      });
      return {};
    },
    async 'ui.archiveKey'({ ref, archived }, call) {
      const at = archived ? now() : null;
      await commitOnce(call, deps, (draft) => annotateKeyIn(draft, ref, { archived: at }));
      return {};
    },
    async 'ui.takeOverKey'({ ref }, call) {
      await commitOnce(call, deps, (draft) => takeOverKeyIn(draft, ref, Math.trunc(now())));
      return {};
    },
    async 'ui.deleteKey'({ by, ref }, call) {
      await deleteKey(by, ref, call, deps);
      return {};
    },
  };
}

/** A key that is made once for a call, as the surface shows it. */
export async function madeKey(
  make: (draft: VaultDraft) => string,
  call: Call,
  parts: Pick<Deps, 'vault' | 'keyRing' | 'grants' | 'now'>,
) {
  const ref = await once(make, call, parts);
  const keys = await uiKeys(parts);
  return keys.find((key) => key.ref === ref)!;
}

/** The key and the permissions for it go in one commit: there is never one without the other. */
async function deleteKey(by: SlotSecret, ref: string, call: Call, deps: Deps): Promise<void> {
  const { slotKeeper, grants, revoker, now } = deps;
  await slotKeeper.check(by);
  const isArchived = (await uiKeys(deps)).some((key) => key.ref === ref && key.archived !== null);
  const concerns = (grant: Grant): boolean => isArchived && grant.ref === ref;
  await revoker.takeBackIn(concerns, async () => {
    let revoked: readonly Grant[] = [];
    await commitOnce(call, deps, async (draft) => {
      await deleteKeyIn(draft, ref, now());
      revoked = await grants.revokeIn(draft, concerns);
    });
    return revoked;
  });
}

/** `once`, for changes without a result. */
async function commitOnce(
  call: Call,
  deps: Deps,
  change: (draft: VaultDraft) => Promise<void>,
): Promise<void> {
  await once((draft) => change(draft).then(() => null), call, deps);
}

/** Once for each call, however often it is replayed. */
function once<T extends Json>(
  change: (draft: VaultDraft) => T | Promise<T>,
  call: Call,
  { vault, now }: Pick<Deps, 'vault' | 'now'>,
): Promise<T> {
  const entry = { call: callIdOf(call), at: now() };
  const changed = vault.commit((draft) => onceIn(draft, OWN_PAGES, entry, () => change(draft)));
  return argumentChecked(changed);
}
