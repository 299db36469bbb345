/*
 * The content script of an extension that is there for the gallery alone: it lets a page ask for
 * what the real one does after a click, in the same world.
 */
import { fieldAt, readText } from '../../../../extension/fields/insert/field-of.ts';
import { insertText } from '../../../../extension/fields/insert/insert-text.ts';
import type { Place } from '../../../../extension/fields/insert/field.ts';

type Request = { readonly insert: string; readonly place: Place } | { readonly read: true };

window.addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
  if (typeof data !== 'string' || !data.startsWith('{"gallery"') || !port) return;
  const { gallery } = JSON.parse(data) as { gallery: Request };
  void answer(gallery)
    .catch((error: unknown) => ({ failed: String(error) }))
    .then((outcome) => port.postMessage(JSON.stringify(outcome)));
});

async function answer(request: Request): Promise<unknown> {
  const field = fieldAt(document);
  if (!field) return { failed: 'no field has the focus' };
  if ('read' in request) return { text: readText(field) };
  return await insertText(field, request.insert, request.place);
}
