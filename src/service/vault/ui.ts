import type { Call, Implementations } from '../../rpc/call.ts';
import { settleAfterUnlock, type AfterUnlockDeps } from './after-unlock.ts';
import type { Engines } from '../engines/engines.ts';
import type { WithheldGrants } from '../grants/withheld-grants.ts';
import type { Toolbar } from '../status/toolbar.ts';
import { argumentChecked } from '../errors.ts';
import { callIdOf } from '../calls/journal.ts';
import type { FirstCode } from './first-code.ts';
import { noteEnteredCode, type OpenersParts } from './openers.ts';
import { createVaultOnce } from './vault-creation.ts';

interface Deps extends AfterUnlockDeps, OpenersParts {
  readonly engines: Engines;
  readonly withheld: WithheldGrants;
  readonly toolbar: Pick<Toolbar, 'toTell' | 'lacksCode' | 'forgetSlots'>;
  readonly firstCode: FirstCode;
  readonly version: string;
}

type VaultMethods =
  'ui.state' | 'ui.createVault' | 'ui.unlock' | 'ui.unlockBy' | 'ui.lock' | 'ui.setAutoLock';

/** The methods of the extension's own pages that create, unlock and lock the vault. */
export function uiVaultMethods(deps: Deps): Pick<Implementations, VaultMethods> {
  const { vault, lockKeeper, version, withheld, toolbar } = deps;
  const untilEnded = (call: Call) => AbortSignal.any([lockKeeper.untilLocked(call), call.signal]);
  return {
    async 'ui.state'() {
      const { state, created } = await vault.state();
      const engines = [...(await deps.engines.names())];
      const copies = await vault.copies();
      await withheld.recall();
      const unsavedRevocations = withheld.unsaved;
      const lock = await lockKeeper.state();
      const toTell = { ...(await toolbar.toTell()), lacksCode: await toolbar.lacksCode() };
      return {
        vault: state,
        created,
        copies,
        unsavedRevocations,
        ...lock,
        ...toTell,
        version,
        engines,
      };
    },
    async 'ui.createVault'({ passphrase }, call) {
      const signal = lockKeeper.untilLocked(call);
      await argumentChecked(createVaultOnce(deps, passphrase, callIdOf(call), { signal }));
      await settleAfterUnlock(deps);
      deps.firstCode.allow();
      return {};
    },
    async 'ui.unlock'({ passphrase }, call) {
      const by = await argumentChecked(vault.unlock(passphrase, untilEnded(call)));
      if (by === 'recovery-code') await noteEnteredCode(passphrase, deps);
      await settleAfterUnlock(deps);
      return { by };
    },
    async 'ui.unlockBy'({ by }, call) {
      await vault.unlock(by, untilEnded(call));
      if ('recoveryCode' in by) await noteEnteredCode(by.recoveryCode, deps);
      await settleAfterUnlock(deps);
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
