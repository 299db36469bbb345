import { MAX_LABEL_CHARACTERS } from '../../src/rpc/limits.ts';
import { RadioList } from '../ui/components/forms/radio-list.tsx';
import { TextField } from '../ui/components/forms/text-field.tsx';
import { Banner } from '../ui/components/banner.tsx';
import { useText } from '../ui/environment/environment.ts';
import type { Text } from '../ui/text/i18n.ts';
import { keyName } from '../ui/text/key-facts.ts';
import { kindWords } from '../ui/text/key-words.ts';
import type { UiKey, UiPrompt } from '../ui/environment/ui-client.ts';
import { isForeign } from '../ui/text/sync-formats.ts';
import { NEW_KEY, wantsAppKey, type Choice } from './answer.ts';
import { suggestedLabel } from './use-answer.ts';

interface KeyChoiceProps {
  readonly prompt: UiPrompt;
  readonly choice: Choice;
  /** Whether to show that a choice is missing. */
  readonly incomplete: boolean;
  readonly onChange: (part: Partial<Choice>) => void;
}

/**
 * The key of the permission: the site's own key, or a choice among the user's keys and a new one.
 */
export function KeyChoice({ prompt, choice, incomplete, onChange }: KeyChoiceProps) {
  const text = useText();
  if (wantsAppKey(prompt)) {
    return (
      <section aria-labelledby="key-title">
        <h2 id="key-title">{text.t('promptKey')}</h2>
        <p>{text.t('appKey')}</p>
        <p class="row-detail">{text.t('appKeyExplained')}</p>
      </section>
    );
  }
  const existing = prompt.keys.map((key) => ({
    value: key.ref,
    label: keyName(key, text),
    detail: keyDetail(key, text),
    ...(isForeign(key.algorithm) && { extra: <ForeignWarning /> }),
  }));
  const isSuggested =
    choice.newKeyLabel !== '' && choice.newKeyLabel === suggestedLabel(prompt.key);
  const missingLabel = incomplete && choice.key === NEW_KEY;
  const newKey = {
    value: NEW_KEY,
    label: text.t('promptNewKey'),
    extra: (
      <TextField
        id="new-key-label"
        label={text.t('keyLabel')}
        {...(isSuggested && { hint: text.t('keyLabelFromSite') })}
        maxLength={MAX_LABEL_CHARACTERS}
        value={choice.newKeyLabel}
        error={missingLabel ? text.t('keyLabelMissing') : undefined}
        onInput={(newKeyLabel) => onChange({ newKeyLabel })}
      />
    ),
  };
  return (
    <RadioList<string | null>
      name="key"
      legend={text.t('promptPickKey')}
      options={[...existing, newKey]}
      value={choice.key}
      error={incomplete && choice.key === null ? text.t('promptKeyMissing') : undefined}
      onChange={(key) => onChange({ key })}
    />
  );
}

/** When the key was created, and what for where the keys differ in it. */
function keyDetail(key: UiKey, text: Text): string {
  const made = text.t('keyCreatedOn', text.date(key.created));
  const { purpose, isTold } = kindWords(key.kind);
  return isTold && purpose ? `${purpose(key, text)} · ${made}` : made;
}

/**
 * Records of other formats do not authenticate their collection, so a grant cannot be limited to
 * some.
 */
function ForeignWarning() {
  const text = useText();
  return (
    <Banner tone="warning" id="foreign-warning">
      <p>{text.t('syncForeignWarning')}</p>
    </Banner>
  );
}
