import { useEffect, useLayoutEffect } from 'preact/hooks';
import { FileLock2 } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useQuery } from '../../ui/hooks/use-query.ts';
import { NeededGroupBanner } from '../../views/needed-group.tsx';
import { FileField } from '../forms/file-field.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import type { Secret } from '../forms/use-secret.ts';
import { BindingForm } from './binding-form.tsx';
import { looksSealed } from './sealed-source.ts';
import { SealFile } from './seal-file.tsx';
import { useOpenFile, type FileOpening } from './use-open-file.ts';
import { useSealFile } from './use-seal-file.ts';
import { View } from '../../ui/components/view.tsx';
import { OpenedContents } from './opened-contents.tsx';
import { Working } from './working.tsx';

/** Form for a file or its text, and what it needs beside a key of the vault. */
function OpenFile({ opening }: { readonly opening: FileOpening }) {
  const text = useText();
  const { work, needs } = opening;
  return (
    <form
      class="stack card"
      id="open-form"
      aria-labelledby="open-title"
      onSubmit={(event) => {
        event.preventDefault();
        opening.submit();
      }}
    >
      <h2 id="open-title">{text.t('openFileTitle')}</h2>
      <p class="muted">{text.t('openFileLead')}</p>
      <FileField
        id="open-file"
        label={text.t('openFileFile')}
        file={opening.file}
        onChoose={opening.change}
      />
      <Field id="open-text" label={text.t('openFileText')}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="ltr"
            rows={3}
            value={opening.text}
            onInput={(event) => opening.setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {opening.wantsWords && <WordsField secret={opening.secret} />}
      {needs === 'passphrase' && (
        <SecretField
          id="open-secret"
          label={text.t('openFilePassphrase')}
          secret={opening.secret}
        />
      )}
      {(needs === 'context' || needs === 'site') && (
        <BindingForm binding={opening.binding} asksForSite={needs === 'site'} />
      )}
      {opening.neededGroup && <NeededGroupBanner group={opening.neededGroup} tone="error" />}
      <ErrorBanner error={work.action.error} />
      <Working id="open-file" label={text.t('openFileWorking')} work={work} />
      <div class="actions">
        <Button
          id="open-file-now"
          type="submit"
          variant="primary"
          busy={work.action.busy}
          icon={<FileLock2 size={18} aria-hidden="true" />}
        >
          {text.t('readerOpen')}
        </Button>
      </div>
      <details class="hint">
        <summary>{text.t('openFileKinds')}</summary>
        <p>{text.t('openFileOwnKinds')}</p>
        <p>{text.t('openFileOtherKinds')}</p>
      </details>
    </form>
  );
}

/** Asks for what somebody who sealed it with a passphrase tells by another way. */
function WordsField({ secret }: { readonly secret: Secret }) {
  const text = useText();
  const { input } = secret;
  useLayoutEffect(() => input.current?.focus(), [input]);
  return (
    <SecretField
      id="open-words"
      label={text.t('openFileWords')}
      hint={text.t('openFileWordsHint')}
      secret={secret}
    />
  );
}

interface FilesViewProps {
  /** A file that was dropped on the manager; another object for each drop. */
  readonly dropped: File | undefined;
  readonly onTaken: () => void;
}

/** Opens files and texts that a key of the vault sealed, or another tool; and seals files. */
export function FilesView({ dropped, onTaken }: FilesViewProps) {
  const text = useText();
  const opening = useOpenFile();
  const sealing = useSealFile();
  // Read before a file is opened: a choice of keys that came later would move the button below it.
  const { data: keys = [] } = useQuery('ui.keys', {});
  useEffect(() => {
    if (!dropped) return;
    onTaken();
    void looksSealed(dropped).then((isSealed) =>
      isSealed ? opening.openNow(dropped) : sealing.offer(dropped),
    );
  }, [dropped]);
  return (
    <View title={text.t('filesTitle')}>
      <p class="muted">{text.t('filesLead')}</p>
      <OpenFile opening={opening} />
      {opening.opened && (
        <OpenedContents opened={opening.opened} keys={keys} onSave={opening.onSave} />
      )}
      <SealFile sealing={sealing} />
    </View>
  );
}
