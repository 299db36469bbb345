import { CopyButton } from '../../ui/components/copy-button.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { useText } from '../../ui/environment/environment.ts';

interface ToldWordsProps {
  /** Six words, or what the user typed. */
  readonly passphrase: string;
  /** What the user sends along: what this is and how it opens. */
  readonly sentence: string;
}

/** What opens a message for a person without Sealwright, in large letters, and a sentence to send along. */
export function ToldWords({ passphrase, sentence }: ToldWordsProps) {
  const text = useText();
  return (
    <section class="stack" aria-labelledby="told-title">
      <p class="row-title" id="told-title">
        {text.t('toldTitle')}
      </p>
      <p class="told-words" id="told-words">
        <bdi>{passphrase}</bdi>
      </p>
      <p class="hint">{text.t('toldHint')}</p>
      <div class="actions">
        <CopyButton value={passphrase} label={text.t('copyText')} />
      </div>
      <Field id="told-sentence" label={text.t('toldSentence')}>
        {(attributes) => <textarea {...attributes} dir="auto" rows={4} readOnly value={sentence} />}
      </Field>
      <div class="actions">
        <CopyButton value={sentence} label={text.t('copyText')} />
      </div>
    </section>
  );
}
