import { useState } from 'preact/hooks';
import type { UiFieldSession, Unmarkable } from '../../../src/rpc/methods/ui-fields.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { CheckField } from '../../ui/components/forms/check-field.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { sealingKeyFor } from '../../ui/components/sealing-key.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';

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
      <ErrorBanner error={action.error} />
    </>
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
