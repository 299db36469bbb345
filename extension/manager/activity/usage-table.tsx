import { useText } from '../../ui/environment/environment.ts';
import { shortOrigin } from '../../ui/text/origin.ts';
import type { SiteUsage } from '../../ui/environment/ui-client.ts';
import { dayLabel } from './usage-figures.ts';

/** The days on which there was anything, the newest first. */
export function UsageTable({ usage }: { readonly usage: SiteUsage }) {
  const text = useText();
  const days = usage.days.filter(({ calls, refused }) => calls + refused > 0).reverse();
  return (
    <table>
      <caption>{text.t('usageCaption', shortOrigin(usage.origin))}</caption>
      <thead>
        <tr>
          <th scope="col">{text.t('usageDay')}</th>
          <th scope="col">{text.t('usageCalls')}</th>
          <th scope="col">{text.t('activityBytes')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, calls, bytes }) => (
          <tr key={day}>
            <th scope="row">{dayLabel(day, text)}</th>
            <td>{text.number(calls)}</td>
            <td>{text.bytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
