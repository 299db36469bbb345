import { fieldOf } from './field-of.ts';

/**
 * What a person reads in a field, as the page would submit it. The focus may be in the field
 * afterwards, with the caret at its end: some editors tell their text in no other way.
 */
export function readText(target: Element): string {
  return fieldOf(target)?.read() ?? target.textContent;
}

/** UTF-16 code units that the field takes; null where it names no bound. */
export function limitOf(target: Element): number | null {
  return fieldOf(target)?.limit ?? null;
}
