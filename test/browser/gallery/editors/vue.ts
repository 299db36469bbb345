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

export const mountRedrawn: Mount = (place, stored) => {
  const [text, round] = [ref(stored), ref(0)];
  const template = `<div :key="round >> 2" :data-round="round">
    <textarea name="message" :key="round >> 1" v-model="text"></textarea>
  </div>`;
  createApp({ template, setup: () => ({ text, round }) }).mount(place);
  return {
    value: () => text.value,
    redraw: (to) => void (round.value = to),
    clear: () => void (text.value = ''),
  };
};
