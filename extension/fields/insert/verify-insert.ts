import type { Place } from './field.ts';

/** A field's text before and after an insertion. */
export interface Insertion {
  /** The field's whole text before; undefined if unknown. */
  readonly before: string | undefined;
  readonly after: string;
  /** The inserted text, and what it replaces. */
  readonly text: string;
  readonly place: Place;
  /** The selected text before; undefined if unknown. */
  readonly selected: string | undefined;
}

/**
 * Whether a field has the whole inserted text and all text that was not replaced. White space is
 * compared only within the inserted text, because browsers and editors change line breaks around it.
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

/** Whether a field's text is the same but for the line breaks that browsers and editors draw around it. */
export const isSameText = (one: string, other: string): boolean =>
  squeezed(one) === squeezed(other);

/** Whether the field has only the beginning of the text: the page truncated it. */
export function isTruncated({ after, text, place }: Insertion): boolean {
  const [now, wanted] = [sameLines(after), sameLines(text)];
  return place === 'all' && now !== '' && now.length < wanted.length && wanted.startsWith(now);
}

const sameLines = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ');
const squeezed = (text: string): string => text.replace(/\s+/g, '');
