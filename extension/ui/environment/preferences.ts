/*
 * What the user chose for the look of the extension's own pages. It is stored in the background with
 * the pages' other values, in clear, and no page of a site can read it. Each page has a copy in its
 * localStorage, so that its first paint is in the chosen language and colours.
 */

/** The languages, by their folder in _locales, with their own names. */
export const LANGUAGES = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  ja: '日本語',
  ko: '한국어',
  pt_BR: 'Português (Brasil)',
  ru: 'Русский',
  zh_CN: '简体中文',
  zh_TW: '繁體中文',
} as const;

/** One of them. */
export type ChosenLanguage = keyof typeof LANGUAGES;

/** 'auto': the browser's. */
export type Language = ChosenLanguage | 'auto';

/** The colour schemes; 'system': as the system has it. */
export const THEMES = ['system', 'light', 'dark'] as const;

/** A colour scheme. */
export type Theme = (typeof THEMES)[number];

/** Language and colours of the extension's own pages. */
export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
}

/** The name of the copy in localStorage. */
export const PREFERENCES_COPY = 'preferences';

/** Reads a stored value; what is unknown in it is as if nothing was chosen. */
export function asPreferences(value: unknown): Preferences {
  const { language, theme } = (value ?? {}) as { language?: unknown; theme?: unknown };
  return {
    language: isLanguage(language) ? language : 'auto',
    theme: THEMES.find((each) => each === theme) ?? 'system',
  };
}

const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value);

/** The copy of this page; the defaults until one was read. */
export function copiedPreferences(): Preferences {
  try {
    return asPreferences(JSON.parse(localStorage.getItem(PREFERENCES_COPY) ?? 'null'));
  } catch {
    return asPreferences(null); // no JSON, or the browser gives the page no storage
  }
}

/** Replaces the copy. Other open pages are told by their `storage` event. */
export function copyPreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(PREFERENCES_COPY, JSON.stringify(preferences));
  } catch {
    // The page asks the background each time.
  }
}

/** Sets the colour scheme of the document; ui.css has both. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/**
 * The folder in _locales of the first language of a browser that there are texts in: by its whole tag, then by its
 * beginning. For pages outside of the extension, whose messages the browser does not choose.
 *
 * @param languages BCP 47 tags, the preferred one first
 */
export function folderOf(languages: readonly string[]): ChosenLanguage {
  const folders = Object.keys(LANGUAGES) as ChosenLanguage[];
  for (const language of languages) {
    const tag = language.replace('-', '_');
    const [base] = tag.split('_');
    const found =
      folders.find((folder) => folder === tag) ?? folders.find((folder) => folder === base);
    if (found !== undefined) return found;
    const related = folders.find((folder) => folder.startsWith(`${base!}_`));
    if (related !== undefined) return related;
  }
  return 'en';
}
