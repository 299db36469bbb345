import { ControlField } from './control-field.ts';
import { DrawnField } from './drawn-field.ts';
import { EditableField } from './editable-field.ts';
import { codeMirrorAround } from './editors/codemirror.ts';
import { keyReceiverAround } from './editors/key-receiver.ts';
import { monacoAround } from './editors/monaco.ts';
import { focusedIn } from '../find/focused.ts';
import type { Field } from './field.ts';
import { isTextControl } from '../text-control.ts';

/** The field that an element is, or is a part of. */
export function fieldOf(target: Element): Field | undefined {
  const editor = monacoAround(target) ?? codeMirrorAround(target) ?? keyReceiverAround(target);
  if (editor) return new DrawnField(editor);
  if (isTextControl(target)) return new ControlField(target);
  const host = editingHost(target);
  return host && new EditableField(host);
}

/**
 * The field that has the focus, in this document, its shadow trees and its frames of the same origin.
 * A click with the secondary button focuses the element under it, so this is also the field that a
 * context menu was opened on.
 */
export function fieldAt(document: Document): Element | undefined {
  const focused = focusedIn(document);
  return focused && fieldOf(focused)?.element;
}

/** The outermost editable element around an element. */
function editingHost(target: Element): HTMLElement | undefined {
  const editable = (element: Element | null): element is HTMLElement =>
    element !== null && 'isContentEditable' in element && element.isContentEditable === true;
  if (!editable(target)) return undefined;
  let host = target;
  while (editable(host.parentElement)) host = host.parentElement;
  return host;
}

/**
 * The text of a field. Reading may focus it and move the caret to its end, because some editors do not
 * expose their text otherwise.
 */
export function readText(target: Element): string {
  return fieldOf(target)?.read() ?? target.textContent;
}

/** Whether it is a text control that its user writes in, and not what receives the keys of an editor. */
export function isPlain(target: Element): boolean {
  return fieldOf(target) instanceof ControlField;
}

/** The most UTF-16 code units that the field accepts; null without a limit. */
export function limitOf(target: Element): number | null {
  return fieldOf(target)?.limit ?? null;
}
