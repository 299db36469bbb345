/**
 * Groups of a recovery code (src/keys/unlock/recovery-code.ts), and how many of them the user types
 * back.
 */
const GROUPS = 7;
const CONFIRMED = 3;
/** Symbols of a group. */
export const GROUP_SYMBOLS = 4;

/**
 * Picks the groups that the user types back: three different ones, counted from 0, ascending.
 *
 * @param random fills what it is given, as `crypto.getRandomValues`
 */
export function groupsToConfirm(random: (target: Uint32Array<ArrayBuffer>) => void): number[] {
  const rest = Array.from({ length: GROUPS }, (_, group) => group);
  const draw = new Uint32Array(CONFIRMED);
  random(draw);
  const picked = Array.from(draw, (value) => rest.splice(value % rest.length, 1)[0]!);
  return picked.sort((a, b) => a - b);
}

/** The code with the typed groups in the places that `picked` names. */
export function withTyped(
  code: string,
  picked: readonly number[],
  typed: readonly string[],
): string {
  const groups = code.split('-');
  for (const [place, group] of picked.entries()) groups[group] = typed[place]!.trim();
  return groups.join('-');
}
