import { ExternalLink, History } from 'lucide-preact';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { activityOfSite } from '../../ui/environment/manager-address.ts';

/** The way to what this site did with the keys, in the manager. */
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
