import { concat } from '../../crypto/bytes.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { toWire } from '../../rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import { countOf, encodedLengths, unpacked, type ByteList } from '../../rpc/transport/byte-list.ts';
import { WorkshopFailed } from '../../rpc/workshop.ts';
import { refused } from '../errors.ts';
import type { AuthorizeDeps } from '../grants/authorize.ts';
import type { Refusal } from '../grants/grant-rules.ts';
import { authorizeSync } from './authorize-sync.ts';
import { withRecordKeys } from './sync-keys.ts';
import { inWorkshopOf } from '../calls/origin-workshop.ts';
import { seedFrom, type SyncWorkshopDeps } from './sync-workshop.ts';

interface Deps extends AuthorizeDeps, SyncWorkshopDeps {}

type Method = 'sync.encryptRecords' | 'sync.decryptRecords';
type Results = ResultOf<'sync.encryptRecords'>;

/**
 * Encrypts and decrypts records of sync services, in the workshop. The result is as if the records were processed one
 * after the other, but grants are checked once and there is one commit. Each record has its own result or error.
 */
export function syncRecordMethods(deps: Deps): Pick<Implementations, Method> {
  return {
    'sync.encryptRecords': (params, call) => recordsIn('sync.encryptRecords', params, call, deps),
    async 'sync.decryptRecords'(params, call) {
      const { items, failures } = await recordsIn('sync.decryptRecords', params, call, deps);
      return { items, failures };
    },
  };
}

function recordsIn(
  method: Method,
  { collection, records, key }: ParamsOf<Method>,
  call: Call,
  deps: Deps,
): Promise<Results> {
  const opens = method === 'sync.decryptRecords';
  const request = { key, collections: [collection], uses: countOf(records), opens };
  return authorizeSync(request, call, deps, ({ ref, take }) =>
    withRecordKeys(deps.keyRing, ref, collection, ({ format, keys, kid }) =>
      take(async ({ uses, rest }, signal) => {
        const seed = method === 'sync.encryptRecords' && { seed: seedFrom(deps) };
        const named = kid !== undefined && { kid };
        const sent = firstOf(records, uses);
        const input = {
          secrets: { keys: [...keys], ...seed },
          params: { format, collection, records: sent, ...named },
        };
        const total = records.bytes.length;
        const results = await inWorkshopOf(call, deps, method, input, signal, ({ done }) =>
          call.progress(done, total),
        );
        if (countOf(results.items) !== countOf(sent)) throw new WorkshopFailed('Lost records');
        return { ...withRefused(results, countOf(records), rest), ...named };
      }),
    ),
  );
}

/** @param uses that are left */
function firstOf(list: ByteList, uses: number): ByteList {
  if (uses >= countOf(list)) return list;
  const items = unpacked(list).slice(0, uses);
  return { bytes: concat(...items), lengths: encodedLengths(items.map(({ length }) => length)) };
}

/** The results with an error for each record for which no use was left. */
function withRefused({ items, failures }: Results, count: number, rest?: Refusal): Results {
  const done = countOf(items);
  if (done === count) return { items, failures };
  const missing = Array.from({ length: count - done }, (_, i) => done + i);
  const lengths = concat(items.lengths, encodedLengths(missing.map(() => 0)));
  const error = toWire(refused(rest!));
  const over = missing.map((at) => ({ at, error }));
  return { items: { bytes: items.bytes, lengths }, failures: [...failures, ...over] };
}
