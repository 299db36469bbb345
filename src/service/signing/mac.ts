import { equal, wipe } from '../../crypto/bytes.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import { deriveIndexKey, deriveMacKey } from '../../keys/ring/key-derivation.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { pageCall } from '../calls/caller.ts';
import { namedRef, authorizeKey, type AuthorizeDeps } from '../grants/authorize.ts';

/** Indexes stay with it until a page says otherwise, so that those it has stored go on matching. */
const FIRST_GENERATION = 1;

interface Deps extends AuthorizeDeps {
  readonly messageCrypto: MessageCrypto;
}

/**
 * What proves or finds a value and does not hide it. Both kinds of keys are derived from a named key
 * and belong to the origin: one site's tags and indexes say nothing on another, whatever the key.
 */
export function macMethods(deps: Deps): Pick<Implementations, 'mac' | 'verifyMac' | 'blindIndex'> {
  return {
    mac: (params, call) => createMac(params, call, deps),
    verifyMac: (params, call) => verifyMac(params, call, deps),
    blindIndex: (params, call) => createIndex(params, call, deps),
  };
}

/** By the newest generation. */
async function createMac({ data, key }: ParamsOf<'mac'>, call: Call, deps: Deps) {
  const { origin } = pageCall(call);
  const ref = await namedRef(key, origin, deps.keyRing);
  return authorizeKey({ ref, capability: 'mac' }, call, deps, async () => {
    const material = await deps.keyRing.sealingMaterial(ref, origin);
    return withKey(material.key, (named) => tagBy(named, origin, data, deps));
  });
}

/** A tag does not name its generation, so each that has made any is tried, the newest first. */
async function verifyMac({ data, tag, key }: ParamsOf<'verifyMac'>, call: Call, deps: Deps) {
  const { origin } = pageCall(call);
  const ref = await namedRef(key, origin, deps.keyRing);
  return authorizeKey({ ref, capability: 'mac' }, call, deps, async (_uses, { signal }) => {
    const keys = await deps.keyRing.usedKeys(ref, origin);
    try {
      for (const named of keys) {
        signal.throwIfAborted();
        if (equal(await tagBy(named, origin, data, deps), tag)) return true;
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
  return authorizeKey({ ref, capability: 'blindIndex' }, call, deps, async () => {
    const named = await deps.keyRing.keyOfGeneration(ref, origin, generation);
    if (named === undefined) {
      throw new SealwrightError('INVALID_ARGUMENT', 'generation: the key has not come to this one');
    }
    const indexKey = deriveIndexKey(named, origin, field);
    wipe(named);
    return withKey(indexKey, (by) => deps.messageCrypto.hmacSha256(by, value));
  });
}

function tagBy(
  named: Uint8Array,
  origin: string,
  data: Uint8Array,
  { messageCrypto }: Deps,
): Promise<Uint8Array> {
  return withKey(deriveMacKey(named, origin), (key) => messageCrypto.hmacSha256(key, data));
}

/** Wipes the key when the work has ended. */
async function withKey<T>(key: Uint8Array, work: (key: Uint8Array) => Promise<T>): Promise<T> {
  try {
    return await work(key);
  } finally {
    wipe(key);
  }
}
