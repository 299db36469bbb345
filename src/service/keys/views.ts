import { allKeyDetails, NO_DETAILS, sitesOfKeys } from '../../keys/annotations/key-details.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { UiGrant, UiKey } from '../../rpc/methods/ui.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { Grants } from '../grants/grants.ts';

/* What the extension's own pages show of grants and keys. */

/** Grants with the kind and label of their keys. */
export async function uiGrants(grants: readonly Grant[], keyRing: KeyRing): Promise<UiGrant[]> {
  const keys = await keyRing.list();
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
      lastUsed: grant.lastUsed,
    };
  });
}

interface KeyParts {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
}

/** All keys with their details, and the number of grants for each. */
export async function uiKeys({ vault, keyRing, grants }: KeyParts): Promise<UiKey[]> {
  const all = await grants.all();
  const details = await allKeyDetails(vault);
  const sites = await sitesOfKeys(vault);
  return (await keyRing.list()).map(({ ref, kind, algorithm, label, created, generation }) => {
    const own = all.filter((grant) => grant.ref === ref);
    return {
      ...{ ref, kind, algorithm, label, created, generation },
      grants: own.length,
      sites: sites.get(ref) ?? 0,
      lastUsed: latestUse(own),
      ...(details.get(ref) ?? NO_DETAILS),
    };
  });
}

/** Those that a site may be given: an archived key is offered no more. */
export async function offeredKeys(kind: string, parts: KeyParts): Promise<UiKey[]> {
  const keys = await uiKeys(parts);
  return keys.filter((key) => key.kind === kind && key.archived === null);
}

/** When the last of these grants was used; null where none was. */
export function latestUse(grants: readonly Grant[]): number | null {
  const uses = grants.map(({ lastUsed }) => lastUsed).filter((at) => at !== null);
  return uses.length === 0 ? null : Math.max(...uses);
}
