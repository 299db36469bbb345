import * as monaco from 'monaco-editor';
import type { Mount } from '../editor.ts';

declare global {
  interface Window {
    MonacoEnvironment: { getWorker(): Worker };
  }
}

/**
 * Takes its input through an element of its own beside the text (an EditContext in Chromium, a
 * hidden textarea in Firefox), and draws only what is in view.
 */
export const mount: Mount = (place, text) => {
  // Bundled beside the page (build.ts).
  const getWorker = () => new Worker('monaco-worker.js', { type: 'module' });
  window.MonacoEnvironment = { getWorker };
  const editor = monaco.editor.create(place, { value: text, language: 'plaintext' });
  return { value: () => editor.getValue() };
};
