import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Editor, Mount } from '../editor.ts';

/* A controlled field: React writes its own state back whenever the field says something else. */

export const mountInput: Mount = (place, text) => controlled('input', place, text);

export const mountTextarea: Mount = (place, text) => controlled('textarea', place, text);

/** Keeps no more than twenty characters, as forms do that limit without `maxlength`. */
export const mountCutting: Mount = (place, text) => controlled('input', place, text, 20);

function controlled(
  name: 'input' | 'textarea',
  place: HTMLElement,
  text: string,
  limit = Infinity,
): Editor {
  let state = text;
  const Field = () => {
    const [value, setValue] = useState(text);
    state = value;
    return createElement(name, {
      value,
      onChange: ({ target }) => setValue(target.value.slice(0, limit)),
    });
  };
  createRoot(place).render(createElement(Field));
  return { value: () => state };
}
