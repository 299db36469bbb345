import { encodedLengths, unpacked } from '../../src/rpc/transport/byte-list.ts';
import type { ByteList } from '../../src/rpc/transport/byte-list.ts';
import type { ResultOf } from '../../src/rpc/methods/methods.ts';

/** Items as they cross a line. */
export function packedOf(...items: readonly Uint8Array[]): ByteList {
  return {
    bytes: Uint8Array.from(items.flatMap((item) => [...item])),
    lengths: encodedLengths(items.map(({ length }) => length)),
  };
}

/** What became of each item: its bytes, or the code of its error. */
export function outcomes({ items, failures }: ResultOf<'sealMany'>): (Uint8Array | string)[] {
  const results: (Uint8Array | string)[] = unpacked(items);
  for (const { at, error } of failures) results[at] = error.code;
  return results;
}
