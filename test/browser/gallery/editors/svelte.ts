import { mount } from 'svelte';
import type { Editor, Mount } from '../editor.ts';
import Field from './field.svelte';

export const mountInput: Mount = (place, text) => bound('input', place, text);

export const mountTextarea: Mount = (place, text) => bound('textarea', place, text);

function bound(name: 'input' | 'textarea', place: HTMLElement, text: string): Editor {
  return mount(Field, { target: place, props: { name, initial: text } }) as unknown as Editor;
}
