import { ChevronRight, Dices } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import type { EntropyState } from '../../ui/environment/ui-client.ts';
import { Pools } from './pools.tsx';

/** The state of the random generator, which events on this page change while it is shown. */
function useEntropy(): { state: EntropyState | undefined; error: unknown } {
  const { ui, entropy } = useEnvironment();
  const [state, setState] = useState<EntropyState>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let wanted = true;
    const show = (next: EntropyState) => wanted && setState(next);
    const stop = entropy.watch(show);
    ui.call('ui.entropy', {}).then(show, (problem: unknown) => wanted && setError(problem));
    return () => {
      wanted = false;
      stop();
    };
  }, [ui, entropy]);
  return { state, error };
}

/** Shows the random generator, while pointer and keyboard of this page fill its pools. */
export function EntropyView({ onBack }: { readonly onBack: () => void }) {
  const text = useText();
  const { state, error } = useEntropy();
  return (
    <View title={text.t('entropyTitle')} onBack={onBack}>
      <p>{text.t('entropyLead')}</p>
      <ErrorBanner error={error} />
      {!state && error === undefined && <Loading />}
      {state && (
        <>
          <Pools pools={state.pools} />
          <p class="hint">{text.t('entropyIllustration')}</p>
          <dl class="facts">
            <dt>{text.t('entropyGathered')}</dt>
            <dd>{text.bytes(state.pools.reduce((sum, bytes) => sum + bytes, 0))}</dd>
            <dt>{text.t('entropyEvents')}</dt>
            <dd>{text.number(state.events)}</dd>
            <dt>{text.t('entropyReseeds')}</dt>
            <dd>{text.number(state.reseeds)}</dd>
          </dl>
          <Banner
            tone={state.healthy ? 'good' : 'error'}
            id="entropy-health"
            title={text.t(state.healthy ? 'healthGood' : 'healthBad')}
          >
            <p>{text.t(state.healthy ? 'healthGoodDetail' : 'healthBadDetail')}</p>
          </Banner>
        </>
      )}
    </View>
  );
}

/** Leads to this view, from the settings. */
export function RandomnessRow({ onShow }: { readonly onShow: () => void }) {
  const text = useText();
  return (
    <button type="button" class="row row-button" id="open-entropy" onClick={onShow}>
      <Dices size={20} aria-hidden="true" />
      <span class="row-main">
        <span class="row-title">{text.t('entropyTitle')}</span>
        <span class="row-detail">{text.t('entropyDetail')}</span>
      </span>
      <ChevronRight size={18} aria-hidden="true" class="mirror" />
    </button>
  );
}
