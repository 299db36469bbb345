import sjcl from 'sjcl-joined';
import type { Sjcl } from './contenders/sjcl.ts';
import { runAesSuite, type Row } from './aes-suite.ts';
import type { Order } from './order.ts';

/* The suite inside a browser's dedicated worker; bench/run-in-browser.ts sends it the order. */
addEventListener('message', ({ data }: MessageEvent<Order>) => {
  const report = (row: Row, progress: number) => {
    postMessage({ row, progress });
  };
  runAesSuite(sjcl as Sjcl, { ...data, report }).then(
    () => {
      postMessage({ done: true });
    },
    (error: unknown) => {
      postMessage({ error: String(error) });
    },
  );
});
