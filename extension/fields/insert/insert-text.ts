import { typeInto } from './editing-command.ts';
import type { InsertOutcome, Place } from './outcome.ts';
import { limitOf, readText } from './read-text.ts';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Puts a text into a field as typing or pasting would, so that the page's script hears of it and
 * undo takes it back, and reads it back. Where it did not take, the field is left as it is.
 */
export async function insertText(
  target: Element,
  text: string,
  place: Place = 'all',
): Promise<InsertOutcome> {
  if (!target.isConnected) return { inserted: false, reason: 'gone' };
  if (isTextControl(target)) {
    if (target.readOnly || target.disabled) return { inserted: false, reason: 'read-only' };
    return inControl(target, text, place);
  }
  if (!isEditable(target)) return { inserted: false, reason: 'read-only' };
  return inEditable(target, text, place);
}

/** By what it has, not by its class: each frame has classes of its own. */
function isEditable(element: Element): element is HTMLElement {
  return 'isContentEditable' in element && element.isContentEditable === true;
}

export function isTextControl(element: Element): element is TextControl {
  return element.localName === 'input' || element.localName === 'textarea';
}

async function inControl(control: TextControl, text: string, place: Place): Promise<InsertOutcome> {
  const [start, end] = place === 'all' ? [0, control.value.length] : selectionOf(control);
  const wanted = control.value.slice(0, start) + text + control.value.slice(end);
  const limit = limitOf(control);
  if (limit !== null && wanted.length > limit) {
    return { inserted: false, reason: 'too-long', limit };
  }
  control.focus({ preventScroll: true });
  if (place === 'all') control.select();
  typeInto(control.ownerDocument, text);
  await settled();
  return control.value === wanted ? { inserted: true } : { inserted: false, reason: 'refused' };
}

function selectionOf({ selectionStart, selectionEnd, value }: TextControl): [number, number] {
  return [selectionStart ?? value.length, selectionEnd ?? value.length];
}

async function inEditable(
  editable: HTMLElement,
  text: string,
  place: Place,
): Promise<InsertOutcome> {
  editable.focus({ preventScroll: true });
  const { ownerDocument } = editable;
  if (place === 'all') ownerDocument.getSelection()?.selectAllChildren(editable);
  typeInto(ownerDocument, text);
  await settled();
  return readText(editable).includes(text)
    ? { inserted: true }
    : { inserted: false, reason: 'refused' };
}

/** A page's script may undo it in the tasks that follow. */
function settled(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 50));
}
