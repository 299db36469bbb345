import { useState } from 'preact/hooks';
import { ArrowDown, FolderInput } from 'lucide-preact';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { OriginName } from '../../ui/components/origin-name.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { Query } from '../../ui/hooks/use-query.ts';
import { areLookAlikes, shortOrigin } from '../../ui/text/origin.ts';

interface MovedDataProps extends Query<ResultOf<'ui.moves'>> {
  /** The address that opens, or may be let open, what others have sealed. */
  readonly origin: string;
  /** Whether it has a permission: without one it opens nothing, and is offered no data. */
  readonly isConnected: boolean;
}

/** Whose data this site may open beside its own, and a way to let it open those of an app's old address. */
export function MovedData({ data, reload, origin, isConnected }: MovedDataProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const [chosen, setChosen] = useState('');
  if (!data) return null;
  const old = data.moves.filter(({ to }) => to === origin).map(({ from }) => from);
  const others = data.origins.filter((from) => from !== origin && !old.includes(from));
  const offered = isConnected ? others : [];
  if (old.length === 0 && offered.length === 0) return null;
  const change = (from: string, on: boolean) =>
    action.run(async () => {
      await ui.call('ui.moveData', { from, to: origin, on });
      setChosen('');
      toast(text.t(on ? 'moveAllowed' : 'moveEnded'));
      focusTitle();
      await reload();
    });
  const options = offered.map((from) => ({ value: from, label: shortOrigin(from) }));
  return (
    <section class="moved-data stack">
      <h2>{text.t('moveTitle')}</h2>
      {old.length > 0 && (
        <ul class="rows">
          {old.map((from) => (
            <li class="row" key={from}>
              <p class="row-main">{text.t('moveRow', shortOrigin(from))}</p>
              <Button
                variant="quiet"
                busy={action.busy}
                aria-label={text.t('moveEndNamed', shortOrigin(from))}
                onClick={() => change(from, false)}
              >
                {text.t('moveEnd')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {offered.length > 0 && (
        <Select
          id={`move ${origin}`}
          label={text.t('moveOld')}
          hint={text.t('moveHint')}
          value={chosen}
          options={[{ value: '', label: text.t('moveChoose') }, ...options]}
          onChange={setChosen}
        />
      )}
      {offered.includes(chosen) && (
        <Question
          from={chosen}
          to={origin}
          busy={action.busy}
          onAllow={() => change(chosen, true)}
        />
      )}
      <ErrorBanner error={action.error} />
    </section>
  );
}

interface QuestionProps {
  readonly from: string;
  readonly to: string;
  readonly busy: boolean;
  readonly onAllow: () => void;
}

/** Both names in large letters, and what may be wrong with them, before the user lets it. */
function Question({ from, to, busy, onAllow }: QuestionProps) {
  const text = useText();
  return (
    <div class="stack">
      <p class="row-detail">{text.t('moveOld')}</p>
      <OriginName origin={from} />
      <ArrowDown size={18} aria-hidden="true" />
      <p class="row-detail">{text.t('moveNew')}</p>
      <OriginName origin={to} />
      {areLookAlikes(from, to) && <Banner tone="error">{text.t('moveLookAlike')}</Banner>}
      <Banner tone="warning">{text.t('moveWarning')}</Banner>
      <ConfirmButton
        label={text.t('moveAllow')}
        describe={text.t('moveAllow')}
        question={text.t('moveQuestion', shortOrigin(to), shortOrigin(from))}
        confirm={text.t('moveAllow')}
        busy={busy}
        icon={<FolderInput size={16} aria-hidden="true" />}
        onConfirm={onAllow}
      />
    </div>
  );
}
