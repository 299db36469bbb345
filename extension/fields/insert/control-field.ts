import { focusField } from './focus.ts';
import type { Field, Neighbours, Place } from './field.ts';
import { LOOK_EVERY_MS, pause } from './settled.ts';
import type { TextControl } from '../text-control.ts';
import { setRange } from './strategies/set-value.ts';
import { typeCommand } from './strategies/type-command.ts';

/** `<input>` and `<textarea>`, also if a framework controls them. */
export class ControlField implements Field {
  readonly element: TextControl;
  readonly strategies = [typeCommand, setRange];

  constructor(element: TextControl) {
    this.element = element;
  }

  get isReadOnly(): boolean {
    return this.element.readOnly || this.element.matches(':disabled');
  }

  get limit(): number | null {
    const { maxLength } = this.element;
    return maxLength < 0 ? null : maxLength;
  }

  read(): string {
    return this.element.value;
  }

  glance(): string {
    return this.read();
  }

  /** Undefined for `type="email"`: browsers do not expose its selection. */
  selectedText(): string | undefined {
    const { selectionStart, selectionEnd, value } = this.element;
    if (selectionStart === null || selectionEnd === null) return undefined;
    return value.slice(selectionStart, selectionEnd);
  }

  neighbours(): Neighbours {
    const { selectionStart, selectionEnd, value } = this.element;
    if (selectionStart === null || selectionEnd === null) return ['', ''];
    return [value.charAt(selectionStart - 1), value.charAt(selectionEnd)];
  }

  select(place: Place): void {
    focusField(this.element);
    if (place === 'all') this.element.select();
  }

  changed(): Promise<void> {
    return pause(LOOK_EVERY_MS);
  }

  /** Never: the browser itself writes into a control. */
  takesLater(): () => Promise<boolean> {
    return () => Promise.resolve(false);
  }

  restore(before: string): void {
    this.select('all');
    setRange(this.element, before);
  }
}
