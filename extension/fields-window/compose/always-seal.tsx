import { useState } from 'preact/hooks';
import { Power } from 'lucide-preact';
import type { UiFieldSession, Unmarkable } from '../../../src/rpc/methods/ui-fields.ts';
import { useAnnounce, useToast } from '../../ui/components/announcer.tsx';
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
 * A checkbox for a field: whether it is always sealed. Where the site is not enabled, a button that enables it and has
 * the field sealed. Else the reason why it cannot be.
 */
export function AlwaysSeal({ session, chosenRef }: AlwaysSealProps) {
  const { ui, text, requestSite } = useEnvironment();
  const toast = useToast();
  const announce = useAnnounce();
  const action = useAction();
  const { always, enabling, never, origin, ref } = session;
  const [isOn, setOn] = useState(always?.on ?? false);
  const [isNew, setNew] = useState(false);
  const [isEnabled, setEnabled] = useState(enabling === null);
  const [isDeclined, setDeclined] = useState(false);
  const field = always?.field ?? enabling?.field;
  if (never) return <NeverSealed why={WHY_NEVER[never]} />;
  if (!field || origin === null) return null;
  const seal = async (on: boolean) => {
    if (on && ref === null) {
      await ui.call('ui.offerKey', { origin, ref: await sealingKeyFor(chosenRef, ui, text) });
    }
    await ui.call('ui.alwaysSeal', { origin, field, on });
    setOn(on);
    setNew(on);
    toast(text.t('saved'));
  };
  const enable = (pattern: string) => {
    // Browsers accept this call only in the handler of a click, so it comes first.
    const answer = requestSite(pattern);
    setDeclined(false);
    action.run(async () => {
      if (!(await answer)) {
        setDeclined(true);
        announce(text.t('siteDeclined'));
        return;
      }
      await ui.call('ui.enableSite', { pattern });
      // All that comes in the button's place comes at once.
      await seal(true).finally(() => setEnabled(true));
    });
  };
  return (
    <>
      {enabling && !isEnabled ? (
        <Button
          id="enable-always-seal"
          busy={action.busy}
          icon={<Power size={18} aria-hidden="true" />}
          onClick={() => enable(enabling.pattern)}
        >
          {text.t('alwaysSealEnable')}
        </Button>
      ) : (
        <CheckField
          id="always-seal"
          label={text.t('alwaysSeal')}
          hint={text.t('alwaysSealHint')}
          checked={isOn}
          onChange={(on) => action.run(() => seal(on))}
        />
      )}
      {isDeclined && (
        <Banner tone="info" id="always-seal-declined">
          <p>{text.t('siteDeclined')}</p>
        </Banner>
      )}
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
