import type { Editor, Mount } from './editor.ts';

/*
 * The application around an editor: it shows what was saved, and saves what its model holds.
 * Runs in the page.
 */
declare global {
  interface Window {
    fixture: Editor;
  }
}

/** @param name under which the page keeps its text; what its address ends in is the first */
export async function openPage(name: string, mount: Mount): Promise<void> {
  const first = decodeURIComponent(location.hash.slice(1));
  const text = localStorage.getItem(name) ?? first;
  const editor = await mount(document.querySelector('#editor')!, text);
  window.fixture = editor;
  tellThoseAround(editor);
  document.querySelector('form')!.addEventListener('submit', (event) => {
    event.preventDefault();
    void save(name, editor);
  });
}

async function save(name: string, editor: Editor): Promise<void> {
  localStorage.setItem(name, await editor.value());
  document.body.dataset.saved = '';
  editor.clear?.();
}

/** A page that has this one in a frame asks for its value. */
function tellThoseAround(editor: Editor): void {
  window.addEventListener('message', ({ data, ports: [answer] }) => {
    if (data !== 'gallery value' || !answer) return;
    void (async () => answer.postMessage(await editor.value()))();
  });
}
