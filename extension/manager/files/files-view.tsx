import { FileLock2 } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { FileField } from '../forms/file-field.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import { useOpenFile, type FileOpening } from './use-open-file.ts';
import { View } from '../../ui/components/view.tsx';
import { OpenedContents } from './opened-contents.tsx';

/** Form for a file or its text, and its passphrase. */
function OpenFile({ opening }: { readonly opening: FileOpening }) {
  const text = useText();
  const { action, secret } = opening;
  return (
    <form
      class="stack card"
      aria-labelledby="view-title"
      onSubmit={(event) => {
        event.preventDefault();
        opening.submit();
      }}
    >
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
      <SecretField
        id="open-secret"
        label={text.t('openFilePassphrase')}
        hint={text.t('openFilePassphraseHint')}
        secret={secret}
      />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id="open-file-now"
          type="submit"
          variant="primary"
          busy={action.busy}
          icon={<FileLock2 size={18} aria-hidden="true" />}
        >
          {text.t('readerOpen')}
        </Button>
        {action.busy && (
          <Button id="open-file-cancel" onClick={opening.cancel}>
            {text.t('cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Opens encrypted files and texts of other tools, and texts that were sealed here. */
export function FilesView() {
  const text = useText();
  const opening = useOpenFile();
  return (
    <View title={text.t('filesTitle')}>
      <p class="muted">{text.t('filesLead')}</p>
      <OpenFile opening={opening} />
      {opening.opened && <OpenedContents opened={opening.opened} />}
    </View>
  );
}
