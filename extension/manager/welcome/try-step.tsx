import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CircleHelp, Eye, HardDriveDownload, LockKeyhole } from 'lucide-preact';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { sealingKeyFor } from '../../ui/components/sealing-key.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { Mark } from '../../ui/picture/mark.tsx';
import { utf8Bytes, visibleText } from '../../ui/text/plain-text.ts';
import { openSealed } from '../files/file-work.ts';
import { sealedSource } from '../files/sealed-source.ts';
import { useFileWork } from '../files/use-file-work.ts';
import { PinButton } from './pin-button.tsx';

/** The last step: a text is sealed and opened, and the toolbar button is pinned. Each may be left out. */
export function TryStep() {
  const { text } = useEnvironment();
  const [isTried, setTried] = useState(false);
  return (
    <View title={text.t('tryTitle')}>
      <p class="lead">{text.t('tryLead')}</p>
      <SealAndOpen onOpened={() => setTried(true)} />
      <PinButton />
      <div class="actions">
        <Button
          id="welcome-done"
          variant={isTried ? 'primary' : 'plain'}
          onClick={() => (location.hash = 'home')}
        >
          {text.t('done')}
        </Button>
        <Button
          id="welcome-backup"
          icon={<HardDriveDownload size={18} aria-hidden="true" />}
          onClick={() => (location.hash = 'backup')}
        >
          {text.t('recoveryNext')}
        </Button>
        <Button
          id="welcome-guide"
          icon={<CircleHelp size={18} aria-hidden="true" />}
          onClick={() => (location.hash = 'guide')}
        >
          {text.t('guideTitle')}
        </Button>
      </div>
    </View>
  );
}

/** A text that the user writes, then its ciphertext, then the opened text. */
function SealAndOpen({ onOpened }: { readonly onOpened: () => void }) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const { action, run } = useFileWork();
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [sealed, setSealed] = useState<string>();
  const [opened, setOpened] = useState<string>();
  const field = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (sealed && opened === undefined) field.current?.querySelector('button')?.focus();
  }, [sealed, opened]);
  const seal = (event: Event) => {
    event.preventDefault();
    setMissing(typed === '');
    if (typed === '') {
      field.current?.querySelector('textarea')?.focus();
      return;
    }
    run(async () => {
      const ref = await sealingKeyFor('', ui, text);
      const message = await ui.call('ui.sealText', { text: utf8Bytes(typed), ref });
      setTyped('');
      setSealed(webArmor(message.sealed));
      announce(text.t('trySealed'));
    });
  };
  const open = (armored: string) =>
    run(async (hooks) => {
      const source = await sealedSource(new Blob([armored]));
      const { file } = await openSealed(source!, {}, ui, hooks);
      setOpened(await file.blob.text());
      await file.discard();
      onOpened();
      announce(text.t('tryOpened'));
    });
  return (
    <div class="stack card" id="try" ref={field}>
      {sealed ? (
        <>
          <div class="stamped">
            <Field id="sealed-text" label={text.t('sealedText')} hint={text.t('trySealed')}>
              {(attributes) => (
                <textarea {...attributes} dir="ltr" rows={3} readOnly value={sealed} />
              )}
            </Field>
            <span class="stamp">
              <Mark size={48} />
            </span>
          </div>
          {opened === undefined ? (
            <div class="actions">
              <Button
                id="try-open"
                variant="primary"
                busy={action.busy}
                icon={<Eye size={18} aria-hidden="true" />}
                onClick={() => open(sealed)}
              >
                {text.t('readerOpen')}
              </Button>
            </div>
          ) : (
            <Banner tone="good" id="try-opened" title={text.t('tryOpened')}>
              <pre class="opened" dir="auto">
                {visibleText(opened)}
              </pre>
            </Banner>
          )}
        </>
      ) : (
        <form class="stack" onSubmit={seal}>
          <Field
            id="try-text"
            label={text.t('composeText')}
            error={isMissing ? text.t('composeMissing') : undefined}
          >
            {(attributes) => (
              <textarea
                {...attributes}
                dir="auto"
                rows={3}
                value={typed}
                onInput={(event) => {
                  setTyped(event.currentTarget.value);
                  setMissing(false);
                }}
              />
            )}
          </Field>
          <div class="actions">
            <Button
              id="try-seal"
              type="submit"
              variant="primary"
              busy={action.busy}
              icon={<LockKeyhole size={18} aria-hidden="true" />}
            >
              {text.t('sealAgain')}
            </Button>
          </div>
        </form>
      )}
      <ErrorBanner error={action.error} />
    </div>
  );
}
