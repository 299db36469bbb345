import type { MessageCrypto } from '../../engine/message-crypto.ts';
import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Activity } from '../audit/activity.ts';
import type { Consent } from '../consent/consent.ts';
import type { Grants } from '../grants/grants.ts';
import type { LockKeeper } from './lock-keeper.ts';
import type { SiteGrants } from '../grants/site-grants.ts';
import type { PersistentKeys } from '../subtle/persistent-keys.ts';
import type { SeedFile } from '../random/seed-file.ts';
import type { StateEvents } from '../ports/state-events.ts';
import type { Toolbar } from '../status/toolbar.ts';
import type { MediumExchange } from '../exchange/medium-exchange.ts';
import { endUnusedGrants } from '../grants/unused-grants.ts';

/** What is done right after an unlock needs these. */
export interface AfterUnlockDeps {
  readonly vault: Vault;
  readonly session: SessionStore;
  readonly lockKeeper: LockKeeper;
  readonly siteGrants: SiteGrants;
  readonly consent: Consent;
  readonly grants: Grants;
  readonly persistentKeys: Pick<PersistentKeys, 'removePastArchive'>;
  readonly activity: Pick<Activity, 'record'>;
  readonly seedFile: Pick<SeedFile, 'restore'>;
  readonly messageCrypto: MessageCrypto;
  readonly events: StateEvents;
  readonly exchange: Pick<MediumExchange, 'changed'> | undefined;
  readonly toolbar: Pick<Toolbar, 'forgetSlots'>;
}

/** What ended meanwhile has ended before any page gets `unlock` and asks again. */
export async function settleAfterUnlock(deps: AfterUnlockDeps): Promise<void> {
  const { siteGrants, lockKeeper, consent, grants, persistentKeys, seedFile, messageCrypto } = deps;
  // No call waits for the seed, nor for the engine that Fortuna goes on with.
  void seedFile.restore();
  void messageCrypto.forBytes(0);
  await deps.toolbar.forgetSlots();
  await siteGrants.settle();
  await grants.followClock();
  await endUnusedGrants(deps);
  await persistentKeys.removePastArchive();
  await lockKeeper.unlocked();
  for (const { id, scope, wish: requested } of await consent.allPending()) {
    const covering = await grants.covering({ ...requested, scope });
    if (covering) await consent.settle(id, { kind: 'granted', grantIds: [covering.id] });
  }
  deps.exchange?.changed();
}
