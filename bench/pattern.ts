const known = new Map<string, Uint8Array>();

/** Bytes without a short period, the same in every run. Not to be changed by anybody. */
export function pattern(length: number, seed: number): Uint8Array {
  const name = `${length} ${seed}`;
  const bytes = known.get(name) ?? generate(length, seed);
  known.set(name, bytes);
  return bytes;
}

function generate(length: number, seed: number): Uint8Array {
  let state = seed;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[i] = state >>> 16;
  }
  return bytes;
}
