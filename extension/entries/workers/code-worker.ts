/*
 * Entry: the worker in which the manager reads codes in pictures (extension/manager/forms/code-reader.ts). It has no port but
 * that of the page that started it, which sends pictures and gets their readings.
 */
import { readPicture, type Reading } from '../../manager/forms/read-picture.ts';

globalThis.addEventListener('message', ({ ports: [port] }) => {
  port?.addEventListener('message', ({ data }: MessageEvent<Blob | ImageBitmap>) => {
    const reading = readPicture(data).catch((): Reading => ({ fault: 'bad' })); // the file is gone
    void reading.then((answer) => port.postMessage(answer));
  });
  port?.start();
});
