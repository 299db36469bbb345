import { useState } from 'preact/hooks';
import type { UiFieldSession, Unmarkable } from '../../../src/rpc/methods/ui-fields.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { CheckField } from '../../ui/components/forms/check-field.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { sealingKeyFor } from '../../ui/components/sealing-key.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useFieldSessionEnvironment } from '../environment.ts';

interface AlwaysSealProps {
  readonly session: UiFieldSession;
  /** The key that is chosen in this window; '' for one that will be created. */
  readonly chosenRef: string;
}

const WHY_NEVER: Readonly<Record<Unmarkable, MessageKey>> = {
  editor: 'alwaysSealEditor',
  unnamed: 'alwaysSealUnnamed',
};

/**
 * A checkbox for a field of an enabled site: whether it is always sealed. Else the reason why it
 * cannot be.
 */
export function AlwaysSeal({ session, chosenRef }: AlwaysSealProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const { always, never, origin, ref } = session;
  const [isOn, setOn] = useState(always?.on ?? false);
  const [isNew, setNew] = useState(false);
  if (never) return <NeverSealed why={WHY_NEVER[never]} />;
  if (!always || origin === null) return null;
  const choose = (on: boolean) =>
    action.run(async () => {
      if (on && ref === null) {
        await ui.call('ui.offerKey', {
          origin,
          ref: await sealingKeyFor(chosenRef, ui, text),
        });
      }
      await ui.call('ui.alwaysSeal', { origin, field: always.field, on });
      setOn(on);
      setNew(on);
      toast(text.t('saved'));
    });
  return (
    <>
      <CheckField
        id="always-seal"
        label={text.t('alwaysSeal')}
        hint={text.t('alwaysSealHint')}
        checked={isOn}
        onChange={choose}
      />
      {isNew && <ReloadFirst origin={origin} />}
      <ErrorBanner error={action.error} />
    </>
  );
}

/** In the pages that are open, the listeners of the page may be older than those that seal the field. */
function ReloadFirst({ origin }: { readonly origin: string }) {
  const text = useText();
  const { reloadPages } = useFieldSessionEnvironment();
  const action = useAction();
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Banner tone="good" id="pages-reloaded">
        <p role="status">{text.t('alwaysSealReloaded')}</p>
      </Banner>
    );
  }
  return (
    <Banner tone="info" id="reload-first">
      <p>{text.t('alwaysSealReload')}</p>
      <Button
        id="reload-pages"
        busy={action.busy}
        onClick={() => action.run(() => reloadPages(origin).then(() => setDone(true)))}
      >
        {text.t('alwaysSealReloadPages')}
      </Button>
      <ErrorBanner error={action.error} />
    </Banner>
  );
}

function NeverSealed({ why }: { readonly why: MessageKey }) {
  const text = useText();
  return (
    <p class="hint" id="never-sealed">
      {text.t(why)}
    </p>
  );
}
