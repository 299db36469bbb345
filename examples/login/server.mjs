/*
 * A server that people log in to with a key in place of a password. Everything is kept in memory.
 *
 *     node examples/login/server.mjs        http://localhost:8100
 */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { isSignature } from './signatures.mjs';

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/login.js': ['login.js', 'text/javascript; charset=utf-8'],
};
const CHALLENGE_LIVES_MS = 60_000;
const MAX_BODY_BYTES = 8192;

/** @param {() => string} origin this site's own: what signatures have to be made on */
export function createLoginServer(origin) {
  const people = new Map();
  const challenges = new Map();
  const actions = {
    '/register': ({ name, publicKey }) => {
      if (people.has(name)) throw new Refusal(409, 'This name is taken');
      people.set(name, publicKey);
      return { registered: name };
    },
    '/challenge': () => {
      const challenge = randomBytes(32).toString('base64url');
      challenges.set(challenge, Date.now() + CHALLENGE_LIVES_MS);
      return { challenge };
    },
    '/login': ({ name, challenge, signature }) => {
      const until = challenges.get(challenge);
      challenges.delete(challenge); // each counts once, whatever comes of it
      const isFresh = until !== undefined && Date.now() < until;
      const publicKey = people.get(name);
      const data = Buffer.from(`login\n${name}\n${challenge}`);
      const bytes = Buffer.from(signature, 'base64url');
      const isTheirs = publicKey && isSignature(publicKey, origin(), data, bytes);
      if (!isFresh || !isTheirs) throw new Refusal(401, 'This is not the key of that name');
      return { welcome: name };
    },
  };
  return createServer((request, response) => void answer(request, response, actions));
}

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function answer(request, response, actions) {
  try {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (request.method === 'GET') return await sendFile(pathname, response);
    const action = Object.hasOwn(actions, pathname) ? actions[pathname] : undefined;
    if (!action) throw new Refusal(404, 'There is nothing here');
    send(response, 200, action(await bodyOf(request)));
  } catch (error) {
    // Whatever else is wrong with a request, it is the request that is wrong.
    send(response, error.status ?? 400, { error: error.message });
  }
}

async function sendFile(pathname, response) {
  if (!Object.hasOwn(FILES, pathname)) throw new Refusal(404, 'There is nothing here');
  const [file, type] = FILES[pathname];
  const content = await readFile(new URL(file, import.meta.url));
  response.writeHead(200, { 'content-type': type }).end(content);
}

/** @returns an object of strings alone */
async function bodyOf(request) {
  let text = '';
  for await (const part of request) {
    text += part;
    if (text.length > MAX_BODY_BYTES) throw new Refusal(413, 'That is too much');
  }
  const body = JSON.parse(text);
  const isText = Object.values(body).every((value) => typeof value === 'string');
  if (!isText) throw new Refusal(400, 'Every field is text');
  return body;
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const origin = 'http://localhost:8100';
  createLoginServer(() => origin).listen(8100, 'localhost', () => console.log(origin));
}
