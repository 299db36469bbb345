import { parsePublicKey } from '../../format/wire/public-key.ts';
import { signedBytes } from '../../format/wire/signed-bytes.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import { argumentChecked } from '../errors.ts';
import { sameScope } from '../calls/frame-policy.ts';
import { signingKeys, type Signatures } from './signatures.ts';
import { namedRef, authorizeKey, type AuthorizeDeps } from '../grants/authorize.ts';

interface SignDeps extends AuthorizeDeps {
  readonly signatures: Signatures;
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
  return authorizeKey({ ref, capability: 'sign', keyId: key }, call, deps, () =>
    deps.keyRing.withUserKey(ref, async (picked) =>
      deps.signatures.sign(signingKeys(picked)[0]!, signedBytes(page.origin, data)),
    ),
  );
}

/** A signature does not name its generation. Tries each, newest first. */
async function verify({ data, signature, key }: ParamsOf<'verify'>, call: Call, deps: SignDeps) {
  const page = pageCall(call);
  const { signatures } = deps;
  const ref = await signingRef(key, page, deps);
  return authorizeKey(
    { ref, capability: 'sign', keyId: key },
    call,
    deps,
    (_uses, { signal: aborted }) =>
      deps.keyRing.withUserKey(ref, async (picked) => {
        const bytes = signedBytes(page.origin, data);
        for (const each of signingKeys(picked)) {
          aborted.throwIfAborted();
          const publicKey = await signatures.publicKeyOf(each);
          if (await signatures.verify(publicKey, bytes, signature)) return true;
        }
        return false;
      }),
  );
}

/** Needs only the public key: no grant and no open vault. */
async function verifyByPublicKey(
  { data, signature, publicKey }: ParamsOf<'verifyByPublicKey'>,
  call: Call,
  { signatures }: SignDeps,
): Promise<boolean> {
  const { origin } = pageCall(call);
  const key = await argumentChecked(Promise.resolve(publicKey).then(parsePublicKey));
  return signatures.verify(key, signedBytes(origin, data), signature);
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
