import { useEffect, useRef, useState } from 'preact/hooks';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { OriginName } from '../../ui/components/origin-name.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import type { SiteProblem, UiSite } from '../../ui/environment/ui-client.ts';
import { useQuery } from '../../ui/hooks/use-query.ts';
import { DisableSite } from '../../views/sites/disable-site.tsx';
import { ManagerRow } from '../more-view.tsx';
import { EnableSite } from './enable-site.tsx';
import { FieldActions } from './field-actions.tsx';
import { GrantRows } from '../../views/sites/grant-row.tsx';
import { PersistentKeys } from '../../views/sites/persistent-keys.tsx';
import { ExternalLink, History } from 'lucide-preact';
import { everyPortOf } from '../../ui/text/origin.ts';
import { activityOfSite } from '../../ui/environment/manager-address.ts';

const PROBLEMS: Readonly<Record<SiteProblem, MessageKey>> = {
  insecure: 'problemInsecure',
  opaque: 'problemOpaque',
  'browser-page': 'problemBrowserPage',
  file: 'problemFile',
};

/** Pages into which the browser lets no extension, and those without an address of their own. */
const UNREACHABLE: readonly SiteProblem[] = ['browser-page', 'file', 'opaque'];

/**
 * The site of the current tab: whether it is enabled, why not, its grants, and actions on its
 * fields.
 */
export function SiteView() {
  const { text, tabId } = useEnvironment();
  const [tab, setTab] = useState<number | null>();
  useEffect(() => void tabId().then(setTab), [tabId]);
  return (
    <View title={text.t('siteTitle')}>
      {tab === undefined && <Loading />}
      {tab === null && (
        <>
          <SiteProblemBanner problem="browser-page" />
          <ManagerRow />
        </>
      )}
      {typeof tab === 'number' && <SiteOfTab tabId={tab} />}
    </View>
  );
}

function SiteOfTab({ tabId }: { readonly tabId: number }) {
  const { data, error, reload } = useQuery('ui.site', { tabId });
  // All appear together, so that no button moves while the user is about to press it.
  if (!data && error === undefined) return <Loading />;
  const isReachable = !UNREACHABLE.some((problem) => problem === data?.problem);
  return (
    <>
      <ErrorBanner error={error} />
      {data && <Site key={data.origin} site={data} reload={reload} />}
      <FieldActions tabId={tabId} isReachable={isReachable} />
      {!isReachable && <ManagerRow />}
    </>
  );
}

interface SiteProps {
  readonly site: UiSite;
  readonly reload: () => Promise<void>;
}

function Site({ site, reload }: SiteProps) {
  const { origin, pattern, problem, enabled } = site;
  // Whether it was enabled just now: then the page has to be reloaded to find the extension.
  const isNew = useRef(false);
  isNew.current ||= !enabled;
  if (problem !== null || origin === null || pattern === null) {
    return (
      <>
        {origin !== null && <OriginName origin={origin} />}
        <SiteProblemBanner problem={problem ?? 'browser-page'} />
      </>
    );
  }
  return (
    <>
      <OriginName origin={origin} />
      <EveryPort origin={origin} />
      {enabled ? (
        <EnabledSite site={site} pattern={pattern} isNew={isNew.current} reload={reload} />
      ) : (
        <EnableSite pattern={pattern} onEnabled={reload} />
      )}
    </>
  );
}

/** Why the extension cannot be enabled in a page. */
function SiteProblemBanner({ problem }: { readonly problem: SiteProblem }) {
  const { text } = useEnvironment();
  return (
    <Banner tone="info" id="site-problem" title={text.t('siteCannot')}>
      <p>{text.t(PROBLEMS[problem])}</p>
    </Banner>
  );
}

/** Which ports the permission for this site covers, where the address suggests one. */
function EveryPort({ origin }: { readonly origin: string }) {
  const { text } = useEnvironment();
  const wide = everyPortOf(origin, text);
  if (wide === undefined) return null;
  return (
    <p class="hint" id="site-ports">
      {text.t('permissionFor', wide)}
    </p>
  );
}

interface EnabledSiteProps extends SiteProps {
  readonly pattern: string;
  readonly isNew: boolean;
}

function EnabledSite({ site, pattern, isNew, reload }: EnabledSiteProps) {
  const { text } = useEnvironment();
  return (
    <>
      <p class="state-line good" id="site-state">
        {text.t('siteEnabled')}
      </p>
      <DisableSite pattern={pattern} site={site} onDisabled={reload} />
      {isNew && (
        <Banner tone="info" id="site-reload">
          <p>{text.t('siteReload')}</p>
        </Banner>
      )}
      <h2>{text.t('grantsTitle')}</h2>
      <GrantRows grants={site.grants} none="grantsNone" onRevoked={reload} />
      <PersistentKeys origin={site.origin!} count={site.persistentKeys} onDeleted={reload} />
      <SiteActivity origin={site.origin!} />
    </>
  );
}

/** A button that opens the manager at the activity of this site. */
export function SiteActivity({ origin }: { readonly origin: string }) {
  const { text, openManager } = useEnvironment();
  return (
    <button
      type="button"
      class="row row-button"
      id="site-activity"
      onClick={() => openManager(activityOfSite(origin))}
    >
      <History size={20} aria-hidden="true" />
      <span class="row-main">
        <span class="row-title">{text.t('siteActivity')}</span>
      </span>
      <ExternalLink size={18} aria-hidden="true" class="mirror" />
    </button>
  );
}
