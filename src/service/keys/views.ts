import { allKeyDetails, NO_DETAILS, sitesOfKeys } from '../../keys/annotations/key-details.ts';
import { APP } from '../../keys/ring/key-records.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { PersistentKeyValue } from '../../keys/ring/persistent-key.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import { BULK_METHODS } from '../../rpc/methods/bulk.ts';
import type { Method } from '../../rpc/methods/method.ts';
import { PAGE_METHODS } from '../../rpc/methods/page.ts';
import type { UiGrant, UiKey } from '../../rpc/methods/ui.ts';
import type { ActivityEntry } from '../audit/activity-entry.ts';
import { sameScope } from '../calls/frame-policy.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { Decoys } from '../grants/decoys.ts';
import type { Grants } from '../grants/grants.ts';

/* What the extension's own pages show of grants and keys. */

/** What grants are shown with. */
export interface GrantParts {
  readonly keyRing: KeyRing;
  readonly decoys: Decoys;
  /** Keys of all sites. */
  readonly persistent: readonly PersistentKeyValue[];
}

/**
 * Grants with the kind and label of their keys, the number of keys by reference that each takes with it, and whether a
 * decoy has frozen them.
 */
export async function uiGrants(
  grants: readonly Grant[],
  { keyRing, decoys, persistent }: GrantParts,
): Promise<UiGrant[]> {
  const keys = await keyRing.list();
  const known = await decoys.load();
  const ofApp = grants.filter(({ ref }) => ref === APP);
  const takenBy = ({ id, scope, ref }: Grant): number => {
    const isKept = ofApp.some((other) => other.id !== id && sameScope(other.scope, scope));
    if (ref !== APP || isKept) return 0;
    return persistent.filter((key) => sameScope(key.scope, scope)).length;
  };
  return grants.map((grant) => {
    const key = keys.find(({ ref }) => ref === grant.ref);
    return {
      id: grant.id,
      origin: grant.scope.origin,
      keyLabel: key?.label ?? '',
      keyKind: key?.kind ?? grant.asked.key.kind,
      capabilities: [...grant.capabilities],
      created: grant.created,
      expiresAt: grant.expiresAt,
      usesLeft: grant.usesLeft,
      maxPerHour: grant.maxPerHour,
      lastUsed: grant.lastUsed,
      frozenFrom: opensMessages(grant) ? decoys.frozenFrom(known, grant) : null,
      isUnusual: (grant.hours?.told ?? null) !== null,
      persistentKeys: takenBy(grant),
    };
  });
}

/** One key may have a grant to seal and another to open: only the latter is shown as frozen. */
const opensMessages = ({ capabilities }: Grant): boolean => capabilities.includes('open');

interface KeyParts {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
}

/**
 * All keys with their details, and the number of grants for each.
 *
 * @param log what the activity log says of their use, where that is shown
 */
export async function uiKeys(
  { vault, keyRing, grants }: KeyParts,
  log: readonly ActivityEntry[] = [],
): Promise<UiKey[]> {
  const all = await grants.all();
  const done = log.filter((entry) => entry.result === 'ok' && isUse(entry));
  const details = await allKeyDetails(vault);
  const sites = await sitesOfKeys(vault);
  return (await keyRing.list()).map((key) => {
    const { ref, kind, algorithm, origin, label, guest, created, generation } = key;
    const own = all.filter((grant) => grant.ref === ref);
    const uses = done.filter((entry) => entry.ref === ref);
    return {
      ref,
      kind,
      algorithm,
      origin,
      label,
      guest,
      created,
      generation,
      grants: own.length,
      sites: sites.get(ref) ?? 0,
      sealed: uses.reduce((sum, entry) => sum + (isSealing(entry) ? entry.uses : 0), 0),
      lastUsed: latest([...timesOf(own), ...uses.map(({ until }) => until)]),
      ...(details.get(ref) ?? NO_DETAILS),
    };
  });
}

/** Those that a site may be given: an archived key is offered no more, nor is the key of another site. */
export async function offeredKeys(
  { kind, origin }: { readonly kind: string; readonly origin: string },
  parts: KeyParts,
): Promise<UiKey[]> {
  const keys = await uiKeys(parts);
  const serves = (key: UiKey) => key.origin === null || key.origin === origin;
  return keys.filter((key) => key.kind === kind && key.archived === null && serves(key));
}

/** When the last of these grants was used; null where none was. */
export const latestUse = (grants: readonly Grant[]): number | null => latest(timesOf(grants));

const timesOf = (grants: readonly Grant[]): number[] =>
  grants.map(({ lastUsed }) => lastUsed).filter((at) => at !== null);

const latest = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.max(...times);

const METHODS_OF_PAGES: Readonly<Record<string, Method>> = { ...PAGE_METHODS, ...BULK_METHODS };

/** Methods of pages that need a capability, and the user's own work on fields and files. */
const isUse = ({ operation }: ActivityEntry): boolean =>
  ['sealField', 'openField', 'openFile', 'sealFile'].includes(operation) ||
  METHODS_OF_PAGES[operation]?.capability !== undefined;

const isSealing = ({ operation }: ActivityEntry): boolean =>
  ['sealField', 'sealFile'].includes(operation) ||
  METHODS_OF_PAGES[operation]?.capability === 'seal';
