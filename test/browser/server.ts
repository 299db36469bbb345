import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { extname, join, resolve } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.xhtml': 'application/xhtml+xml',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

/** Extra response headers, by a query of the address: /blank.html?csp=none. */
const POLICIES: Record<string, string> = {
  none: "default-src 'none'",
  sandbox: 'sandbox allow-scripts',
  self: "default-src 'self'",
  // That of docs/bundlers.md.
  wasm: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
};

/** For /blank.html?isolated: the clock of an isolated page is finer. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** For /blank.html?shared-domain: Chromium lets a page widen document.domain only then. */
const SHARED_DOMAIN = { 'origin-agent-cluster': '?0' };

export interface TestServer {
  /** http://localhost:PORT */
  readonly origin: string;
  /** The same files on another origin: http://127.0.0.1:PORT */
  readonly otherOrigin: string;
  close(): Promise<void>;
}

/** Serves the folders, in this order, on a free port of the loopback interface. */
export async function serve(...folders: string[]): Promise<TestServer> {
  const server = createServer((request, response) => answer(folders, request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    otherOrigin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** The worker of an isolated page has to be isolated, too. */
function isOfIsolated({ headers }: IncomingMessage): boolean {
  return new URL(headers.referer ?? 'about:blank').searchParams.has('isolated');
}

/** For POST /echo: the form's `message` in a field, as servers draw a form again. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const message = new URLSearchParams(await text(request)).get('message') ?? '';
  response.writeHead(200, { 'content-type': TYPES['.html'] });
  response.end(`<textarea name="message">${message.replaceAll('<', '&lt;')}</textarea>`);
}

export function answer(
  folders: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/no-content') {
    response.writeHead(204).end();
    return;
  }
  if (url.pathname === '/echo') {
    void echo(request, response);
    return;
  }
  const name = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname;
  const file = folders
    .map((folder) => ({ folder: resolve(folder), path: resolve(join(folder, name)) }))
    .find(({ folder, path }) => path.startsWith(folder) && existsSync(path));
  if (!file) {
    response.writeHead(404).end('not found');
    return;
  }
  const policy = POLICIES[url.searchParams.get('csp') ?? ''];
  response.writeHead(200, {
    'content-type': TYPES[extname(file.path)] ?? 'application/octet-stream',
    ...((url.searchParams.has('isolated') || isOfIsolated(request)) && ISOLATION),
    ...(url.searchParams.has('shared-domain') && SHARED_DOMAIN),
    ...(policy !== undefined && { 'content-security-policy': policy }),
  });
  createReadStream(file.path).pipe(response);
}
