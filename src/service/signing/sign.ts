import { NS_PER_MS, powerNs, rsaNs } from '../../crypto/subtle/prices.ts';
import type { Ed25519Platform } from '../../engine/native/ed25519.ts';
import { platformSubtle } from '../../engine/native/native-crypto.ts';
import { parsePublicKey, type PublicKey } from '../../format/wire/public-key.ts';
import { signedBytes } from '../../format/wire/signed-bytes.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import type { Workshop } from '../../rpc/workshop.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import { argumentChecked } from '../errors.ts';
import { sameScope } from '../calls/frame-policy.ts';
import type { InFlightCall } from '../calls/in-flight.ts';
import { inWorkshopOf, type OriginWorkshopDeps } from '../calls/origin-workshop.ts';
import type { Limits } from '../calls/rate-limits.ts';
import type { ThreadShare } from '../calls/thread-share.ts';
import { Signatures, signingKeys, type SignaturesDeps } from './signatures.ts';
import { namedRef, authorizeKey, type AuthorizeDeps } from '../grants/authorize.ts';

interface SignDeps extends AuthorizeDeps, OriginWorkshopDeps, Pick<SignaturesDeps, 'random'> {
  readonly limits: Pick<Limits, 'spend'>;
  readonly threadShare: ThreadShare;
}

type SignMethods = 'sign' | 'verify' | 'verifyByPublicKey';

/**
 * Signatures. The signed bytes begin with the calling origin, so that a signature made for one site is not valid for
 * another, although both may use the same key.
 */
export function signMethods(deps: SignDeps): Pick<Implementations, SignMethods> {
  return {
    sign: (params, call) => sign(params, call, deps),
    verify: (params, call) => verify(params, call, deps),
    verifyByPublicKey: (params, call) => verifyByPublicKey(params, call, deps),
  };
}

/** Uses the newest generation. */
async function sign({ data, key }: ParamsOf<'sign'>, call: Call, deps: SignDeps) {
  const page = pageCall(call);
  const ref = await signingRef(key, page, deps);
  return authorizeKey({ ref, capability: 'sign', keyId: key }, call, deps, (_uses, inFlight) =>
    deps.keyRing.withUserKey(ref, async (picked) => {
      const [newest] = signingKeys(picked);
      const signatures = signaturesFor(call, inFlight, deps);
      return signatures.sign(newest!, signedBytes(page.origin, data));
    }),
  );
}

/** A signature does not name its generation. Tries each, newest first. */
async function verify({ data, signature, key }: ParamsOf<'verify'>, call: Call, deps: SignDeps) {
  const page = pageCall(call);
  const ref = await signingRef(key, page, deps);
  return authorizeKey({ ref, capability: 'sign', keyId: key }, call, deps, (_uses, inFlight) =>
    deps.keyRing.withUserKey(ref, async (picked) => {
      const signatures = signaturesFor(call, inFlight, deps);
      const bytes = signedBytes(page.origin, data);
      for (const each of signingKeys(picked)) {
        inFlight.signal.throwIfAborted();
        const publicKey = await signatures.publicKeyOf(each);
        if (await signatures.verify(publicKey, bytes, signature)) return true;
      }
      return false;
    }),
  );
}

/**
 * Needs only the public key, which the page has chosen: no grant and no open vault. The key is read in the workshop of
 * the page's origin, in its turn and for its price.
 */
async function verifyByPublicKey(
  { data, signature, publicKey }: ParamsOf<'verifyByPublicKey'>,
  call: Call,
  deps: SignDeps,
): Promise<boolean> {
  const { origin } = pageCall(call);
  const key = await argumentChecked(Promise.resolve(publicKey).then(parsePublicKey));
  deps.limits.spend(origin, verifyingMs(key));
  const workshop: Workshop = {
    call: (_owner, operation, input) => inWorkshopOf(call, deps, operation, input),
  };
  const signatures = signaturesFor(call, call, { ...deps, workshop });
  return signatures.verify(key, signedBytes(origin, data), signature);
}

/** The most that a verification by a key of this length may take on a slow core: what is in the key is not read here. */
function verifyingMs({ type, bytes }: PublicKey): number {
  const bits = 8 * bytes.length;
  switch (type) {
    case 'DSA':
      // Four powers; a modulus, two numbers as long and an order, which take longest if all are of one length.
      return (4 * powerNs(bits / 4, bits / 4)) / NS_PER_MS;
    case 'RSA-PSS':
    case 'RSASSA-PKCS1-v1_5':
      // A modulus twice as long as the exponent takes longest.
      return rsaNs((2 * bits) / 3, (4 * bits) / 3) / NS_PER_MS;
    default:
      return 0;
  }
}

/** Signatures as pages have them made: what the platform does with long data has its turns. @param ended as for `turnsOf` */
function signaturesFor(
  call: Call,
  ended: Pick<InFlightCall, 'signal'>,
  { workshop, random, threadShare }: Pick<SignDeps, 'workshop' | 'random' | 'threadShare'>,
): Signatures {
  const subtle = platformSubtle();
  const inTurn = threadShare.turnsOf(call, ended);
  const platform: Ed25519Platform = {
    importKey: subtle.importKey.bind(subtle),
    exportKey: subtle.exportKey.bind(subtle),
    sign: (name, key, data) => inTurn(data.byteLength, () => subtle.sign(name, key, data)),
    verify: (name, key, signature, data) =>
      inTurn(data.byteLength, () => subtle.verify(name, key, signature, data)),
  };
  const ending: Workshop = {
    call: (owner, operation, input) =>
      workshop.call(owner, operation, input, { signal: ended.signal }),
  };
  return new Signatures({ workshop: ending, random, platform });
}

/**
 * The key that the page names. Without a name, the only signing key that is granted to the page.
 *
 * @returns an empty text if no key is granted
 * @throws SealwrightError INVALID_ARGUMENT if several keys are granted
 */
async function signingRef(
  keyId: string | undefined,
  { scope, origin }: PageCall,
  { grants, keyRing }: SignDeps,
): Promise<string> {
  if (keyId !== undefined) return namedRef(keyId, origin, keyRing);
  const live = await grants.live(scope);
  // Looks for expired grants too, so that the call fails with EXPIRED.
  for (const among of [live, await grants.all()]) {
    const ours = among.filter((grant) => sameScope(grant.scope, scope));
    const signing = ours.filter(({ capabilities }) => capabilities.includes('sign'));
    const refs = [...new Set(signing.map(({ ref }) => ref))];
    if (refs.length === 1) return refs[0]!;
    if (refs.length > 1) {
      throw new SealwrightError('INVALID_ARGUMENT', 'key: name one of the signing keys');
    }
  }
  return '';
}
