import { equal, wipe } from '../../crypto/bytes.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import { deriveIndexKey, deriveMacKey } from '../../keys/ring/key-derivation.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { MAX_SUBTLE_BYTES } from '../../rpc/limits.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { pageCall } from '../calls/caller.ts';
import type { InFlightCall } from '../calls/in-flight.ts';
import { inWorkshopOf, type OriginWorkshopDeps } from '../calls/origin-workshop.ts';
import type { ThreadShare } from '../calls/thread-share.ts';
import { namedRef, authorizeKey, type AuthorizeDeps } from '../grants/authorize.ts';

/** The default of blind indexes. It stays the same after a rotation, so that stored indexes still match. */
const FIRST_GENERATION = 1;

interface Deps extends AuthorizeDeps, OriginWorkshopDeps {
  readonly messageCrypto: MessageCrypto;
  readonly threadShare: ThreadShare;
}

/**
 * MACs and blind indexes. Both kinds of keys are derived from a named key and the origin, so that tags and indexes of
 * one site are useless on another, also under the same named key.
 */
export function macMethods(deps: Deps): Pick<Implementations, 'mac' | 'verifyMac' | 'blindIndex'> {
  return {
    mac: (params, call) => createMac(params, call, deps),
    verifyMac: (params, call) => verifyMac(params, call, deps),
    blindIndex: (params, call) => createIndex(params, call, deps),
  };
}

/** Uses the newest generation. */
async function createMac({ data, key }: ParamsOf<'mac'>, call: Call, deps: Deps) {
  const { origin } = pageCall(call);
  const ref = await namedRef(key, origin, deps.keyRing);
  const request = { ref, capability: 'mac', keyId: key } as const;
  return authorizeKey(request, call, deps, async (_uses, inFlight) => {
    const material = await deps.keyRing.sealingMaterial(ref, origin);
    return withKey(material.key, (named) => tagBy(named, data, call, inFlight, deps));
  });
}

/** A tag does not name its generation. Tries each generation that has been used, newest first. */
async function verifyMac({ data, tag, key }: ParamsOf<'verifyMac'>, call: Call, deps: Deps) {
  const { origin } = pageCall(call);
  const ref = await namedRef(key, origin, deps.keyRing);
  const request = { ref, capability: 'mac', keyId: key } as const;
  return authorizeKey(request, call, deps, async (_uses, inFlight) => {
    const keys = await deps.keyRing.usedKeys(ref, origin);
    try {
      for (const named of keys) {
        inFlight.signal.throwIfAborted();
        if (equal(await tagBy(named, data, call, inFlight, deps), tag)) return true;
      }
      return false;
    } finally {
      wipe(...keys);
    }
  });
}

async function createIndex(
  { value, field, key, generation = FIRST_GENERATION }: ParamsOf<'blindIndex'>,
  call: Call,
  deps: Deps,
) {
  const { origin } = pageCall(call);
  const ref = await namedRef(key, origin, deps.keyRing);
  return authorizeKey({ ref, capability: 'blindIndex', keyId: key }, call, deps, async () => {
    const named = await deps.keyRing.keyOfGeneration(ref, origin, generation);
    if (named === undefined) {
      throw new SealwrightError('INVALID_ARGUMENT', 'generation: the key has no such generation');
    }
    const indexKey = deriveIndexKey(named, origin, field);
    wipe(named);
    return withKey(indexKey, (by) => deps.messageCrypto.hmacSha256(by, value));
  });
}

/** WebCrypto has no HMAC in pieces: what would take longer than others may wait is for the workshop. */
function tagBy(
  named: Uint8Array,
  data: Uint8Array,
  call: Call,
  inFlight: InFlightCall,
  deps: Deps,
): Promise<Uint8Array> {
  return withKey(deriveMacKey(named, pageCall(call).origin), (key) => {
    if (data.length > MAX_SUBTLE_BYTES) {
      const input = { secrets: { key }, params: { data } };
      return inWorkshopOf(call, deps, 'signature.mac', input, inFlight.signal);
    }
    return deps.messageCrypto.hmacSha256(key, data, deps.threadShare.turnsOf(call, inFlight));
  });
}

/** Wipes the key after the work. */
async function withKey<T>(key: Uint8Array, work: (key: Uint8Array) => Promise<T>): Promise<T> {
  try {
    return await work(key);
  } finally {
    wipe(key);
  }
}
