import { useRef, useState } from 'preact/hooks';
import { LockKeyholeOpen } from 'lucide-preact';
import { Button } from '../../extension/ui/components/buttons/button.tsx';
import { Banner } from '../../extension/ui/components/banner.tsx';
import { Field } from '../../extension/ui/components/forms/field.tsx';
import { PassphraseField } from '../../extension/ui/components/forms/passphrase-field.tsx';
import { FileField } from '../../extension/manager/forms/file-field.tsx';
import { useChosenFile } from '../../extension/manager/forms/use-chosen-file.ts';
import { useFileWork } from '../../extension/manager/files/use-file-work.ts';
import { Working } from '../../extension/manager/files/working.tsx';
import type { Derive } from '../derivation.ts';
import { open, type Opened } from '../opening.ts';
import { usePageText } from '../page-text.ts';
import { recipientOf } from '../sealing.ts';
import { OpenedView } from './opened-view.tsx';
import { problemOf } from './problem.ts';

const SOURCE = {
  maxBytes: Infinity,
  missing: 'openFileMissing',
  tooLarge: 'openFileUnsupported',
} as const;

interface OpenFormProps {
  readonly derive: Derive;
  /** Called with the text of a public key that was entered; absent where the page has a key for good. */
  readonly onPublicKey: ((text: string) => void) | undefined;
}

/** Takes a sealed file or text and its passphrase, and shows what is in it. */
export function OpenForm({ derive, onPublicKey }: OpenFormProps) {
  const text = usePageText();
  const work = useFileWork();
  const file = useChosenFile(SOURCE);
  const [pasted, setPasted] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [opened, setOpened] = useState<{ readonly message: Opened; readonly from: string }>();
  const field = useRef<HTMLInputElement>(null);
  const words = problemOf(work.action.error);
  const change = () => {
    setOpened(undefined);
    work.action.clear();
  };
  const empty = () => {
    setPasted('');
    setPassphrase('');
    file.clear();
  };
  const submit = () => {
    const given = pasted.trim();
    if (onPublicKey && recipientOf(given)) {
      empty();
      onPublicKey(given);
      return;
    }
    const source = given === '' ? file.take() : new Blob([given]);
    if (!source) return;
    setOpened(undefined);
    work.run(async (hooks) => {
      try {
        const message = await open(source, passphrase, derive, hooks);
        setOpened({ message, from: source instanceof File ? source.name : '' });
      } catch (error) {
        const problem = problemOf(error);
        if (problem === 'pageRefused') empty();
        if (problem === 'passphraseMissing' || problem === 'openFileWrong') field.current?.focus();
        throw error;
      }
    });
  };
  return (
    <>
      <form
        class="stack card"
        aria-labelledby="open-title"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 id="open-title">{text.t('openFileTitle')}</h2>
        <FileField id="open-file" label={text.t('openFileFile')} file={file} onChoose={change} />
        <Field
          id="open-text"
          label={text.t('openFileText')}
          hint={onPublicKey && text.t('pageTextHint')}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              dir="ltr"
              rows={3}
              value={pasted}
              onInput={(event) => {
                setPasted(event.currentTarget.value);
                change();
              }}
            />
          )}
        </Field>
        <PassphraseField
          id="open-passphrase"
          label={text.t('passphrase')}
          hint={text.t('pagePassphraseHint')}
          value={passphrase}
          autocomplete="current-password"
          revealed={revealed}
          onReveal={setRevealed}
          onInput={setPassphrase}
          inputRef={field}
        />
        {words && (
          <Banner tone="error" id="open-problem">
            {text.t(words)}
          </Banner>
        )}
        <Working id="open-file" label={text.t('openFileWorking')} work={work} />
        <div class="actions">
          <Button
            id="open-now"
            type="submit"
            variant="primary"
            busy={work.action.busy}
            icon={<LockKeyholeOpen size={18} aria-hidden="true" />}
          >
            {text.t('readerOpen')}
          </Button>
        </div>
      </form>
      {opened && <OpenedView key={opened} {...opened} />}
    </>
  );
}
