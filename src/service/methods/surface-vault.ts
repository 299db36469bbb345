import type { SessionStore } from '../../keys/session-store.ts';
import type { Vault } from '../../keys/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { Activity } from '../activity.ts';
import type { Consent } from '../consent.ts';
import type { Engines } from '../engines.ts';
import { argumentChecked } from '../errors.ts';
import type { Grants } from '../grants.ts';
import { callIdOf } from '../journal.ts';
import type { LockKeeper } from '../lock-keeper.ts';
import type { SiteGrants } from '../site-grants.ts';
import type { StateEvents } from '../state-events.ts';
import { endUnusedGrants } from '../unused-grants.ts';
import { createVaultOnce } from '../vault-creation.ts';

interface Parts {
  readonly vault: Vault;
  readonly session: SessionStore;
  readonly lockKeeper: LockKeeper;
  readonly siteGrants: SiteGrants;
  readonly consent: Consent;
  readonly grants: Grants;
  readonly engines: Engines;
  readonly activity: Pick<Activity, 'note'>;
  readonly events: StateEvents;
  readonly version: string;
}

type VaultMethods =
  'ui.state' | 'ui.createVault' | 'ui.unlock' | 'ui.unlockBy' | 'ui.lock' | 'ui.setAutoLock';

export function surfaceVaultMethods(parts: Parts): Pick<Implementations, VaultMethods> {
  const { vault, lockKeeper, version } = parts;
  return {
    async 'ui.state'() {
      const { state, created } = await vault.state();
      const engines = [...(await parts.engines.names())];
      const copies = await vault.copies();
      return { vault: state, created, copies, ...(await lockKeeper.state()), version, engines };
    },
    async 'ui.createVault'({ passphrase }, call) {
      await argumentChecked(createVaultOnce(parts, passphrase, callIdOf(call)));
      await settleAfterUnlock(parts);
      return {};
    },
    async 'ui.unlock'({ passphrase }, { signal }) {
      await argumentChecked(vault.unlock(passphrase, signal));
      await settleAfterUnlock(parts);
      return {};
    },
    async 'ui.unlockBy'({ by }, { signal }) {
      await vault.unlock(by, signal);
      await settleAfterUnlock(parts);
      return {};
    },
    async 'ui.lock'() {
      await lockKeeper.lock();
      return {};
    },
    async 'ui.setAutoLock'({ autoLockMs }) {
      await lockKeeper.setAutoLock(autoLockMs);
      return {};
    },
  };
}

/** What ended meanwhile has ended before any page hears that it may come again. */
async function settleAfterUnlock(parts: Parts) {
  const { siteGrants, lockKeeper, consent, grants } = parts;
  await siteGrants.settle();
  await endUnusedGrants(parts);
  await lockKeeper.unlocked();
  for (const { id, scope, wish } of await consent.allPending()) {
    const covering = await grants.covering({ ...wish, scope });
    if (covering) await consent.settle(id, { kind: 'granted', grantIds: [covering.id] });
  }
}
