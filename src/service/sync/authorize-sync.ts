import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { SyncFormat } from '../../keys/ring/user-key.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import { sameScope } from '../calls/frame-policy.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { Grants } from '../grants/grants.ts';
import { namedRef, authorizeKey, type AuthorizeDeps } from '../grants/authorize.ts';

/** What a call needs a sync key for. */
interface SyncRequest {
  /** As the page names it. */
  readonly key: string | undefined;
  /** All of them must be granted. */
  readonly collections: readonly string[];
  /** Of several keys that are granted, those of this format are meant. */
  readonly format?: SyncFormat;
  readonly uses?: number;
}

/** A sync key that is granted for these collections. `take` takes the uses and does the work. */
export interface GrantedSyncKey {
  readonly ref: string;
  readonly take: <T>(work: (uses: number, signal: AbortSignal) => Promise<T>) => Promise<T>;
}

/**
 * Consent before the key is touched, and the use after: a key that cannot serve the call (it lacks
 * the keys of its collections) costs none.
 *
 * @param prepared what the work needs of the key; whatever it throws is the call's answer
 * @throws SealwrightError NOT_GRANTED, EXPIRED; INVALID_ARGUMENT where several keys would do
 */
export async function authorizeSync<T>(
  { uses = 1, ...wanted }: SyncRequest,
  call: Call,
  deps: AuthorizeDeps,
  prepared: (granted: GrantedSyncKey) => Promise<T>,
): Promise<T> {
  const page = pageCall(call);
  const ref = await syncRef(wanted, page, deps);
  const { collections } = wanted;
  const request = { ref, capability: 'sync', collections } as const;
  await deps.grants.requireLook({ scope: page.scope, ...request }, page);
  return prepared({
    ref,
    take: async (work) =>
      authorizeKey({ ...request, uses }, call, deps, (given, { signal }) => work(given, signal)),
  });
}

/** Without a name it is the sync key that is granted here for these collections, where there is one alone. */
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
  // A grant that is over is looked for too: it says EXPIRED.
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
