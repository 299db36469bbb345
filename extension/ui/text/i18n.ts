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

/** The keys of all messages; the English file defines them. */
export type MessageKey = keyof typeof en;

/** Keys of messages with plural forms (KEY_one, KEY_other). */
export type PluralKey = MessageKey extends infer K
  ? K extends `${infer Stem}_other`
    ? Stem
    : never
  : never;

/** `browser.i18n.getMessage`, or the tests' reader of messages.json. */
export type GetMessage = (name: string, substitutions: string[]) => string;

/**
 * The texts of the views: messages by key, numbers and times in the same language.
 *
 * @typeParam Key - of the messages; a page outside of the extension has others beside the extension's
 */
export class Text<Key extends string = MessageKey> {
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

  /** A message with its substitutions; numbers are formatted for the language. */
  t(key: Key, ...substitutions: readonly (string | number)[]): string {
    return this.#getMessage(
      key,
      substitutions.map((value) =>
        typeof value === 'number' ? this.number(value) : this.apart(value),
      ),
    );
  }

  /** The plural form of a message for a count, which is its first substitution. */
  plural(key: PluralKey, count: number, ...more: readonly string[]): string {
    const values = [this.number(count), ...more.map((value) => this.apart(value))];
    return (
      this.#getMessage(`${key}_${this.#plurals.select(count)}`, values) ||
      this.#getMessage(`${key}_other`, values)
    );
  }

  /** A number in the digits and separators of the language. */
  number(value: number, options?: Intl.NumberFormatOptions): string {
    return new Intl.NumberFormat(this.language, options).format(value);
  }

  /** "64 KiB". */
  bytes(count: number): string {
    const size = formatBytes(count, this.language);
    return this.#isRightToLeft ? isolatedLeftToRight(size) : size;
  }

  /** "15 minutes". */
  duration(ms: number): string {
    return formatDuration(ms, this.language);
  }

  /** "in 3 hours", "yesterday". @param time - ms since the epoch */
  relative(time: number, now = Date.now()): string {
    return formatRelative(time - now, this.language);
  }

  /** "Nov 16, 2026". */
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

  /** "a, b and c". */
  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: 'conjunction' }).format(
      items.map((item) => this.apart(item)),
    );
  }

  /** Facts in a line, "a · b". Where it wraps, no line begins with the dot. */
  facts(parts: readonly string[]): string {
    return parts.map((part) => this.apart(part)).join('\u00a0· ');
  }

  /**
   * In right-to-left languages: isolates a value, so that a host or name in Latin letters does not
   * reorder the words around it.
   */
  apart(value: string): string {
    return this.#isRightToLeft ? isolated(value) : value;
  }
}

/** Sets the language and direction of the document, for fonts, hyphenation and screen readers. */
export function applyLanguage(root: HTMLElement, language: string): void {
  root.lang = language;
  root.dir = directionOf(language);
}

/**
 * The language for numbers and dates: the browser's language if it is a variety of the messages'
 * language ("en-GB" for "en"), else the messages' language, so that no sentence mixes two.
 */
export function formattingLanguage(messages: string, browser: string): string {
  const base = (tag: string) => tag.split(/[-_]/)[0]!.toLowerCase();
  return base(messages) === base(browser) ? browser.replace('_', '-') : messages;
}
