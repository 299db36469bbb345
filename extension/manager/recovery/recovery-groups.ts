/** Groups of a recovery code (src/keys/unlock/recovery-code.ts), and how many of them are asked back. */
const GROUPS = 7;
const ASKED = 3;

/**
 * Which groups are asked back: three different ones, counted from 0, in their order.
 *
 * @param random fills what it is given, as `crypto.getRandomValues`
 */
export function askedGroups(random: (target: Uint32Array<ArrayBuffer>) => void): number[] {
  const rest = Array.from({ length: GROUPS }, (_, group) => group);
  const draw = new Uint32Array(ASKED);
  random(draw);
  const picked = Array.from(draw, (value) => rest.splice(value % rest.length, 1)[0]!);
  return picked.sort((a, b) => a - b);
}

/** The code with what was typed in the place of the groups that were asked. */
export function withTyped(
  code: string,
  asked: readonly number[],
  typed: readonly string[],
): string {
  const groups = code.split('-');
  for (const [place, group] of asked.entries()) groups[group] = typed[place]!.trim();
  return groups.join('-');
}
