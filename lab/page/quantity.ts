import { isolatedLeftToRight, directionOf } from '../../extension/ui/text/format.ts';
import type { Text } from '../../extension/ui/text/i18n.ts';

/** Rates by a thousand each; both of these units are a thousand bytes a second. */
const RATES = ['kB/s', 'MB/s', 'GB/s'] as const;
const SMALLEST: readonly string[] = ['kB/s', 'bytes/ms'];

/**
 * A figure with its unit: "452 kB/s", "232 MB/s", "9.1 %", "514 ×". Printed ones keep their digits; what has more
 * than four of them is rounded to three.
 */
export function quantity(value: number, unit: string, text: Text): string {
  if (unit === '%') {
    return text.number(value / 100, { style: 'percent', maximumFractionDigits: 1 });
  }
  let [scaled, shownUnit] = [value, unit === 'x' ? '×' : unit];
  if (SMALLEST.includes(unit) && value >= 1e5) {
    const power = value >= 1e6 ? 2 : 1;
    [scaled, shownUnit] = [value / 1000 ** power, RATES[power]];
  }
  const isPrinted = Number.isInteger(scaled) || Number.isInteger(scaled * 10);
  const digits = text.number(scaled, isPrinted ? {} : { maximumSignificantDigits: 3 });
  const words = `${digits} ${shownUnit}`;
  return directionOf(text.language) === 'rtl' ? isolatedLeftToRight(words) : words;
}
