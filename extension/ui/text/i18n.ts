import type en from '../../../_locales/en/messages.json';
import {
  directionOf,
  isolated,
  isolatedLeftToRight,
  formatBytes,
  formatDay,
  formatDuration,
  formatRelative,
} from './format.ts';

/** The names of all messages; the English file is the list. */
export type MessageKey = keyof typeof en;

/** Names that come in the forms NAME_one and NAME_other. */
export type PluralKey = MessageKey extends infer K
  ? K extends `${infer Stem}_other`
    ? Stem
    : never
  : never;

/** `browser.i18n.getMessage`, or the tests' own reading of messages.json. */
export type GetMessage = (name: string, substitutions: string[]) => string;

/** All that the views say to a person: messages by name, numbers and times in the same language. */
export class Text {
  readonly language: string;
  readonly #getMessage: GetMessage;
  readonly #plurals: Intl.PluralRules;
  readonly #isRightToLeft: boolean;

  /** @param language - BCP 47 tag of the browser's interface, "de" or "zh-CN" */
  constructor(getMessage: GetMessage, language: string) {
    this.#getMessage = getMessage;
    this.language = language.replace('_', '-');
    this.#plurals = new Intl.PluralRules(this.language);
    this.#isRightToLeft = directionOf(this.language) === 'rtl';
  }

  t(key: MessageKey, ...substitutions: readonly (string | number)[]): string {
    return this.#getMessage(
      key,
      substitutions.map((value) =>
        typeof value === 'number' ? this.number(value) : this.apart(value),
      ),
    );
  }

  /** The form of the message that this count wants; the count is its first substitution. */
  plural(key: PluralKey, count: number, ...more: readonly string[]): string {
    const values = [this.number(count), ...more.map((value) => this.apart(value))];
    return (
      this.#getMessage(`${key}_${this.#plurals.select(count)}`, values) ||
      this.#getMessage(`${key}_other`, values)
    );
  }

  number(value: number, options?: Intl.NumberFormatOptions): string {
    return new Intl.NumberFormat(this.language, options).format(value);
  }

  bytes(count: number): string {
    const size = formatBytes(count, this.language);
    return this.#isRightToLeft ? isolatedLeftToRight(size) : size;
  }

  duration(ms: number): string {
    return formatDuration(ms, this.language);
  }

  relative(time: number, now = Date.now()): string {
    return formatRelative(time - now, this.language);
  }

  date(time: number): string {
    return new Intl.DateTimeFormat(this.language, { dateStyle: 'medium' }).format(time);
  }

  /** "today", "yesterday", "Monday, November 16". */
  day(time: number, now = Date.now()): string {
    return formatDay(time, now, this.language);
  }

  /** "14:05". */
  clock(time: number): string {
    return new Intl.DateTimeFormat(this.language, { timeStyle: 'short' }).format(time);
  }

  /** "Nov 16, 2026, 2:05:31 PM". */
  moment(time: number): string {
    const format = { dateStyle: 'medium', timeStyle: 'medium' } as const;
    return new Intl.DateTimeFormat(this.language, format).format(time);
  }

  /** "Nov 16". */
  shortDate(time: number): string {
    const format = { day: 'numeric', month: 'short' } as const;
    return new Intl.DateTimeFormat(this.language, format).format(time);
  }

  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: 'conjunction' }).format(
      items.map((item) => this.apart(item)),
    );
  }

  /** Keeps a host or a name in Latin letters from rearranging words written right to left. */
  apart(value: string): string {
    return this.#isRightToLeft ? isolated(value) : value;
  }
}

/** Gives the document its language and direction, so that fonts, hyphens and readers follow. */
export function applyLanguage(root: HTMLElement, language: string): void {
  root.lang = language;
  root.dir = directionOf(language);
}

/**
 * The language to write numbers and dates in: the browser's own where it is a variety of the
 * messages' language ("en-GB" for "en"), so that no sentence mixes two.
 */
export function formattingLanguage(messages: string, browser: string): string {
  const base = (tag: string) => tag.split(/[-_]/)[0]!.toLowerCase();
  return base(messages) === base(browser) ? browser.replace('_', '-') : messages;
}
