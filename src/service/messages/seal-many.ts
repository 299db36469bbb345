import { sealMessage } from '../../format/message.ts';
import { MessageSealer } from '../../format/short/sealer.ts';
import {
  longestEntryBytes,
  recipientsBytes,
  sealedLength,
} from '../../format/wire/sealed-length.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { MAX_BATCH_SEALED_BYTES } from '../../rpc/limits.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { unpacked } from '../../rpc/transport/byte-list.ts';
import { contextsOf, eachItem, inBatch, type BatchResult } from '../calls/batch.ts';
import { expired } from '../errors.ts';
import type { Yielder } from '../calls/yielding.ts';
import type { SealDeps } from './seal.ts';
import { authorizeSeal, recipientsIn, withSealTerms } from './authorize-message.ts';

interface Deps extends SealDeps {
  readonly yielder: Yielder;
}

/** The method that seals a batch. */
export function sealManyMethods(deps: Deps): Pick<Implementations, 'sealMany'> {
  return { sealMany: (params, call) => sealMany(params, call, deps) };
}

/**
 * As if the items were sealed one after the other: where the grant has fewer uses left, the first
 * items have them, and the others EXPIRED. One commit takes them all, under the one id of the call.
 */
async function sealMany(
  { contexts, ...params }: ParamsOf<'sealMany'>,
  call: Call,
  deps: Deps,
): Promise<BatchResult> {
  const { hedge, messageCrypto, threadShare, yielder } = deps;
  const { items: packed, ...options } = params;
  const contextAt = contextsOf({ ...params, contexts });
  const items = unpacked(packed);
  const { pad } = options;
  requireRoom(items, options);
  return authorizeSeal({ ...options, uses: items.length }, call, deps, (granted, inFlight) =>
    withSealTerms(granted, deps, async (terms) => {
      const { signal } = inFlight;
      const inTurn = threadShare.turnsOf(call, inFlight);
      const salt = await hedge.salts();
      const { boundTo: origin, uses } = granted;
      const what = { ...terms, purpose: 'page', origin, pad } as const;
      const { onThread } = await messageCrypto.forBytes(0);
      const sealer = onThread && !terms.recipients && new MessageSealer(what, onThread, salt);
      const work = eachItem(async (plaintext, index) => {
        if (index >= uses) throw expired();
        const crypto = await messageCrypto.forBytes(plaintext.length, inTurn);
        const associatedData = contextAt(index);
        if (sealer && crypto.onThread) return sealer.seal(plaintext, associatedData);
        return sealMessage({ ...what, associatedData, salt, crypto, signal }, plaintext);
      });
      try {
        const recipients = terms.recipients?.length;
        return await inBatch({ items, recipients, work, call, signal, yielder });
      } finally {
        if (sealer) sealer.wipe();
      }
    }),
  );
}

/**
 * Without recipients there is room for every batch (limits.ts); their entries can be longer than
 * what they are for.
 * @throws SealwrightError TOO_LARGE, before a use is taken
 */
function requireRoom(
  items: readonly Uint8Array[],
  { pad, to, toSelf = false }: Pick<ParamsOf<'sealMany'>, 'pad' | 'to' | 'toSelf'>,
): void {
  const { recipients } = recipientsIn({ ...(to && { to }), toSelf });
  if (recipients === undefined) return;
  // The own key may be of any recipient type: room for the longest entry.
  const bytes = recipientsBytes(to!) + (toSelf ? longestEntryBytes() : 0);
  const options = { pad, recipientsBytes: bytes };
  const total = items.reduce((sum, { length }) => sum + sealedLength(length, options), 0);
  if (total <= MAX_BATCH_SEALED_BYTES) return;
  throw new SealwrightError('TOO_LARGE', 'items: with these recipients more than a batch can hold');
}
