import type { Place } from './field.ts';

export interface Insertion {
  /** The field's whole text before, where it is known, and after. */
  readonly before: string | undefined;
  readonly after: string;
  /** What was put in the place of what. */
  readonly text: string;
  readonly place: Place;
  /** What was selected before, where that is known. */
  readonly selected: string | undefined;
}

/**
 * Whether a field holds what was put into it: the whole text and all of what it was not to replace.
 * White space is compared only within the text, because browsers and editors draw the lines around
 * it as they like.
 */
export function isInserted({ before, after, text, place, selected }: Insertion): boolean {
  const [now, wanted] = [sameLines(after), sameLines(text)];
  if (place === 'all') return now.trim() === wanted.trim();
  const at = now.lastIndexOf(wanted);
  if (at < 0) return false;
  if (before === undefined || selected === undefined) return true;
  const around = now.slice(0, at) + now.slice(at + wanted.length);
  return squeezed(around).length === squeezed(before).length - squeezed(selected).length;
}

/** Whether it holds the beginning alone: the page has cut it. */
export function isTruncated({ after, text, place }: Insertion): boolean {
  const [now, wanted] = [sameLines(after), sameLines(text)];
  return place === 'all' && now !== '' && now.length < wanted.length && wanted.startsWith(now);
}

const sameLines = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ');
const squeezed = (text: string): string => text.replace(/\s+/g, '');
