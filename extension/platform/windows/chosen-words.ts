import type { SessionStore } from '../../../src/keys/storage/key-value-store.ts';

/** An entry of a messages.json. */
export interface Message {
  readonly message: string;
  readonly description?: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

/** A messages.json. */
export type Messages = Readonly<Record<string, Message>>;

/**
 * The messages of one language of the package: the browser's i18n API reads no other than its own. Rejects where the
 * package has no such language.
 *
 * @param getUrl of a file of the package
 */
export async function packagedMessages(
  language: string,
  getUrl: (path: string) => string,
): Promise<Messages> {
  const file = await fetch(getUrl(`_locales/${language}/messages.json`));
  return (await file.json()) as Messages;
}

/** Messages without placeholders, in one language. */
export type Words = (name: string) => string;

/** What `chosenWords` uses. */
export interface ChosenWordsDeps {
  /** In the browser's language. */
  readonly browserWords: Words;
  readonly pageValues: SessionStore;
  /** As `packagedMessages`. */
  readonly messagesOf: (language: string) => Promise<Messages>;
}

/** The names of folders of _locales; 'auto', the browser's language, has another form. */
const LOCALE = /^[a-z]{2}(_[A-Z]{2})?$/;

/**
 * For what the browser itself draws: the words in the language that the user chose for the extension's own pages, else
 * in the browser's. Each language is read once. Never rejects.
 */
export function chosenWords({
  browserWords,
  pageValues,
  messagesOf,
}: ChosenWordsDeps): () => Promise<Words> {
  const loaded = new Map<string, Promise<Messages>>();
  const load = (language: string) => {
    const messages = loaded.get(language) ?? messagesOf(language);
    loaded.set(language, messages);
    return messages;
  };
  return async () => {
    const preferences = await pageValues.get('preferences').catch(() => undefined);
    const language = (preferences as { language?: unknown } | undefined)?.language;
    if (typeof language !== 'string' || !LOCALE.test(language)) return browserWords;
    const messages = await load(language).catch(() => undefined);
    return (name) => messages?.[name]?.message ?? browserWords(name);
  };
}
