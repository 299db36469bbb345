const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a permission lasts. */
export interface Duration {
  /** Null: until revoked. */
  readonly ms: number | null;
  /** Whether the first use ends it. */
  readonly once: boolean;
}

/** "Once" means now: a use that was never made lapses, and cannot be made next month. */
export const ONCE_WITHIN_MS = HOUR;

/** A grant without an end that nobody uses ends after this time (src/service/grants/grant-rules.ts). */
export const UNUSED_ENDS_MS = 90 * DAY;

/** What people think in. */
const USUAL: readonly (number | null)[] = [HOUR, DAY, 30 * DAY, null];

const lasting = (ms: number | null): Duration => ({ ms, once: false });

/**
 * How long a grant may last, shortest first: once, the usual choices within what the site asked
 * for, and what it asked for itself, which is last.
 *
 * @param asked - null: the site set no end, or no limit of uses
 */
export function durationChoices(asked: {
  readonly expiresInMs: number | null;
  readonly maxUses: number | null;
}): readonly Duration[] {
  return [...onceWithin(asked), ...times(asked.expiresInMs).map(lasting)];
}

/** What the site asked for itself. */
export const askedDuration = ({ expiresInMs }: { readonly expiresInMs: number | null }): Duration =>
  lasting(expiresInMs);

/** A site that asks for a single use leaves nothing to choose here. */
function onceWithin({ expiresInMs, maxUses }: Parameters<typeof durationChoices>[0]): Duration[] {
  if (maxUses === 1) return [];
  return [{ ms: Math.min(expiresInMs ?? Infinity, ONCE_WITHIN_MS), once: true }];
}

function times(askedMs: number | null): readonly (number | null)[] {
  if (askedMs === null) return USUAL;
  return [...USUAL.filter((ms) => ms !== null && ms < askedMs), askedMs];
}
