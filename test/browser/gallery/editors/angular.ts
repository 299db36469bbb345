import '@angular/compiler';
import { Component, provideZonelessChangeDetection } from '@angular/core';
import { FormControl, ReactiveFormsModule } from '@angular/forms';
import { bootstrapApplication } from '@angular/platform-browser';
import type { Editor, Mount } from '../editor.ts';

export const mountInput: Mount = (place, text) =>
  bound('<input [formControl]="control" />', place, text);

export const mountTextarea: Mount = (place, text) =>
  bound('<textarea [formControl]="control"></textarea>', place, text);

async function bound(template: string, place: HTMLElement, text: string): Promise<Editor> {
  const control = new FormControl(text, { nonNullable: true });
  class Field {
    readonly control = control;
  }
  // The decorator as a function: bundlers leave it alone, and the compiler runs in the page.
  Component({ selector: 'app-field', imports: [ReactiveFormsModule], template })(Field);
  place.append(document.createElement('app-field'));
  await bootstrapApplication(Field, { providers: [provideZonelessChangeDetection()] });
  return { value: () => control.value };
}
