import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import { pageCall } from '../calls/caller.ts';
import type { Engines } from '../engines/engines.ts';
import type { Grants } from '../grants/grants.ts';
import { pageGrants } from '../grants/page-grants.ts';

interface Deps {
  readonly vault: Vault;
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly engines: Engines;
}

/** Answers every page that is served, whatever the state: it is how a page finds out. */
export function statusMethods(deps: Deps): Pick<Implementations, 'status'> {
  const { vault, grants, keyRing } = deps;
  return {
    async status(_params, call) {
      const { caller, scope, origin } = pageCall(call);
      const engines = [...(await deps.engines.names())];
      const { state } = await vault.state();
      // A private window has no grants, and what the user has elsewhere is not told there.
      if (state !== 'unlocked' || caller.incognito) return { locked: true, grants: [], engines };
      const live = await grants.live(scope);
      return { locked: false, grants: await pageGrants(live, origin, keyRing), engines };
    },
  };
}
