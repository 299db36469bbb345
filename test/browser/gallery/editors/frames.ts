import type { Editor, Mount } from '../editor.ts';

/* The field is in a frame, which shows this same gallery. */

export const mountSameOrigin: Mount = (place, text) => framed(place, location.hostname, text);

/** http://localhost:PORT and http://127.0.0.1:PORT are two origins of one server. */
export const mountOtherOrigin: Mount = (place, text) =>
  framed(place, location.hostname === 'localhost' ? '127.0.0.1' : 'localhost', text);

async function framed(place: HTMLElement, host: string, text: string): Promise<Editor> {
  const url = new URL(`framed.html#${encodeURIComponent(text)}`, location.href);
  url.hostname = host;
  const frame = document.createElement('iframe');
  frame.src = url.href;
  const loaded = new Promise((resume) => frame.addEventListener('load', resume, { once: true }));
  place.append(frame);
  await loaded;
  return { value: () => askedValue(frame.contentWindow!, url.origin) };
}

function askedValue(frame: Window, origin: string): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data as string);
    frame.postMessage('gallery value', origin, [port2]);
  });
}
