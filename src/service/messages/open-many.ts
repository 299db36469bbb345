import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { parseEnvelope } from '../../format/wire/envelope.ts';
import type { Header } from '../../format/wire/header.ts';
import { openMessage } from '../../format/message.ts';
import type { OpeningMaterial } from '../../keys/ring/key-material.ts';
import type { KeyRing, MessageKey } from '../../keys/ring/key-ring.ts';
import { needsKey } from '../../rpc/errors.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { unpacked } from '../../rpc/transport/byte-list.ts';
import { contextsOf, eachItem, inBatch, type BatchResult } from '../calls/batch.ts';
import { pageCall } from '../calls/caller.ts';
import { refused } from '../errors.ts';
import type { Taken, Uses } from '../grants/charge.ts';
import { OpenerCache } from './cipher-cache.ts';
import { SharedOpening } from '../sharing/shared-opening.ts';
import type { Yielder } from '../calls/yielding.ts';
import type { OpenDeps } from './open.ts';
import { requirePageMessage, type Accept } from './authorize-message.ts';

interface Deps extends OpenDeps {
  readonly yielder: Yielder;
}

/** One item, as far as it is known before a use is taken for it. */
type Read =
  | {
      readonly header: Header;
      readonly keyId: string;
      readonly key: MessageKey;
      /** Of a shared message, which is opened this far to know whose it is. */
      readonly dataKey?: Uint8Array;
    }
  | { readonly error: unknown };

/** The method that opens a batch. */
export function openManyMethods(deps: Deps): Pick<Implementations, 'openMany'> {
  return { openMany: (params, call) => openMany(params, call, deps) };
}

/**
 * As if the items were opened one after the other, each under the grant for its own key; all uses
 * are taken in one commit. What is not a message of this page costs none.
 */
async function openMany(
  { items, accept, ...options }: ParamsOf<'openMany'>,
  call: Call,
  deps: Deps,
): Promise<BatchResult> {
  const { grants, keyRing, inFlightCalls, messageCrypto, threadShare, yielder, decoys } = deps;
  const contextAt = contextsOf({ items, ...options });
  const page = pageCall(call);
  const { scope, origin } = page;
  await grants.requireAnyKey({ scope, capability: 'open' }, page);
  const messages = unpacked(items);
  const shared = new SharedOpening(call, deps, options.epochs);
  const read = await headersOf({ messages, origin, accept, shared, call }, deps);
  const asks = [...usesByRef(read)].map(([ref, uses]): Uses => ({
    scope,
    ref,
    capability: 'open',
    uses,
  }));
  const taken = asks.length > 0 ? await grants.useMany(asks, page) : [];
  const verdicts = judged(read, new Map(asks.map(({ ref }, i) => [ref, taken[i]!])));
  const held = taken.flatMap((one) => (one.allowed ? [one.grant] : []));
  const grantOf = new Map(held.map((grant) => [grant.ref, grant]));
  return inFlightCalls.run(held, call, async (inFlight) => {
    const { signal } = inFlight;
    const inTurn = threadShare.turnsOf(call, inFlight);
    const materials = await materialsFor(verdicts, keyRing);
    const openers = new OpenerCache();
    const work = eachItem(async (sealed, index) => {
      const verdict = verdicts[index]!;
      if ('error' in verdict) throw verdict.error;
      decoys.requireNotFrozen(held);
      const crypto = await messageCrypto.forBytes(sealed.length, inTurn);
      const { purpose, headerKeyId: keyId } = verdict.header;
      const associatedData = contextAt(index);
      const { origin } = verdict.key;
      const bound = { purpose, origin, associatedData, crypto, signal };
      if (verdict.dataKey) {
        return openMessage({ ...bound, accept, dataKey: verdict.dataKey }, sealed);
      }
      const material = materials.get(verdict.keyId);
      if (!material) throw needsKey(verdict.keyId);
      const own = { ...bound, key: material.key, keyId };
      const opened = crypto.onThread
        ? openers.of(verdict.keyId, own, crypto.onThread).open(sealed, associatedData)
        : await openMessage(own, sealed);
      await decoys.checkOpened(grantOf.get(verdict.key.ref)!, { origin, head: sealed });
      return opened;
    });
    try {
      const results = await inBatch({ items: messages, work, call, signal, yielder });
      decoys.requireNotFrozen(held); // after a decoy, the items before it are not given out either
      return results;
    } finally {
      openers.wipe();
      for (const { key } of materials.values()) wipe(key);
      for (const one of read) if ('dataKey' in one) wipe(one.dataKey);
    }
  });
}

interface Unread {
  readonly messages: readonly Uint8Array[];
  readonly origin: string;
  readonly accept: Accept | undefined;
  readonly shared: SharedOpening;
  readonly call: Pick<Call, 'isAborted' | 'signal'>;
}

/**
 * Each header key id is looked up once; of own messages nothing is derived yet.
 *
 * @throws the reason of the abort, if the caller gave up meanwhile
 */
async function headersOf(
  { messages, origin, accept, shared, call }: Unread,
  { keyRing, yielder }: Deps,
): Promise<Read[]> {
  const keys = new Map<string, MessageKey>();
  const read: Read[] = [];
  try {
    for (const message of messages) {
      if (call.isAborted) break;
      await yielder.yieldIfDue();
      try {
        const envelope = parseEnvelope(message, message.length);
        requirePageMessage(envelope, accept);
        const { header } = envelope;
        const keyId = toBase64url(header.headerKeyId);
        if (header.flags.recipients) {
          const key = await shared.keyOf(envelope, message);
          read.push({ header, keyId, key, dataKey: key.dataKey });
          continue;
        }
        const known = keys.get(keyId) ?? (await keyRing.keyOfMessage(header.headerKeyId, origin));
        // One that is unknown is looked for among the grants all the same, under a name that none has.
        const key = known ?? { ref: '', origin };
        keys.set(keyId, key);
        read.push({ header, keyId, key });
      } catch (error) {
        read.push({ error });
      }
    }
    if (!call.isAborted) return read;
    for (const one of read) if ('dataKey' in one) wipe(one.dataKey);
    call.signal.throwIfAborted();
    return [];
  } finally {
    await shared.wipe();
  }
}

function usesByRef(read: readonly Read[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const item of read) {
    if ('key' in item) uses.set(item.key.ref, (uses.get(item.key.ref) ?? 0) + 1);
  }
  return uses;
}

/** What is granted goes to the first items of each key; the others have an error instead. */
function judged(read: readonly Read[], taken: ReadonlyMap<string, Taken>): Read[] {
  const used = new Map<string, number>();
  return read.map((item) => {
    if ('error' in item) return item;
    const { ref } = item.key;
    const one = taken.get(ref)!;
    const before = used.get(ref) ?? 0;
    used.set(ref, before + 1);
    if (!one.allowed && one.code === 'NOT_GRANTED') return { error: needsKey(item.keyId) };
    if (!one.allowed) return { error: refused(one) };
    return before < one.uses ? item : { error: refused(one.rest!) };
  });
}

/** Only for keys that are granted: another must not cost more than one that is not there. */
async function materialsFor(
  verdicts: readonly Read[],
  keyRing: KeyRing,
): Promise<Map<string, OpeningMaterial>> {
  const materials = new Map<string, OpeningMaterial>();
  for (const verdict of verdicts) {
    if ('error' in verdict || verdict.dataKey || materials.has(verdict.keyId)) continue;
    const { origin } = verdict.key;
    const material = await keyRing.openingMaterial(verdict.header.headerKeyId, origin);
    if (material) materials.set(verdict.keyId, material);
  }
  return materials;
}
