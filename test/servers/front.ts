import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import WebSocket, { WebSocketServer } from 'ws';
import { answer } from '../browser/server.ts';

/*
 * One origin for a page and its servers, because weave-minimal knows no CORS; and a witness: every byte that the
 * page sent to any of them is kept.
 */
export interface Front {
  /** http://localhost:PORT */
  readonly origin: string;
  /** Addresses, headers and bodies of all requests so far, and messages on web sockets. */
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
    const route = routeOf(request, routes);
    if (route === undefined) answer(folders, request, response);
    else pass(request, response, routes[route]!, seen);
  }).listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    const route = routeOf(request, routes);
    if (route === undefined) socket.destroy();
    else passSocket(sockets, request, { socket, head }, routes[route]!, seen);
  });
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    sent: () => Buffer.concat(seen),
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const routeOf = ({ url = '/' }: IncomingMessage, routes: Readonly<Record<string, number>>) =>
  Object.keys(routes).find((start) => url.startsWith(start));

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

/** Messages of a web socket go through, those of the page are kept. */
function passSocket(
  sockets: WebSocketServer,
  request: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  port: number,
  seen: Buffer[],
): void {
  const { url: path = '/', headers } = request;
  const { host, origin, cookie, 'sec-websocket-protocol': protocols } = headers;
  const onward = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols?.split(/, */) ?? [], {
    perMessageDeflate: false,
    headers: { host, ...(origin && { origin }), ...(cookie && { cookie }) },
  });
  onward.on('error', () => socket.destroy());
  onward.once('open', () => {
    // What the server has chosen is the only one that is left to choose.
    if (onward.protocol !== '') headers['sec-websocket-protocol'] = onward.protocol;
    sockets.handleUpgrade(request, socket, head, (page) => {
      page.on('message', (data: Buffer, binary) => {
        seen.push(data);
        onward.send(data, { binary });
      });
      onward.on('message', (data: Buffer, binary) => page.send(data, { binary }));
      page.on('close', () => onward.close());
      onward.on('close', () => page.close());
    });
  });
}
