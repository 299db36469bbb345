/* A parser with defects, which search.test.ts has to find. */

/** Each letter of the magic word is a branch of its own, as in parsers that compare byte by byte. */
export function planted(data: Uint8Array): number {
  if (data[0] !== 0x53) return 0;
  if (data[1] !== 0x57) return 1;
  if (data[2] !== 0x42) return 2;
  const length = data[3] ?? 0;
  if (length > 200) throw new RangeError('length: more than there is');
  let sum = 0;
  for (let i = 0; i < length; i++) sum += data[4 + i] ?? 0;
  return data[4] === 0x7b && sum > 500 ? undefinedLength(undefined) : sum;
}

function undefinedLength(value: undefined | string): number {
  return value!.length;
}
