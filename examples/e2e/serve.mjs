/* Serves the app on http://localhost:$PORT (8400). Pages of localhost are secure contexts without a certificate. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const FILES = {
  '/': ['app/index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app/app.js', 'text/javascript; charset=utf-8'],
};

export const PORT = Number(process.env.PORT ?? 8400);

export const server = createServer(async ({ url }, response) => {
  const [path, type] = FILES[url] ?? [];
  if (path === undefined) return response.writeHead(404).end('not found');
  const content = await readFile(new URL(path, import.meta.url));
  response.writeHead(200, { 'content-type': type }).end(content);
});

await new Promise((resolve) => server.listen(PORT, 'localhost', resolve));
