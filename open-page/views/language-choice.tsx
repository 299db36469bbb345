import { Select } from '../../extension/ui/components/forms/select.tsx';
import { LANGUAGES, type ChosenLanguage } from '../../extension/ui/environment/preferences.ts';
import { usePageText } from '../page-text.ts';

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({
  value: value as ChosenLanguage,
  label,
}));

interface LanguageChoiceProps {
  readonly language: ChosenLanguage;
  readonly onChoose: (language: ChosenLanguage) => void;
}

/** The language of the page. It is not stored: the page stores nothing. */
export function LanguageChoice({ language, onChoose }: LanguageChoiceProps) {
  const text = usePageText();
  return (
    <Select
      id="language"
      label={text.t('language')}
      value={language}
      options={OPTIONS}
      onChange={onChoose}
    />
  );
}
