/** What goes over a line to a worker, and what comes back. */
interface Protocol {
  readonly order: unknown;
  readonly answer: unknown;
}

/**
 * Serves orders in a worker: whoever started it sends a port, is told 'ready' there, and gets one
 * answer to each order on it.
 */
export function serveOrders<P extends Protocol>(
  answerTo: (order: P['order']) => Promise<P['answer']>,
): void {
  globalThis.addEventListener('message', ({ ports: [line] }) => {
    if (line === undefined) return;
    const say = (answer: P['answer']) => line.postMessage(answer);
    line.addEventListener('message', ({ data }: MessageEvent<P['order']>) => {
      void answerTo(data).then(say);
    });
    line.start();
    say('ready');
  });
}
