const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The mean Gregorian year and a twelfth of it. */
const YEAR = 365.2425 * DAY;
const MONTH = YEAR / 12;

/** Coarsest first, with the length in ms. */
const TIME_UNITS = [
  ['year', YEAR],
  ['month', MONTH],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;

/** The coarsest unit in which the duration rounds to at least one, and the rounded count. */
function inUnits(ms: number): { unit: (typeof TIME_UNITS)[number][0]; count: number } {
  for (const [unit, length] of TIME_UNITS) {
    const count = Math.round(Math.abs(ms) / length);
    if (Math.abs(ms) >= length * 0.995) return { unit, count };
  }
  return { unit: 'second', count: Math.round(Math.abs(ms) / SECOND) };
}

/** A duration in one unit: "15 minutes". */
export function formatDuration(ms: number, language: string): string {
  const { unit, count } = inUnits(ms);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    count,
  );
}

/**
 * "in 3 hours", "yesterday".
 *
 * @param ms - from now; negative for the past
 * @param only - the unit to use
 */
export function formatRelative(ms: number, language: string, only?: 'day'): string {
  const { unit, count } = only
    ? { unit: only, count: Math.round(Math.abs(ms) / DAY) }
    : inUnits(ms);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return format.format(ms < 0 ? -count : count, unit);
}

/** The midnight before that time, in local time. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/**
 * "today", "yesterday", "Monday, November 16"; with the year if it differs from the year of `now`.
 */
export function formatDay(time: number, now: number, language: string): string {
  // Rounded, because a day on which the clocks change has 23 or 25 hours.
  const daysAgo = Math.round((startOfDay(now) - startOfDay(time)) / DAY);
  if (daysAgo === 0 || daysAgo === 1) return formatRelative(-daysAgo * DAY, language, 'day');
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? undefined : 'numeric';
  const format = { weekday: 'long', day: 'numeric', month: 'long', year } as const;
  return new Intl.DateTimeFormat(language, format).format(time);
}

/** IEC 80000-13 symbols, the same in all languages. */
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** "64 KiB", "1.5 MiB": at most one decimal. */
export function formatBytes(count: number, language: string): string {
  let power = 0;
  while (power < BYTE_UNITS.length - 1 && count >= 1023.95 * 1024 ** power) power++;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: power === 0 ? 0 : 1 });
  return `${number.format(count / 1024 ** power)}\u00a0${BYTE_UNITS[power]!}`;
}

/*
 * Bidirectional text: Unicode Standard Annex #9, section 2.4.
 */
const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/** Languages written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

/** The direction of writing. @param language - BCP 47 tag, "ar" or "zh-CN" */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language.split('-')[0]!) ? 'rtl' : 'ltr';
}

/**
 * Isolates a text in the direction of its first strong character, so that it does not reorder its
 * surroundings.
 */
export function isolated(words: string): string {
  return FIRST_STRONG_ISOLATE + words + POP_DIRECTIONAL_ISOLATE;
}

/** Isolates a text that is always written from left to right, such as "64 KiB". */
export function isolatedLeftToRight(words: string): string {
  return LEFT_TO_RIGHT_ISOLATE + words + POP_DIRECTIONAL_ISOLATE;
}
