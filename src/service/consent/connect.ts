import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { Grant as PageGrant } from '../../rpc/methods/methods.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import type { Consent } from './consent.ts';
import type { Outcome, NormalizedRequest } from './consent-state.ts';
import { sameScope } from '../calls/frame-policy.ts';
import type { Grants } from '../grants/grants.ts';
import { pageGrants } from '../grants/page-grants.ts';
import type { Revoker } from '../grants/revoker.ts';
import { normalizeRequest } from './grant-request.ts';

interface Deps {
  readonly vault: Vault;
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly consent: Consent;
  readonly revoker: Revoker;
}

/** The methods by which a page asks for grants, lists them and gives them back. */
export function grantMethods(deps: Deps): Pick<Implementations, 'connect' | 'grants' | 'revoke'> {
  const { grants, keyRing, revoker } = deps;
  return {
    async connect(request, call) {
      const page = pageCall(call);
      const normalized = normalizeRequest(request);
      const known = await existingAnswer(page, normalized, deps);
      if (known) return known;
      const outcome = await deps.consent.ask(page, normalized, call.signal);
      return described(grantedIds(outcome), page, deps);
    },

    async grants(_params, call) {
      const { scope, origin } = pageCall(call);
      return pageGrants(await grants.live(scope), origin, keyRing);
    },

    async revoke({ grantIds }, call: Call) {
      const page = pageCall(call);
      await revoker.revoke(
        (grant) => sameScope(grant.scope, page.scope) && (grantIds?.includes(grant.id) ?? true),
        { origin: page.origin, call: page },
      );
      return {};
    },
  };
}

/** What needs no question: this very call's answer, or a grant that covers the request. */
async function existingAnswer(
  page: PageCall,
  normalized: NormalizedRequest,
  deps: Deps,
): Promise<PageGrant[] | undefined> {
  const { vault, grants } = deps;
  if ((await vault.state()).state !== 'unlocked') return undefined;
  const before = await grants.resultOf(page.origin, page);
  if (before) return described(before as readonly string[], page, deps);
  const covering = await grants.covering({ ...normalized, scope: page.scope });
  return covering && described([covering.id], page, deps);
}

function grantedIds(outcome: Outcome): readonly string[] {
  if (outcome.kind === 'granted') return outcome.grantIds;
  if (outcome.kind === 'rejected') {
    throw new SealwrightError('USER_REJECTED', 'The user said no');
  }
  throw new SealwrightError('INTERNAL', 'The browser showed no window to ask the user in');
}

async function described(ids: readonly string[], page: PageCall, { grants, keyRing }: Deps) {
  const answered = (await grants.all()).filter(({ id }) => ids.includes(id));
  return pageGrants(answered, page.origin, keyRing);
}
