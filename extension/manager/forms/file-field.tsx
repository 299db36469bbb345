import { useState } from 'preact/hooks';
import { FileUp } from 'lucide-preact';
import { Field } from '../../ui/components/forms/field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import type { ChosenFile } from './use-chosen-file.ts';

const NAME_CHARACTERS = 120;

interface FileFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly file: ChosenFile;
  /** Whether it takes several (`ChosenFile.all`). */
  readonly isMultiple?: boolean;
  /** Whether files are read as soon as they are chosen: the same ones, which may have changed, can be chosen again. */
  readonly isReadAtOnce?: boolean;
  /** Called after another file was chosen. */
  readonly onChoose?: (() => void) | undefined;
}

/**
 * A labelled field for one file, with its error. The browser's own control covers the whole zone and
 * takes clicks, keys and drops, but is not seen: its words are in the language of the browser.
 */
export function FileField(props: FileFieldProps) {
  const { id, label, hint, file, isMultiple, isReadAtOnce, onChoose } = props;
  const text = useText();
  const [isOver, setOver] = useState(false);
  const { shown } = file;
  return (
    <Field id={id} label={label} hint={hint} error={file.error && text.t(file.error)}>
      {(attributes) => (
        <div class={isOver ? 'drop-zone is-over' : 'drop-zone'}>
          <FileUp size={22} aria-hidden="true" />
          {shown ? (
            <span class="drop-zone-text">
              <bdi class="row-title">{plainText(shown.name, NAME_CHARACTERS)}</bdi>
              <span class="row-detail">{text.bytes(shown.size)}</span>
            </span>
          ) : (
            <span class="drop-zone-text">{text.t('fileChoose')}</span>
          )}
          <input
            {...attributes}
            ref={file.chooser}
            type="file"
            multiple={isMultiple}
            // Browsers tell of no choice of the files that are in the field already.
            onClick={(event) => {
              if (isReadAtOnce) event.currentTarget.value = '';
            }}
            onDragEnter={() => setOver(true)}
            onDragLeave={() => setOver(false)}
            onDrop={() => setOver(false)}
            onChange={() => {
              file.changed();
              onChoose?.();
            }}
          />
        </div>
      )}
    </Field>
  );
}
