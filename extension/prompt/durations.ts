const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What people think in; null: until revoked. */
const USUAL: readonly (number | null)[] = [HOUR, DAY, 30 * DAY, null];

/**
 * How long a grant may last, shortest first: the usual choices within what the site asked for,
 * and what it asked for itself, which is last.
 *
 * @param askedMs - null: the site set no end
 */
export function durationChoices(askedMs: number | null): readonly (number | null)[] {
  if (askedMs === null) return USUAL;
  return [...USUAL.filter((ms) => ms !== null && ms < askedMs), askedMs];
}
