import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from '../browser/server.ts';

/*
 * One origin for a page and its sync servers, because weave-minimal knows no CORS; and a witness:
 * every byte that the page sent to any of them is kept.
 */
export interface Front {
  /** http://localhost:PORT */
  readonly origin: string;
  /** Addresses, headers and bodies of all requests so far. */
  sent(): Buffer;
  close(): Promise<void>;
}

/**
 * @param routes where addresses that begin so go: a port of the loopback interface
 * @param folders where files of all other addresses are looked for
 */
export async function serveFront(
  routes: Readonly<Record<string, number>>,
  ...folders: string[]
): Promise<Front> {
  const seen: Buffer[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const route = Object.keys(routes).find((start) => path.startsWith(start));
    if (route === undefined) answer(folders, request, response);
    else pass(request, response, routes[route]!, seen);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    sent: () => Buffer.concat(seen),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The host stays as it was asked for: servers put it into addresses that they answer with. */
function pass(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  seen: Buffer[],
): void {
  const { method, url: path, headers } = request;
  seen.push(Buffer.from(`${method} ${decodeURIComponent(path!)} ${JSON.stringify(headers)}\n`));
  const onward = forward({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
    response.writeHead(reply.statusCode!, reply.headers);
    reply.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.on('data', (part: Buffer) => seen.push(part));
  request.pipe(onward);
}
