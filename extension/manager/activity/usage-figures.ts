import type { Text } from '../../ui/text/i18n.ts';
import type { SiteUsage } from '../../ui/environment/ui-client.ts';

export function totalOf({ days }: SiteUsage) {
  const none = { calls: 0, bytes: 0, refused: 0 };
  return days.reduce(
    (all, day) => ({
      calls: all.calls + day.calls,
      bytes: all.bytes + day.bytes,
      refused: all.refused + day.refused,
    }),
    none,
  );
}

/** "2026-11-21" as people write it here: "Nov 21". The day itself, in no time zone. */
export function dayLabel(day: string, text: Text): string {
  const [year, month, date] = day.split('-').map(Number);
  return text.shortDate(new Date(year!, month! - 1, date, 12).getTime());
}
