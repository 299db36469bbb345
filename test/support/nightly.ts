/**
 * What `npm test` samples and `npm run nightly` runs whole. A sample never leaves out a kind of
 * case, only repetitions of it: lengths between edges, published vectors that cost a second each.
 */
export const IS_NIGHTLY = process.env['SEALWRIGHT_NIGHTLY'] !== undefined;

/** Every `n`th item, the first and the last among them; all of them in `npm run nightly`. */
export function everyNth<T>(n: number, items: readonly T[]): readonly T[] {
  if (IS_NIGHTLY || n === 1) return items;
  return items.filter((_, i) => i % n === 0 || i === items.length - 1);
}

/**
 * The lengths from 0 to `most`, all of them in `npm run nightly`. Else all to 300 bytes, which is
 * past two blocks of every hash and eight of AES, then each multiple of 64 with its neighbours.
 */
export function lengthsTo(most: number): readonly number[] {
  const all = Array.from({ length: most + 1 }, (_, length) => length);
  if (IS_NIGHTLY) return all;
  return all.filter((length) => length <= 300 || (length + 1) % 64 <= 2 || length === most);
}
