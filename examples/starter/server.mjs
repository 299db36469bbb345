/*
 * A server for notes that it cannot read: express, and rows in a file.
 *
 *     node server.mjs        http://localhost:3000; PORT and NOTES (the file) are of the environment
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { Store } from './store.mjs';

const store = await Store.open(process.env.NOTES ?? 'notes.json');
const app = express();

app.use((_request, response, next) => {
  response.set('content-security-policy', "default-src 'self'");
  next();
});
app.use(express.json({ limit: '1mb' }));
app.use(express.static(fileURLToPath(new URL('public', import.meta.url))));
// The client as npm installed it. With a bundler, import 'sealwright' in the page instead.
app.use('/sealwright', express.static(dirname(fileURLToPath(import.meta.resolve('sealwright')))));

app.get('/notes', (_request, response) => {
  response.json(store.all());
});
app.put('/notes/:id', (request, response, next) => {
  const { sealed } = request.body;
  // A page that sends text in clear by mistake is refused.
  if (typeof sealed !== 'string' || !/^sw1\.[\w-]+$/.test(sealed)) response.sendStatus(400);
  else store.put(request.params.id, sealed).then(() => response.sendStatus(204), next);
});
app.delete('/notes/:id', (request, response, next) => {
  store.remove(request.params.id).then(() => response.sendStatus(204), next);
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}`);
});
