import { typeInto } from '../../../../extension/fields/insert/strategies/type-command.ts';
import type { Editor, Mount } from '../editor.ts';

/* What the browser itself has. */

export const mountInput: Mount = (place, text) => control('input', place, text);

export const mountTextarea: Mount = (place, text) => control('textarea', place, text);

export const mountEditable: Mount = (place, text) => editable(place, text);

/** A component with a field in its shadow tree, whose root is open to everybody. */
export const mountOpenShadow: Mount = (place, text) =>
  editable(place.attachShadow({ mode: 'open' }), text);

/** The same with a root that scripts of the page cannot ask for. */
export const mountClosedShadow: Mount = (place, text) =>
  editable(place.attachShadow({ mode: 'closed' }), text);

/** A component in a component, as design systems have them. */
export const mountDeepShadow: Mount = (place, text) => {
  const inner = document.createElement('div');
  inner.style.height = '100%';
  place.attachShadow({ mode: 'closed' }).append(inner);
  return control('textarea', inner.attachShadow({ mode: 'open' }), text);
};

function control(name: 'input' | 'textarea', place: Node, text: string): Editor {
  const field = document.createElement(name);
  // Fills its place also in a shadow tree, where the page's style sheet does not reach.
  field.style.cssText = 'box-sizing: border-box; width: 100%; height: 100%';
  field.value = text;
  place.appendChild(field);
  return { value: () => field.value };
}

function editable(place: Node, text: string): Editor {
  const field = document.createElement('div');
  field.contentEditable = 'true';
  field.style.cssText = 'width: 100%; height: 100%; overflow: auto; overflow-wrap: anywhere';
  field.textContent = text;
  place.appendChild(field);
  return { value: () => field.innerText };
}

/** It takes the text of a paste event without cancelling it, and inserts it in a later task, as TinyMCE does. */
export const mountLate: Mount = (place, text) => {
  const field = document.createElement('div');
  field.contentEditable = 'true';
  field.textContent = text;
  field.addEventListener('paste', (event) => {
    const pasted = event.clipboardData!.getData('text/plain');
    setTimeout(() => typeInto(document, pasted), 100);
  });
  place.append(field);
  return { value: () => field.textContent };
};
