import { useState } from 'preact/hooks';
import { Button } from '../ui/components/buttons/button.tsx';
import { Field } from '../ui/components/forms/field.tsx';
import { useText } from '../ui/environment/environment.ts';

interface PasteSealedProps {
  /** @returns whether the content has a sealed text */
  readonly onPaste: (content: string) => boolean;
}

/**
 * A field for sealed texts from where content scripts cannot run: other programs, PDF files,
 * browser pages.
 */
export function PasteSealed({ onPaste }: PasteSealedProps) {
  const text = useText();
  const [content, setContent] = useState('');
  const [wrong, setWrong] = useState(false);
  const open = () => {
    const isSealed = onPaste(content);
    setWrong(!isSealed);
    if (isSealed) setContent('');
  };
  return (
    <details>
      <summary>{text.t('readerPaste')}</summary>
      <div class="stack">
        <Field
          id="pasted"
          label={text.t('sealedText')}
          error={wrong ? text.t('readerNone') : undefined}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              dir="ltr"
              rows={4}
              value={content}
              onInput={(event) => setContent(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button id="open-pasted" onClick={open}>
          {text.t('readerOpen')}
        </Button>
      </div>
    </details>
  );
}
