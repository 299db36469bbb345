import { createApp, ref } from 'vue';
import type { Editor, Mount } from '../editor.ts';

export const mountInput: Mount = (place, text) => bound('<input v-model="text" />', place, text);

export const mountTextarea: Mount = (place, text) =>
  bound('<textarea v-model="text"></textarea>', place, text);

function bound(template: string, place: HTMLElement, stored: string): Editor {
  const text = ref(stored);
  createApp({ template, setup: () => ({ text }) }).mount(place);
  return { value: () => text.value };
}
