import { useEnvironment } from '../../ui/environment/environment.ts';
import { RemovableRow } from './removable-row.tsx';

interface SiteDecoysProps {
  readonly origin: string;
  readonly count: number;
  readonly onForgotten: () => Promise<void>;
}

/** How many decoys a site has, and a button that forgets them after a question: a site may have 64. */
export function SiteDecoys({ origin, count, onForgotten }: SiteDecoysProps) {
  const { ui, text } = useEnvironment();
  if (count === 0) return null;
  return (
    <RemovableRow
      name="site-decoys"
      title={text.t('decoysTitle', count)}
      hint={text.t('decoysHint')}
      label={text.t('decoysForget')}
      question={text.t('decoysQuestion')}
      removed={text.t('decoysForgotten')}
      remove={() => ui.call('ui.forgetDecoys', { origin })}
      onRemoved={onForgotten}
    />
  );
}
