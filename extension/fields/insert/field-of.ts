import { ControlField } from './control-field.ts';
import { DrawnField } from './drawn-field.ts';
import { EditableField } from './editable-field.ts';
import { codeMirrorAround } from './editors/codemirror.ts';
import { monacoAround } from './editors/monaco.ts';
import type { Field } from './field.ts';
import { isTextControl } from './text-control.ts';

/** The field that an element is, or is a part of. */
export function fieldOf(target: Element): Field | undefined {
  const editor = monacoAround(target) ?? codeMirrorAround(target);
  if (editor) return new DrawnField(editor);
  if (isTextControl(target)) return new ControlField(target);
  const host = editingHost(target);
  return host && new EditableField(host);
}

/** The outermost element of what is edited together. */
function editingHost(target: Element): HTMLElement | undefined {
  const editable = (element: Element | null): element is HTMLElement =>
    element !== null && 'isContentEditable' in element && element.isContentEditable === true;
  if (!editable(target)) return undefined;
  let host = target;
  while (editable(host.parentElement)) host = host.parentElement;
  return host;
}
