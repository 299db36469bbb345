import { useState } from 'preact/hooks';
import { ChevronRight, Globe, History, PowerOff } from 'lucide-preact';
import { RowMenu } from '../../ui/components/buttons/row-menu.tsx';
import { EmptyState } from '../../ui/components/empty-state.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { activityOfSite } from '../../ui/environment/manager-address.ts';
import { everyPortOf, shortOrigin, splitOrigin } from '../../ui/text/origin.ts';
import type { Text } from '../../ui/text/i18n.ts';
import type { UiSiteSummary } from '../../ui/environment/ui-client.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { useDisableSite } from './disable-site.tsx';
import { isFrozen } from './frozen-grant.tsx';
import { GrantRows } from './grant-row.tsx';
import { MovedData } from './moved-data.tsx';
import { SiteFields } from './site-fields.tsx';
import { PersistentKeys } from './persistent-keys.tsx';
import { SiteDecoys } from './site-decoys.tsx';

interface SitesViewProps {
  /** The button where no site is enabled. */
  readonly leadOn: { readonly label: string; readonly go: () => void };
}

/** The enabled sites, each with its grants and settings. */
export function SitesView({ leadOn }: SitesViewProps) {
  const text = useText();
  const { data, error, reload } = useQuery('ui.sites', {});
  return (
    <View title={text.t('sitesTitle')}>
      <ErrorBanner error={error} />
      {!data && error === undefined && <Loading />}
      {data?.length === 0 && (
        <EmptyState id="sites-none" icon={Globe} action={leadOn.label} onAction={leadOn.go}>
          {text.t('sitesNone')}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul class="rows" id="sites">
          {data.map((site) => (
            <SiteRow key={site.origin} site={site} reload={reload} />
          ))}
        </ul>
      )}
    </View>
  );
}

/** In place of an icon, which the site would have to be asked for: the first letter of what its owner registered. */
const letterOf = (origin: string): string =>
  splitOrigin(origin).registered.slice(0, 1).toUpperCase();

function stateOf({ grants }: UiSiteSummary, needsAnswer: boolean, text: Text): string {
  if (needsAnswer) return text.t('frozenTitle');
  if (grants.some((grant) => grant.isUnusual)) return text.t('unusualTitle');
  return grants.length === 0 ? text.t('siteOnIdle') : text.plural('grantCount', grants.length);
}

/**
 * Said of a pattern, which is enabled at every port. Grants and settings are of one address: two addresses of one host
 * have two rows, and names that differ.
 */
const everyPortOfPattern = ({ origin, pattern }: UiSiteSummary, text: Text): string | undefined =>
  pattern === `${origin}/*` ? everyPortOf(origin, text) : undefined;

interface SiteRowProps {
  readonly site: UiSiteSummary;
  readonly reload: () => Promise<void>;
}

function SiteRow({ site, reload }: SiteRowProps) {
  const { text, openManager } = useEnvironment();
  const { pattern } = site;
  const { action, disable, question } = useDisableSite({ pattern, site, onDisabled: reload });
  const everyPort = everyPortOfPattern(site, text);
  const shown = everyPort ?? shortOrigin(site.origin);
  const needsAnswer = site.grants.some((grant) => isFrozen(grant));
  const [toTell] = useState(needsAnswer || site.grants.some((grant) => grant.isUnusual));
  const [isOpen, setOpen] = useState(toTell);
  return (
    <li class="row-card site-card">
      <details open={toTell} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="site-row">
          <span class="site-letter" aria-hidden="true">
            {letterOf(site.origin)}
          </span>
          <span class="row-main">
            {everyPort === undefined ? (
              <bdi class="row-title">{shown}</bdi>
            ) : (
              <span class="row-title">{everyPort}</span>
            )}
            <span class="row-detail">{stateOf(site, needsAnswer, text)}</span>
          </span>
          <ChevronRight size={18} aria-hidden="true" class="mirror" />
        </summary>
        <GrantRows grants={site.grants} onRevoked={reload} />
        <PersistentKeys origin={site.origin} count={site.persistentKeys} onDeleted={reload} />
        <SiteDecoys origin={site.origin} count={site.decoys} onForgotten={reload} />
        {isOpen && <Unfolded site={site} />}
      </details>
      <RowMenu
        label={text.t('moreNamed', shown)}
        busy={action.busy}
        items={[
          {
            name: 'activity',
            label: text.t('siteActivity'),
            icon: <History size={16} aria-hidden="true" />,
            onChoose: () => openManager(activityOfSite(site.origin)),
          },
          {
            name: 'disable',
            label: text.t('disableConfirm'),
            icon: <PowerOff size={16} aria-hidden="true" />,
            ask: { question, confirm: text.t('disableConfirm') },
            onChoose: disable,
          },
        ]}
      />
      <ErrorBanner error={action.error} />
    </li>
  );
}

/** What is read once a site is unfolded. It appears together: a part that came later would move the one below it. */
function Unfolded({ site: { origin, pattern, grants } }: Pick<SiteRowProps, 'site'>) {
  const moves = useQuery('ui.moves', {});
  const fields = useQuery('ui.fieldSettings', { origin, pattern });
  if (isPending(moves) || isPending(fields)) return <Loading />;
  return (
    <>
      <ErrorBanner error={moves.error ?? fields.error} />
      <MovedData {...moves} origin={origin} isConnected={grants.length > 0} />
      <SiteFields {...fields} origin={origin} pattern={pattern} />
    </>
  );
}
