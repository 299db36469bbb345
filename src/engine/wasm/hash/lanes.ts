/** Words of 32 bits of four lanes, side by side: word w of lane l is at 16 w + 4 l. */

/** @param words of one lane, as the module holds them */
export function spreadLane(words: Uint8Array, lanes: Uint8Array, lane: number): void {
  for (let i = 0; i < words.length; i++) lanes[16 * (i >> 2) + 4 * lane + (i & 3)] = words[i]!;
}

/** The reverse. @param words receives as many as it holds */
export function gatherLane(lanes: Uint8Array, words: Uint8Array, lane: number): void {
  for (let i = 0; i < words.length; i++) words[i] = lanes[16 * (i >> 2) + 4 * lane + (i & 3)]!;
}
