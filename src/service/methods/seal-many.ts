import { sealMessage } from '../../format/message.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods.ts';
import { unpacked } from '../../rpc/packed.ts';
import { inBatch, type BatchResult } from '../batch.ts';
import { notGranted } from '../errors.ts';
import type { Turns } from '../turns.ts';
import type { SealParts } from './seal.ts';
import { underSealGrant } from './under-grant.ts';

interface Parts extends SealParts {
  readonly turns: Turns;
}

export function sealManyMethods(parts: Parts): Pick<Implementations, 'sealMany'> {
  return { sealMany: (params, call) => sealedMany(params, call, parts) };
}

/**
 * As if the items were sealed one after the other: where the grant has fewer uses left, the first
 * items have them, and the others EXPIRED. One commit takes them all, under the one id of the call.
 */
async function sealedMany(
  { items: packed, ...options }: ParamsOf<'sealMany'>,
  call: Call,
  parts: Parts,
): Promise<BatchResult> {
  const { hedge, messageCrypto, turns } = parts;
  const items = unpacked(packed);
  const { context, pad } = options;
  const wish = { ...options, uses: items.length };
  return underSealGrant(wish, call, parts, async ({ key, keyId, origin, uses }, signal) => {
    const salt = await hedge.batchSalts();
    const bound = { key, keyId, purpose: 'page', origin, associatedData: context } as const;
    const work = async (plaintext: Uint8Array, index: number): Promise<Uint8Array> => {
      if (index >= uses) throw notGranted('EXPIRED');
      const crypto = await messageCrypto.forBytes(plaintext.length);
      return sealMessage({ ...bound, pad, salt, crypto, signal }, plaintext);
    };
    return inBatch({ items, work, call, signal, turns });
  });
}
