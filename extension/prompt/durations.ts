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

/** A permission for one use also ends after this time, so that it cannot be used much later. */
export const ONCE_WITHIN_MS = HOUR;

/**
 * A grant without an expiry ends when it was not used for this time
 * (src/service/grants/grant-rules.ts).
 */
export const UNUSED_ENDS_MS = 90 * DAY;

/** How much a site may open in an hour, beside what it asked for; null: without limit. */
const USUAL_PER_HOUR: readonly (number | null)[] = [10, 100, 1_000, null];

/**
 * The limits of an hour to choose from, the smallest first: the usual ones below what the site requested, and that.
 *
 * @param requested - null: the site set no limit
 */
export function perHourChoices(requested: number | null): readonly (number | null)[] {
  if (requested === null) return USUAL_PER_HOUR;
  return [...USUAL_PER_HOUR.filter((each) => each !== null && each < requested), requested];
}

/** The usual choices; null: until revoked. */
const USUAL: readonly (number | null)[] = [HOUR, DAY, 30 * DAY, null];

const lasting = (ms: number | null): Duration => ({ ms, once: false });

/**
 * The durations to choose from, shortest first: one use, the usual choices below what the site
 * requested, and last what it requested.
 *
 * @param requested - null: the site set no end, or no limit of uses
 */
export function durationChoices(requested: {
  readonly expiresInMs: number | null;
  readonly maxUses: number | null;
}): readonly Duration[] {
  return [...onceWithin(requested), ...times(requested.expiresInMs).map(lasting)];
}

/** The duration that the site requested. */
export const requestedDuration = ({
  expiresInMs,
}: {
  readonly expiresInMs: number | null;
}): Duration => lasting(expiresInMs);

/** Empty where the site requested a single use anyway. */
function onceWithin({ expiresInMs, maxUses }: Parameters<typeof durationChoices>[0]): Duration[] {
  if (maxUses === 1) return [];
  return [{ ms: Math.min(expiresInMs ?? Infinity, ONCE_WITHIN_MS), once: true }];
}

function times(requestedMs: number | null): readonly (number | null)[] {
  if (requestedMs === null) return USUAL;
  return [...USUAL.filter((ms) => ms !== null && ms < requestedMs), requestedMs];
}
