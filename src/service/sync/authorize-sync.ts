import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { SyncFormat } from '../../keys/ring/kinds.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import { sameScope } from '../calls/frame-policy.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { TakenUses } from '../grants/charge.ts';
import type { Grants } from '../grants/grants.ts';
import { namedRef, authorizeKey, type AuthorizeDeps } from '../grants/authorize.ts';

/** The key and the collections that a call needs. */
interface SyncRequest {
  /** The key's name, as the page gives it. */
  readonly key: string | undefined;
  /** All of them must be granted. */
  readonly collections: readonly string[];
  /** Selects among several granted keys. */
  readonly format?: SyncFormat;
  readonly uses?: number;
  /** Whether records are decrypted for the page. */
  readonly opens?: boolean;
}

/** A sync key that is granted for the collections. `take` charges the uses and does the work. */
export interface GrantedSyncKey {
  readonly ref: string;
  readonly take: <T>(work: (taken: TakenUses, signal: AbortSignal) => Promise<T>) => Promise<T>;
}

/**
 * Checks the grant before the key is read and charges the use afterwards. A key that cannot serve the call, because it
 * lacks the keys of its collections, costs no use.
 *
 * @param prepared reads the key; its error is the call's error
 * @throws SealwrightError NOT_GRANTED, EXPIRED; INVALID_ARGUMENT if several keys match
 */
export async function authorizeSync<T>(
  { uses = 1, ...wanted }: SyncRequest,
  call: Call,
  deps: AuthorizeDeps,
  prepared: (granted: GrantedSyncKey) => Promise<T>,
): Promise<T> {
  const page = pageCall(call);
  const ref = await syncRef(wanted, page, deps);
  const { key: keyId, collections, opens = false } = wanted;
  const request = { ref, capability: 'sync', collections, keyId, opens } as const;
  await deps.grants.requireLook({ scope: page.scope, ...request }, page);
  return prepared({
    ref,
    take: async (work) =>
      authorizeKey({ ...request, uses }, call, deps, (taken, { signal }) => work(taken, signal)),
  });
}

/**
 * The key that the page names. Without a name, the only sync key that is granted for the collections.
 *
 * @returns an empty text if no key is granted
 */
async function syncRef(
  { key, collections, format }: SyncRequest,
  { scope, origin }: PageCall,
  { grants, keyRing }: { readonly grants: Grants; readonly keyRing: KeyRing },
): Promise<string> {
  if (key !== undefined) return namedRef(key, origin, keyRing);
  const isFor = (grant: Grant): boolean =>
    sameScope(grant.scope, scope) &&
    grant.capabilities.includes('sync') &&
    collections.every((each) => grant.collections?.includes(each));
  // Looks for expired grants too, so that the call fails with EXPIRED.
  for (const among of [await grants.live(scope), await grants.all()]) {
    const all = [...new Set(among.filter(isFor).map(({ ref }) => ref))];
    const refs = format && all.length > 1 ? await ofFormat(format, all, origin, keyRing) : all;
    if (refs.length === 1) return refs[0]!;
    if (refs.length > 1) {
      throw new SealwrightError('INVALID_ARGUMENT', 'key: name one of the sync keys');
    }
  }
  return '';
}

async function ofFormat(
  format: SyncFormat,
  refs: readonly string[],
  origin: string,
  keyRing: KeyRing,
): Promise<string[]> {
  const keys = await Promise.all(refs.map((ref) => keyRing.describe(ref, origin)));
  return keys.filter(({ algorithm }) => algorithm === format).map(({ ref }) => ref);
}
