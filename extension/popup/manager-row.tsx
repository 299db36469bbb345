import { ExternalLink, Vault } from 'lucide-preact';
import { useEnvironment } from '../ui/environment/environment.ts';

/** A button that opens the manager at its home. */
export function ManagerRow() {
  const { text, openManager } = useEnvironment();
  return (
    <button
      type="button"
      class="row row-button"
      id="open-manager"
      onClick={() => openManager('home')}
    >
      <Vault size={20} aria-hidden="true" />
      <span class="row-main">
        <span class="row-title">{text.t('openManager')}</span>
        <span class="row-detail">{text.t('openManagerDetail')}</span>
      </span>
      <ExternalLink size={18} aria-hidden="true" class="mirror" />
    </button>
  );
}
