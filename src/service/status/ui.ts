import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { PersistentKeyValue } from '../../keys/ring/persistent-key.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import { addressProblem } from '../calls/frame-policy.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { FieldSettings } from '../fields/field-settings.ts';
import type { Activity } from '../audit/activity.ts';
import type { Decoys } from '../grants/decoys.ts';
import type { Grants } from '../grants/grants.ts';
import type { StateEvents } from '../ports/state-events.ts';
import type { Toolbar } from './toolbar.ts';
import type { OriginMoves } from '../grants/origin-moves.ts';
import type { LockKeeper } from '../vault/lock-keeper.ts';
import type { Revoker } from '../grants/revoker.ts';
import type { SiteGrants } from '../grants/site-grants.ts';
import type { PersistentKeys } from '../subtle/persistent-keys.ts';
import {
  coveredByAny,
  isSitePattern,
  patternCovers,
  patternOf,
  type Sites,
} from '../ports/sites.ts';
import { latestUse, uiGrants } from '../keys/views.ts';

interface Deps {
  readonly sites: Sites;
  readonly siteGrants: SiteGrants;
  readonly originMoves: OriginMoves;
  readonly grants: Grants;
  readonly decoys: Decoys;
  readonly activity: Pick<Activity, 'record'>;
  readonly events: Pick<StateEvents, 'grantchange'>;
  readonly toolbar: Pick<Toolbar, 'refresh'>;
  readonly persistentKeys: PersistentKeys;
  readonly fieldSettings: FieldSettings;
  readonly keyRing: KeyRing;
  readonly revoker: Revoker;
  readonly lockKeeper: LockKeeper;
}

type SiteMethods =
  | 'ui.site'
  | 'ui.sites'
  | 'ui.enableSite'
  | 'ui.disableSite'
  | 'ui.revoke'
  | 'ui.letGoOn'
  | 'ui.forgetDecoys'
  | 'ui.readUnusual'
  | 'ui.moves'
  | 'ui.moveData'
  | 'ui.deletePersistentKeys';

/** The methods of the extension's own pages about sites, grants and the state. */
export function uiSiteMethods(deps: Deps): Pick<Implementations, SiteMethods> {
  const { sites, siteGrants, originMoves, revoker, persistentKeys } = deps;
  return {
    'ui.site': ({ tabId }) => describeTab(tabId, deps),
    'ui.sites': () => describeAll(deps),
    async 'ui.enableSite'({ pattern }) {
      requirePattern(pattern);
      if (await sites.enable(pattern)) return {};
      throw new SealwrightError('NOT_GRANTED', 'The browser has no permission for this site');
    },
    async 'ui.disableSite'({ pattern }) {
      requirePattern(pattern);
      await sites.disable(pattern);
      await siteGrants.removed([pattern]);
      return {};
    },
    async 'ui.revoke'({ grantIds }) {
      await revoker.takeBack(({ id }) => grantIds.includes(id));
      return {};
    },
    'ui.letGoOn': (params) => letGoOn(params, deps),
    async 'ui.readUnusual'({ grantId }) {
      await deps.grants.readUnusual(grantId);
      await deps.toolbar.refresh();
      return {};
    },
    async 'ui.forgetDecoys'({ origin }) {
      await deps.decoys.forget(origin);
      deps.activity.record({ operation: 'forgetDecoys', of: origin });
      return {};
    },
    async 'ui.moves'() {
      const moves = (await originMoves.all()).map(({ from, to }) => ({ from, to }));
      return { moves, origins: [...(await originMoves.sealing())] };
    },
    async 'ui.moveData'({ from, to, on }) {
      if (on) await originMoves.allow(from, to);
      else await originMoves.end((move) => move.from === from && move.to === to);
      return {};
    },
    async 'ui.deletePersistentKeys'({ origin }) {
      await persistentKeys.remove(origin);
      return {};
    },
  };
}

/** A grant that has ended meanwhile needs no answer. */
async function letGoOn({ grantId, forAnHour }: ParamsOf<'ui.letGoOn'>, deps: Deps) {
  const grant = (await deps.grants.all()).find(({ id }) => id === grantId);
  if (!grant) return {};
  const { scope, ref } = grant;
  await deps.decoys.letGoOn(grant, forAnHour);
  const operation = forAnHour ? 'letGoOnForAnHour' : 'letGoOn';
  deps.activity.record({ operation, of: scope.origin, ref });
  deps.events.grantchange(scope);
  await deps.toolbar.refresh();
  return {};
}

/** @throws SealwrightError INVALID_ARGUMENT for what no user can enable */
export function requirePattern(pattern: string): void {
  if (isSitePattern(pattern)) return;
  throw new SealwrightError('INVALID_ARGUMENT', 'pattern: expected scheme://host/*');
}

async function describeTab(tabId: number, deps: Deps): Promise<ResultOf<'ui.site'>> {
  const address = await deps.sites.tabAddress(tabId);
  const problem = address === undefined ? 'browser-page' : addressProblem(address);
  if (address === undefined || problem !== null) {
    const nothing = { grants: [], persistentKeys: 0, lastUse: null };
    return { origin: null, pattern: null, enabled: false, problem, ...nothing };
  }
  const { origin } = new URL(address);
  const patterns = await deps.sites.enabled();
  const own = (await readableGrants(deps)).filter(({ scope }) => scope.origin === origin);
  return {
    origin,
    pattern: patternOf(origin),
    enabled: coveredByAny(patterns, origin),
    problem,
    grants: await shown(own, deps),
    persistentKeys: countOf(origin, await keptKeys(deps)),
    lastUse: latestUse(own),
  };
}

/** Every enabled pattern, and every origin of which something is known under the one that enables it. */
async function describeAll(deps: Deps): Promise<ResultOf<'ui.sites'>> {
  const patterns = await deps.sites.enabled();
  const grants = await readableGrants(deps);
  const isOpen = await deps.lockKeeper.isUnlocked();
  const settled = await settledOrigins(patterns, deps);
  const keys = await keptKeys(deps);
  const keeping = keys.map(({ scope }) => scope.origin).filter((it) => coveredByAny(patterns, it));
  const granted = grants.map(({ scope }) => scope.origin);
  const origins = [...new Set([...granted, ...settled, ...keeping])].sort();
  const known = origins.map(async (origin) => {
    const pattern = patterns.find((each) => patternCovers(each, origin)) ?? patternOf(origin);
    const own = grants.filter(({ scope }) => scope.origin === origin);
    const persistentKeys = countOf(origin, keys);
    const decoys = isOpen ? await deps.decoys.countOf(origin) : 0;
    return { origin, pattern, grants: await shown(own, deps), persistentKeys, decoys };
  });
  const quiet = patterns
    .filter((pattern) => !origins.some((origin) => patternCovers(pattern, origin)))
    .map((pattern) => {
      const origin = pattern.replace(/\/\*$/, '');
      return { origin, pattern, grants: [], persistentKeys: 0, decoys: 0 };
    });
  return [...(await Promise.all(known)), ...quiet];
}

/** Sites with settings of their fields that are enabled still, or again. */
async function settledOrigins(patterns: readonly string[], deps: Deps): Promise<string[]> {
  if (!(await deps.lockKeeper.isUnlocked())) return [];
  const origins = (await deps.fieldSettings.all()).map(({ origin }) => origin);
  return origins.filter((origin) => coveredByAny(patterns, origin));
}

/** Grants are encrypted: a locked vault shows which sites are enabled and no more. */
async function readableGrants({ grants, lockKeeper }: Deps): Promise<readonly Grant[]> {
  return (await lockKeeper.isUnlocked()) ? grants.all() : [];
}

async function keptKeys({ persistentKeys, lockKeeper }: Deps) {
  return (await lockKeeper.isUnlocked()) ? persistentKeys.all() : [];
}

const countOf = (origin: string, keys: readonly PersistentKeyValue[]): number =>
  keys.filter(({ scope }) => scope.origin === origin).length;

async function shown(grants: readonly Grant[], deps: Deps) {
  if (grants.length === 0) return [];
  return uiGrants(grants, { ...deps, persistent: await keptKeys(deps) });
}
