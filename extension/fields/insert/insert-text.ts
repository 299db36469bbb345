import type { Field, InsertOutcome, Neighbours, Place } from './field.ts';
import { fieldOf } from './field-of.ts';
import { stableText } from './settled.ts';
import { isInserted, isSameText, isTruncated, type Insertion } from './verify-insert.ts';

const INSERTED: InsertOutcome = { inserted: true };
const REFUSED: InsertOutcome = { inserted: false, reason: 'refused' };

/** Characters of a former text (MAX_FIELD_BYTES of src/rpc/methods/ui-fields.ts). */
const FORMER_MAX = 2 ** 20;

/** A page can have made several steps of one insertion. */
const RESTORE_STEPS = 3;

/**
 * Inserts a text into a field as pasting or typing does, so that scripts of the page receive the events
 * and undo works, and then reads it back. If the page altered the text, the former text is restored.
 *
 * @param target the field, or any element in it
 */
export async function insertText(
  target: Element,
  text: string,
  place: Place = 'all',
): Promise<InsertOutcome> {
  if (!target.isConnected) return { inserted: false, reason: 'gone' };
  const field = fieldOf(target);
  if (!field || field.isReadOnly) return { inserted: false, reason: 'read-only' };
  const before = place === 'all' ? field.read() : field.glance();
  await field.select(place);
  const written = place === 'all' ? text : apart(text, field.neighbours());
  const change = { before, text: written, place, selected: field.selectedText() };
  const { limit } = field;
  if (limit !== null && lengthOf(change) > limit) return tooLong(limit);
  return await insertByStrategies(field, change);
}

async function insertByStrategies(
  field: Field,
  change: Omit<Insertion, 'after'>,
): Promise<InsertOutcome> {
  for (const way of field.strategies) {
    await field.select(change.place);
    const changed = field.changed();
    const isTakenLater = field.takesLater();
    if (!way(field.element, change.text) && !(await isTakenLater())) continue;
    await changed;
    const after = await stableText(field, (now) => isInserted({ ...change, after: now }));
    if (isInserted({ ...change, after })) return INSERTED;
    if (after === change.before || change.before === undefined) continue;
    if (!(await restored(field, change.before))) return altered(change.before);
    return isTruncated({ ...change, after }) ? tooLong(after.length) : REFUSED;
  }
  return REFUSED;
}

/** Takes steps back until the field has its former text. @returns whether it has */
async function restored(field: Field, before: string): Promise<boolean> {
  for (let steps = 0; steps < RESTORE_STEPS; steps++) {
    field.restore(before);
    const isBack = (now: string): boolean => isSameText(now, before);
    if (isBack(await stableText(field, isBack))) return true;
  }
  return false;
}

/** With a space between it and a word, bracket or sign beside it, because readers look for whole words. */
function apart(text: string, [before, after]: Neighbours): string {
  return (before.trim() && ' ') + text + (after.trim() && ' ');
}

/** Length of the field's text after the insertion. */
function lengthOf({ before = '', text, place, selected = '' }: Omit<Insertion, 'after'>): number {
  return place === 'all' ? text.length : before.length - selected.length + text.length;
}

/** The former text is reported as far as a window shows one. */
function altered(former: string): InsertOutcome {
  return { inserted: false, reason: 'altered', former: former.slice(0, FORMER_MAX) };
}

function tooLong(limit: number): InsertOutcome {
  return { inserted: false, reason: 'too-long', limit };
}
