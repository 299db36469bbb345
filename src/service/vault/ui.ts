import type { Implementations } from '../../rpc/call.ts';
import { settleAfterUnlock, type AfterUnlockParts } from './after-unlock.ts';
import type { Engines } from '../system/engines.ts';
import { argumentChecked } from '../errors.ts';
import { callIdOf } from '../calls/journal.ts';
import { createVaultOnce } from './vault-creation.ts';

interface Parts extends AfterUnlockParts {
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
