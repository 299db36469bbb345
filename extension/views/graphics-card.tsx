import { ErrorBanner } from '../ui/components/banner.tsx';
import { useToast } from '../ui/components/announcer.tsx';
import { CheckField } from '../ui/components/forms/check-field.tsx';
import { useEnvironment, useText } from '../ui/environment/environment.ts';
import type { ThresholdRow } from '../../src/rpc/thresholds.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { useEngineList } from './use-engine-list.ts';

/** The engines that work on a graphics card. */
const CARDS: readonly string[] = ['webgpu', 'webgl'];

/**
 * Setting: whether long messages of pages may go to the graphics card. Off by default. While it is on, it says
 * whether the browser has a card, and what the self-test has measured of it.
 */
export function GraphicsCard() {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const { data, error, reload } = useQuery('ui.graphicsCard', {});
  const choose = (on: boolean) =>
    action.run(async () => {
      await ui.call('ui.setGraphicsCard', { on });
      toast(text.t('saved'));
      await reload();
    });
  return (
    <>
      {data && (
        <CheckField
          id="graphics-card"
          label={text.t('enginesCard')}
          hint={text.t('enginesCardHint')}
          checked={data.on}
          onChange={choose}
        />
      )}
      {data?.on === true && <CardFacts fasterFrom={data.fasterFrom} />}
      <ErrorBanner error={action.error ?? error} />
    </>
  );
}

interface CardFactsProps {
  readonly fasterFrom: readonly ThresholdRow[] | null;
}

function CardFacts({ fasterFrom }: CardFactsProps) {
  const text = useText();
  const found = useEngineList(true, true);
  const names = found?.engines.filter((engine) => CARDS.includes(engine)) ?? [];
  const whereUsed = () => {
    if (fasterFrom === null) return text.t('enginesCardUnmeasured');
    if (fasterFrom.length === 0) return text.t('enginesCardSlower');
    const used = fasterFrom.map(({ algorithm, fromBytes }) =>
      text.t('enginesCardFrom', algorithm, text.bytes(fromBytes)),
    );
    return text.t('enginesCardFaster', text.list([...new Set(used)]));
  };
  return (
    <div class="stack muted" id="graphics-card-facts" aria-live="polite">
      {found && names.length === 0 && <p>{text.t('enginesCardMissing')}</p>}
      {names.length > 0 && <p>{text.t('enginesCardFound', text.list(names))}</p>}
      {names.length > 0 && <p>{whereUsed()}</p>}
    </div>
  );
}
