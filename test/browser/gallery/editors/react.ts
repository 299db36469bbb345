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

export const mountRedrawn: Mount = (place, text) => {
  let [state, round] = [text, 0];
  let draw = (_round: number, _state: string): void => undefined;
  const Field = () => {
    const [value, setValue] = useState(text);
    const [drawn, setDrawn] = useState(0);
    state = value;
    draw = (to, next) => {
      setDrawn(to);
      setValue(next);
    };
    const onChange = ({ target }: { readonly target: { readonly value: string } }) =>
      setValue(target.value);
    const field = createElement('textarea', { key: drawn >> 1, name: 'message', value, onChange });
    return createElement(drawn % 8 < 4 ? 'div' : 'p', {}, field);
  };
  createRoot(place).render(createElement(Field));
  return {
    value: () => state,
    redraw: (to) => draw((round = to), state),
    clear: () => draw(round, ''),
  };
};
