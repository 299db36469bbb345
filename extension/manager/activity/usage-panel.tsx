import { useState } from 'preact/hooks';
import { Select } from '../../ui/components/forms/select.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { shortOrigin } from '../../ui/text/origin.ts';
import type { SiteUsage } from '../../ui/environment/ui-client.ts';
import { UsageTable } from './usage-table.tsx';
import { UsageChart } from './usage-chart.tsx';
import { totalOf } from './usage-figures.ts';

/** The usage of so many days is shown. */
export const DAYS = 30;

interface UsagePanelProps {
  readonly usage: readonly SiteUsage[];
  /** The site that the log is filtered by; '' for none. */
  readonly site: string;
}

/**
 * The usage of a site in the last 30 days: totals, a chart and a table. Shows nothing without
 * usage.
 */
export function UsagePanel({ usage, site }: UsagePanelProps) {
  const text = useText();
  const [chosen, setChosen] = useState<string>();
  const wanted = site === '' ? chosen : site;
  const shown = wanted === undefined ? usage[0] : usage.find(({ origin }) => origin === wanted);
  if (!shown) return null;
  return (
    <details class="card" id="usage">
      <summary>{text.t('usageTitle')}</summary>
      <div class="stack">
        <p class="hint">{text.t('usageLead')}</p>
        {usage.length > 1 && site === '' && (
          <Select
            id="usage-site"
            label={text.t('activitySite')}
            value={shown.origin}
            options={usage.map(({ origin }) => ({ value: origin, label: shortOrigin(origin) }))}
            onChange={setChosen}
          />
        )}
        <Usage usage={shown} />
      </div>
    </details>
  );
}

function Usage({ usage }: { readonly usage: SiteUsage }) {
  const text = useText();
  const { calls, bytes, refused } = totalOf(usage);
  const summary = text.t('usageSummary', text.number(calls), text.bytes(bytes));
  return (
    <>
      <p id="usage-summary">{summary}</p>
      {refused > 0 && <p class="muted">{text.plural('usageRefused', refused)}</p>}
      <UsageChart usage={usage} label={`${summary} ${text.t('chartHasTable')}`} />
      <details>
        <summary>{text.t('showTable')}</summary>
        <UsageTable usage={usage} />
      </details>
    </>
  );
}
