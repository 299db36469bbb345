import { useState } from 'preact/hooks';
import { Download, LockKeyhole } from 'lucide-preact';
import { safeFileName } from '../../src/format/file-name.ts';
import { Button } from '../../extension/ui/components/buttons/button.tsx';
import { Banner } from '../../extension/ui/components/banner.tsx';
import { CopyButton } from '../../extension/ui/components/copy-button.tsx';
import { Field } from '../../extension/ui/components/forms/field.tsx';
import { FileField } from '../../extension/manager/forms/file-field.tsx';
import { useChosenFile } from '../../extension/manager/forms/use-chosen-file.ts';
import { useFileWork } from '../../extension/manager/files/use-file-work.ts';
import { Working } from '../../extension/manager/files/working.tsx';
import { download } from '../../extension/ui/environment/download.ts';
import { usePageText } from '../page-text.ts';
import { Refusal } from '../refusal.ts';
import { save } from '../saving.ts';
import { sealedFile, sealedText, type Recipient } from '../sealing.ts';
import { problemOf } from './problem.ts';

const ANY_FILE = {
  maxBytes: Infinity,
  missing: 'openFileMissing',
  tooLarge: 'openFileUnsupported',
} as const;

interface SealFormProps {
  readonly recipient: Recipient;
  readonly wordList: readonly string[];
  /** A copy of this page with the key in it. */
  readonly dropPage: () => string;
}

/** What was sealed last. */
type Done = { readonly text: string } | { readonly name: string };

/** The six words of a key, and a form that seals a text or a file for its owner. */
export function SealForm({ recipient, wordList, dropPage }: SealFormProps) {
  const text = usePageText();
  const work = useFileWork();
  const file = useChosenFile(ANY_FILE);
  const [typed, setTyped] = useState('');
  const [done, setDone] = useState<Done>();
  const words = problemOf(work.action.error);
  const change = () => {
    setDone(undefined);
    work.action.clear();
  };
  const submit = () => {
    const chosen = typed === '' ? file.chosen() : undefined;
    change();
    work.run(async (hooks) => {
      if (chosen) {
        const { name: plain, type, size } = chosen;
        const name = `${safeFileName(plain) || 'file'}.sealed`;
        const parts = (again: typeof hooks) =>
          sealedFile(recipient, chosen, { name: plain, type }, again);
        if (await save(name, { bytes: size, parts }, hooks)) setDone({ name });
      } else if (typed === '') throw new Refusal('pageSealMissing');
      else setDone({ text: await sealedText(recipient, typed, hooks) });
    });
  };
  return (
    <form
      class="stack card"
      aria-labelledby="seal-title"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h2 id="seal-title">{text.t('pageSealTitle')}</h2>
      <p>{text.t('pageSealWords')}</p>
      <ol class="words" id="key-words" aria-label={text.t('pageWords')} lang="en" dir="ltr">
        {recipient.words.map((index, place) => (
          <li key={place}>{wordList[index]}</li>
        ))}
      </ol>
      <Field id="seal-text" label={text.t('pageSealText')}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="auto"
            rows={4}
            value={typed}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              change();
            }}
          />
        )}
      </Field>
      <FileField id="seal-file" label={text.t('pageSealFile')} file={file} onChoose={change} />
      {words && (
        <Banner tone="error" id="seal-problem">
          {text.t(words)}
        </Banner>
      )}
      <Working id="seal-file" label={text.t('sealFileWorking')} work={work} />
      <div class="actions">
        <Button
          id="seal-now"
          type="submit"
          variant="primary"
          busy={work.action.busy}
          icon={<LockKeyhole size={18} aria-hidden="true" />}
        >
          {text.t('sealAgain')}
        </Button>
      </div>
      <div class="stack" role="status">
        {done && 'name' in done && <p id="seal-saved">{text.t('sealFileSaved', done.name)}</p>}
        {done && 'text' in done && <SealedText sealed={done.text} />}
      </div>
      <div class="actions">
        <Button
          id="save-drop-page"
          variant="quiet"
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() => download('open.html', new Blob([dropPage()], { type: 'text/html' }))}
        >
          {text.t('pageDropSave')}
        </Button>
      </div>
      <p class="hint">{text.t('pageDropHint')}</p>
    </form>
  );
}

/** The text to be sent. */
function SealedText({ sealed }: { readonly sealed: string }) {
  const text = usePageText();
  return (
    <>
      <Field id="sealed-text" label={text.t('sealedText')} hint={text.t('pageSealed')}>
        {(attributes) => <textarea {...attributes} dir="ltr" rows={3} readOnly value={sealed} />}
      </Field>
      <div class="actions">
        <CopyButton variant="primary" value={sealed} label={text.t('copyText')} />
      </div>
    </>
  );
}
