import '@angular/compiler';
import { Component, computed, provideZonelessChangeDetection, signal } from '@angular/core';
import { FormControl, ReactiveFormsModule } from '@angular/forms';
import { bootstrapApplication } from '@angular/platform-browser';
import type { Editor, Mount } from '../editor.ts';

export const mountInput: Mount = (place, text) =>
  bound('<input [formControl]="control" />', place, controlOf(text));

export const mountTextarea: Mount = (place, text) =>
  bound('<textarea [formControl]="control"></textarea>', place, controlOf(text));

export const mountRedrawn: Mount = async (place, text) => {
  const round = signal(0);
  const template = `
    @for (outer of parents(); track outer) {
      <div [attr.data-round]="round()">
        @for (inner of fields(); track inner) {
          <textarea name="message" [formControl]="control"></textarea>
        }
      </div>
    }`;
  const control = controlOf(text);
  const editor = await bound(template, place, control, round);
  return { ...editor, redraw: (to) => round.set(to), clear: () => control.reset() };
};

const controlOf = (text: string) => new FormControl(text, { nonNullable: true });

async function bound(
  template: string,
  place: HTMLElement,
  control: ReturnType<typeof controlOf>,
  round = signal(0),
): Promise<Editor> {
  class Field {
    readonly control = control;
    readonly round = round;
    readonly parents = computed(() => [round() >> 2]);
    readonly fields = computed(() => [round() >> 1]);
  }
  // The decorator as a function: bundlers leave it alone, and the compiler runs in the page.
  Component({ selector: 'app-field', imports: [ReactiveFormsModule], template })(Field);
  place.append(document.createElement('app-field'));
  await bootstrapApplication(Field, { providers: [provideZonelessChangeDetection()] });
  return { value: () => control.value };
}
