import type { Mount } from '../editor.ts';

/* Fields that cannot take a sealed text: what was in them must stay. */

/** Puts back what was there, whatever is written. */
export const mountStubborn: Mount = (place, text) => {
  const field = document.createElement('textarea');
  field.value = text;
  field.addEventListener('beforeinput', (event) => event.preventDefault());
  field.addEventListener('input', () => (field.value = text));
  place.append(field);
  return { value: () => field.value };
};

/** An editor that draws its text itself and hears only key strokes. */
export const mountDeaf: Mount = (place, text) => {
  let model = text;
  const field = document.createElement('div');
  field.contentEditable = 'true';
  field.textContent = model;
  for (const type of ['beforeinput', 'paste']) {
    field.addEventListener(type, (event) => event.preventDefault());
  }
  field.addEventListener('keydown', ({ key }) => {
    if (key.length === 1) field.textContent = model += key;
  });
  place.append(field);
  return { value: () => model };
};

/** Takes the first letters alone, and has no way back. */
export const mountAltering: Mount = (place, text) => {
  const field = document.createElement('div');
  field.contentEditable = 'true';
  field.textContent = text;
  for (const type of ['paste', 'beforeinput', 'keydown']) {
    field.addEventListener(type, (event) => event.preventDefault());
  }
  field.addEventListener('paste', ({ clipboardData }) => {
    field.replaceChildren(
      document.createElement('hr'),
      clipboardData!.getData('text/plain').slice(0, 9),
    );
  });
  place.append(field);
  return { value: () => field.textContent };
};

export const mountShort: Mount = (place, text) => {
  const field = document.createElement('input');
  field.maxLength = 40;
  field.value = text;
  place.append(field);
  return { value: () => field.value };
};

export const mountReadOnly: Mount = (place, text) => {
  const field = document.createElement('textarea');
  field.readOnly = true;
  field.value = text;
  place.append(field);
  return { value: () => field.value };
};
