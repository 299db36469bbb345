import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { mixesRecipients } from '../../../src/format/recipients/age-text.ts';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** The recipients of an age file, as the user types them. */
export interface AgeRecipients {
  readonly value: string;
  readonly error: MessageKey | undefined;
  readonly place: RefObject<HTMLDivElement>;
  readonly setValue: (value: string) => void;
  /**
   * Seals to them.
   *
   * @returns undefined, with an error shown, if they are not recipients, or must not be mixed
   */
  readonly sealing: <T>(
    seal: (recipients: readonly string[]) => Promise<T>,
  ) => Promise<T | undefined>;
}

export function useAgeRecipients(): AgeRecipients {
  const [value, setRaw] = useState('');
  const [error, setError] = useState<MessageKey>();
  const place = useRef<HTMLDivElement>(null);
  const setValue = (next: string) => {
    setRaw(next);
    setError(undefined);
  };
  const refuse = (why: MessageKey) => {
    setError(why);
    place.current?.querySelector('input')?.focus();
  };
  const sealing: AgeRecipients['sealing'] = async (seal) => {
    const recipients = value.split(/[\s,]+/).filter((each) => each !== '');
    try {
      if (recipients.length === 0) refuse('ageRecipientBad');
      else if (mixesRecipients(recipients)) refuse('ageRecipientsMixed');
      else return await seal(recipients);
    } catch (failure) {
      if (errorCode(failure) !== 'INVALID_ARGUMENT') throw failure;
      refuse('ageRecipientBad');
    }
    return undefined;
  };
  return { value, error, place, setValue, sealing };
}

/** Below "Someone with another tool": recipients of age. */
export function AgeChoice({ age }: { readonly age: AgeRecipients }) {
  const text = useText();
  const { value, error, place, setValue } = age;
  return (
    <div class="stack" ref={place}>
      <TextField
        id="seal-age-recipients"
        label={text.t('ageRecipient')}
        hint={text.t('ageRecipientHint')}
        value={value}
        error={error && text.t(error)}
        onInput={setValue}
      />
      <p class="hint">{text.t('ageSealHint')}</p>
    </div>
  );
}
