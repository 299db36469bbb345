import type { SessionStore } from '../../keys/session-store.ts';
import type { Vault } from '../../keys/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { Consent } from '../consent.ts';
import type { Engines } from '../engines.ts';
import { argumentChecked } from '../errors.ts';
import type { Grants } from '../grants.ts';
import { callIdOf } from '../journal.ts';
import type { LockKeeper } from '../lock-keeper.ts';
import type { SiteGrants } from '../site-grants.ts';
import { createVaultOnce } from '../vault-creation.ts';

interface Parts {
  readonly vault: Vault;
  readonly session: SessionStore;
  readonly lockKeeper: LockKeeper;
  readonly siteGrants: SiteGrants;
  readonly consent: Consent;
  readonly grants: Grants;
  readonly engines: Engines;
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
      return { vault: state, created, ...(await lockKeeper.state()), version, engines };
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

/** Sites taken away meanwhile lose their grants before any page hears that it may come again. */
async function settleAfterUnlock({ siteGrants, lockKeeper, consent, grants }: Parts) {
  await siteGrants.settle();
  await lockKeeper.unlocked();
  for (const { id, scope, wish } of await consent.allPending()) {
    const covering = await grants.covering({ ...wish, scope });
    if (covering) await consent.settle(id, { kind: 'granted', grantIds: [covering.id] });
  }
}
