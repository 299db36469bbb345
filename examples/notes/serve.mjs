/*
 * Serves the app and the built client on one origin, and passes on what goes to the two servers:
 * weave-minimal answers only pages of its own origin.
 *
 *     node examples/notes/serve.mjs        http://localhost:8200
 */
import { readFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { pathToFileURL } from 'node:url';

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/notes.css': ['notes.css', 'text/css; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
};
const MODULES =
  /^\/(app|collection-keys|connection|kinto-server|merge|notes|records|rounds|settings|sync|view|weave-server)\.js$/;
/** What the client imports. */
const CLIENT_PARTS = /^\/shared-[\w-]+\.js$/;
const SCRIPT = 'text/javascript; charset=utf-8';

/** @param servers where addresses that begin so go: `{ '/v1': 8888, '/1.1': 8080 }` */
export function createNotesServer(servers) {
  return createServer(async (request, response) => {
    const start = Object.keys(servers).find((path) => request.url.startsWith(`${path}/`));
    if (start) return pass(request, response, servers[start]);
    const file = fileAt(request.url);
    if (!file) return response.writeHead(404).end('not found');
    const content = await readFile(new URL(file.path, import.meta.url));
    response.writeHead(200, { 'content-type': file.type }).end(content);
  });
}

function fileAt(url) {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname === '/sealwright.js') return { path: '../../dist/lib/client.js', type: SCRIPT };
  if (CLIENT_PARTS.test(pathname)) return { path: `../../dist/lib${pathname}`, type: SCRIPT };
  if (MODULES.test(pathname)) return { path: `.${pathname}`, type: SCRIPT };
  const [path, type] = Object.hasOwn(FILES, pathname) ? FILES[pathname] : [];
  return path && { path, type };
}

/** The host stays as it was asked for: servers put it into addresses that they answer with. */
function pass(request, response, port) {
  const { method, url: path, headers } = request;
  const onward = forward({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [kinto = 8888, weave = 8080] = process.argv.slice(2).map(Number);
  const servers = { '/v1': kinto, '/1.1': weave };
  createNotesServer(servers).listen(8200, 'localhost', () => console.log('http://localhost:8200'));
}
