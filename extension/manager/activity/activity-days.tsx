import { useText } from '../../ui/environment/environment.ts';
import { startOfDay } from '../../ui/text/format.ts';
import type { UiActivity } from '../../ui/environment/ui-client.ts';
import { ActivityRow } from './activity-row.tsx';

/** The entries, newest first, under the days on which they ended. */
export function ActivityDays({ entries }: { readonly entries: readonly UiActivity[] }) {
  const text = useText();
  return (
    <>
      {byDay(entries).map(([day, own]) => (
        <section key={day} class="day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{text.day(day)}</h2>
          <ul class="rows">
            {own.map((entry) => (
              <ActivityRow key={keyOf(entry)} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function byDay(entries: readonly UiActivity[]): [number, UiActivity[]][] {
  const days = new Map<number, UiActivity[]>();
  for (const entry of entries) {
    const day = startOfDay(entry.until);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}

/** An entry that grows while it is looked at stays the same entry. */
function keyOf({ from, origin, container, operation, result, key }: UiActivity): string {
  return JSON.stringify([from, origin, container, operation, result, key?.ref]);
}
