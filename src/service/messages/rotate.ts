import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { isSiteKind } from '../../rpc/key-kinds.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import type { Consent } from '../consent/consent.ts';
import type { Outcome } from '../consent/consent-state.ts';
import { argumentChecked, notGranted } from '../errors.ts';
import type { Grants } from '../grants/grants.ts';
import { rotatedOnce, type RotationDeps } from './rotation.ts';
import { keyInfo } from '../keys/keys.ts';

interface Deps extends RotationDeps {
  readonly grants: Grants;
  readonly consent: Consent;
}

/** A page renews its own key by itself; one that the user picked, others may use too: they are asked. */
export function rotateMethods(deps: Deps): Pick<Implementations, 'rotateKey'> {
  return {
    async rotateKey({ keyId }, call) {
      const page = pageCall(call);
      const ref = await heldRef(keyId, page, deps);
      const generation =
        ref === 'app'
          ? await argumentChecked(rotatedOnce(ref, page, deps))
          : await askedFor(ref, page, call, deps);
      return keyInfo(ref, page.origin, deps.keyRing, generation);
    },
  };
}

/** @throws SealwrightError NOT_GRANTED for a key that is unknown, or that no live grant is for */
async function heldRef(keyId: string, page: PageCall, { grants, keyRing }: Deps): Promise<string> {
  const ref = await keyRing.refOf(keyId, page.origin);
  const live = await grants.live(page.scope);
  if (ref === undefined || !live.some((grant) => grant.ref === ref)) {
    throw notGranted({ capability: 'seal' });
  }
  return ref;
}

/** @returns the generation that the answer to this very call made, where it is noted */
async function askedFor(ref: string, page: PageCall, call: Call, deps: Deps) {
  const { consent, grants, keyRing } = deps;
  const before = await grants.resultOf(page.origin, page);
  if (before !== undefined) return before as number;
  const { kind, label, rotatable } = await keyRing.describe(ref, page.origin);
  if (!rotatable || !isSiteKind(kind)) {
    throw new SealwrightError('UNSUPPORTED', 'An imported key stays as it is');
  }
  const request = {
    purpose: '',
    key: { kind, label },
    capabilities: [],
    expiresInMs: null,
    maxUses: null,
    maxPerHour: null,
    bulk: null,
    rotates: ref,
  } as const;
  requireYes(await consent.ask(page, request, call.signal));
  return (await grants.resultOf(page.origin, page)) as number | undefined;
}

function requireYes({ kind }: Outcome): void {
  if (kind === 'rejected') throw new SealwrightError('USER_REJECTED', 'The user said no');
  if (kind === 'failed') {
    throw new SealwrightError('INTERNAL', 'The browser showed no window to ask the user in');
  }
}
