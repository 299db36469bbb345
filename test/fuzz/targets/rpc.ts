/* What pages, content scripts and scripts in frames send. */
import { deepStrictEqual } from 'node:assert';
import type { Runtime } from 'webextension-polyfill';
import { FRAME_REPORT, onFrameReport } from '../../../extension/platform/fields/frame-reports.ts';
import { askToOpenMark, onMarkRequest } from '../../../extension/platform/fields/mark-requests.ts';
import { onPageEnd, PAGE_ENDS } from '../../../extension/platform/storage/temporary-files.ts';
import { onPageShown, reportShown } from '../../../extension/platform/sites/page-shown.ts';
import { concat } from '../../../src/crypto/bytes.ts';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import {
  kindOf,
  MAX_PARCEL_BYTES,
  parseMessage,
  request,
  success,
} from '../../../src/rpc/envelope.ts';
import { contentHello, pageHello, parseHello, portHello } from '../../../src/rpc/hello.ts';
import { SERVED_METHODS } from '../../../src/rpc/methods/content.ts';
import type { Method } from '../../../src/rpc/methods/method.ts';
import { METHODS } from '../../../src/rpc/methods/methods.ts';
import { attach, detach, payloadBytes } from '../../../src/rpc/transport/attachments.ts';
import { BatchingChannel } from '../../../src/rpc/transport/batching-channel.ts';
import { Budget } from '../../../src/rpc/transport/budget.ts';
import { countOf, encodedLengths, unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import {
  codecOfAnswer,
  codecOfGreeting,
  greeting,
  greetingAnswer,
} from '../../../src/rpc/transport/codec.ts';
import { plainValue } from '../../../src/rpc/transport/plain-value.ts';
import { InvalidValue } from '../../../src/rpc/validate.ts';
import { accepted, bytesIn, counting, latin1, require, requireSame } from '../target.ts';
import type { FuzzTarget } from '../target.ts';
import { bytesOfValue, valueIn, valuesIn } from '../values.ts';

const ALL_METHODS: Readonly<Record<string, Method>> = { ...METHODS, ...SERVED_METHODS };
const METHOD_NAMES = Object.keys(ALL_METHODS);

/** Names and texts of messages, parameters and results. */
const WORDS = [
  ...['v', 'kind', 'id', 'method', 'params', 'follow', 'ok', 'result', 'error', 'code', 'message'],
  ...['data', 'bytes', 'total', 'name', 'origin', 'parcel', 'body', 'paths', 'lengths', 'messages'],
  ...['received', 'request', 'response', 'progress', 'abort', 'event', 'ping', 'pong', 'piece'],
  ...[
    'drop',
    'many',
    'ack',
    'lock',
    'unlock',
    'grantchange',
    'disconnect',
    'NOT_GRANTED',
    '0',
    '1',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'length',
    'hello',
    'probe',
    'codec',
    'clone',
    'base64',
  ],
  ...['sealwright', 'content-hello', 'page-hello', 'port', 'plaintext', 'sealed', 'key', 'to'],
  ...['toSelf', 'portable', 'context', 'pad', 'accept', 'own', 'shared', 'items', 'failures', 'at'],
  ...[
    'purpose',
    'capabilities',
    'expiresInMs',
    'maxUses',
    'collections',
    'label',
    'app',
    'sealing',
  ],
  ...['sync', 'signing', 'sharing', 'seal', 'open', 'mac', 'sign', 'algorithm', 'hash', 'length'],
  ...['format', 'keyData', 'extractable', 'usages', 'usage', 'publicKey', 'iv', 'additionalData'],
  ...['tagLength', 'salt', 'info', 'iterations', 'memory', 'passes', 'parallelism', 'nonce', 'raw'],
  ...['jwk', 'spki', 'pkcs8', 'AES-GCM', 'HMAC', 'SHA-256', 'encrypt', 'decrypt', 'max', 'text'],
  ...['armored', 'tag', 'signature', 'records', 'payload', 'collection', 'stream', 'index'],
  ...METHOD_NAMES,
];
const VALUES = { words: WORDS };
const CLONED = { words: WORDS, exotic: 'cloned' } as const;
const OWN = { words: WORDS, exotic: 'own' } as const;
const inBytes = (value: unknown) => bytesOfValue(value, WORDS);

const v = 1;
const MESSAGES = [
  request('a-1', 'random', { length: 16 }),
  request('a-2', 'seal', { plaintext: counting(20) }, true),
  success('a-1', counting(16)),
  { v, kind: 'response', id: 'a', ok: false, error: { code: 'NOT_GRANTED', message: 'x' } },
  { v, kind: 'progress', id: 'a', bytes: 5, total: 9 },
  { v, kind: 'abort', id: 'a' },
  { v, kind: 'event', name: 'lock', origin: 'https://a.example' },
  { v, kind: 'ping' },
  { v, kind: 'parcel', parcel: 1, body: { a: null }, paths: [['a']], lengths: [5] },
  { v, kind: 'piece', parcel: 1, bytes: counting(5) },
  { v, kind: 'drop', parcel: 1 },
  { v, kind: 'many', messages: [{ v, kind: 'ping' }, null] },
  { v, kind: 'ack', parcel: 1, received: 0 },
];

const envelope: FuzzTarget = {
  name: 'rpc-envelope',
  files: ['src/rpc/envelope.ts', 'src/rpc/validate.ts', 'src/rpc/errors.ts'],
  seeds: () => MESSAGES.map(inBytes),
  fuzz(data) {
    const value = valueIn(data, OWN);
    const kind = kindOf(value);
    const message = parseMessage(value);
    if (!message) return;
    require('a message has its kind', message.kind === kind);
    require('a message is no object of a page', Object.getPrototypeOf(message) === null);
    deepStrictEqual(parseMessage(message), message);
  },
};

const plain: FuzzTarget = {
  name: 'plain-value',
  files: ['src/rpc/transport/plain-value.ts', 'src/rpc/validate.ts'],
  seeds: () => [...MESSAGES.map(inBytes), inBytes([[[[[[[1]]]]]]])],
  fuzz(data) {
    const found = accepted(() => plainValue(valueIn(data, OWN), 'params'), InvalidValue);
    if (!found) return;
    deepStrictEqual(plainValue(found.value, 'params'), found);
    require('all bytes are counted', payloadBytes(found.value) <= found.bytes);
  },
};

const codec: FuzzTarget = {
  name: 'rpc-codec',
  files: ['src/rpc/transport/codec.ts', 'src/rpc/transport/attachments.ts', 'src/rpc/validate.ts'],
  seeds() {
    const base64 = codecOfAnswer({ v, kind: 'hello', codec: 'base64' })!;
    const all = [greeting(), ...MESSAGES.map((message) => base64.encode(message))];
    return [...all, greetingAnswer(base64)].map(inBytes);
  },
  fuzz(data) {
    const value = valueIn(data, VALUES);
    codecOfAnswer(value);
    codecOfGreeting(value);
    const one = codecOfAnswer({ v, kind: 'hello', codec: 'base64' })!;
    const isJson = !hasBytes(value);
    const decoded = one.decode(value);
    // A port that needs this codec carries JSON, in which there are no bytes. Where there were, under a name that is too
    // long for a path, `encode` would write what `decode` refuses.
    if (decoded !== undefined && isJson) {
      const again = one.decode(one.encode(decoded));
      deepStrictEqual(normal(again), normal(decoded));
    }
    const { body, attachments } = detach(value);
    // Bytes alone are no message.
    if (value instanceof Uint8Array) return;
    const isWhole = attachments.every(({ path, bytes }) => attach(body, path, bytes));
    require('everything goes back to its place', isWhole);
    deepStrictEqual(normal(body), normal(value));
  },
};

function hasBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Uint8Array || Object.values(value).some(hasBytes);
}

/** Compared without prototypes, which a record of ours lacks. */
function normal(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(normal);
  const copy: unknown = Object.create(null);
  for (const [name, each] of Object.entries(value)) {
    (copy as Record<string, unknown>)[name] = normal(each);
  }
  return copy;
}

const PEER: Caller = {
  kind: 'page',
  origin: 'https://a.example',
  topOrigin: 'https://a.example',
  tabId: 1,
  frameId: 0,
  documentId: 'd',
  incognito: false,
  container: null,
};

/** A channel whose messages the target makes up. */
class ScriptedChannel implements Channel {
  readonly peer = PEER;
  readonly sent: unknown[] = [];
  receive: (message: unknown) => void = () => undefined;
  isOpen = true;
  #onClose: (() => void)[] = [];

  send(message: unknown): void {
    this.sent.push(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.receive = listener;
  }

  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const listener of this.#onClose) listener();
  }
}

const pieces: FuzzTarget = {
  name: 'rpc-pieces',
  files: [
    'src/rpc/transport/chunking-channel.ts',
    'src/rpc/transport/chunks.ts',
    'src/rpc/transport/attachments.ts',
    'src/rpc/transport/budget.ts',
    'src/rpc/transport/batching-channel.ts',
  ],
  // Announced bytes are set aside at once: two parcels of the largest size for each channel.
  maxMiB: 3 * (MAX_PARCEL_BYTES / 2 ** 20),
  sample: 1_000,
  seeds() {
    const parcel = { v, kind: 'parcel', parcel: 1, body: { v, a: null, b: [null] } };
    const whole = { ...parcel, paths: [['a'], ['b', '0']], lengths: [3, 2] };
    const piece = (bytes: Uint8Array) => ({ v, kind: 'piece', parcel: 1, bytes });
    const sequences = [
      [whole, piece(counting(3)), piece(counting(2))],
      [whole, { v, kind: 'drop', parcel: 1 }, piece(counting(1))],
      [whole, { ...whole, parcel: 2 }, piece(counting(5)), { ...piece(counting(5)), parcel: 2 }],
      [{ ...whole, body: {} }, piece(counting(5))],
      [
        { v, kind: 'ack', parcel: 1, received: 0 },
        { v, kind: 'ack', parcel: 1, received: 900 },
      ],
      [{ v, kind: 'many', messages: MESSAGES.slice(0, 2) }, success('a-1', 1)],
    ];
    return sequences.map((messages) => {
      return Uint8Array.from(messages.flatMap((one) => [...inBytes(one)]));
    });
  },
  fuzz(data) {
    const inner = new ScriptedChannel();
    const budget = new Budget(MAX_PARCEL_BYTES);
    const timers = { start: () => 0, stop: () => undefined };
    const sizes = { inlineBytes: 64, pieceBytes: 32, windowBytes: 64 };
    const chunking = new ChunkingChannel(inner, { budget, timers, sizes });
    const channel = new BatchingChannel(chunking, (work) => work());
    let delivered = 0;
    channel.onMessage((message) => (delivered += payloadBytes(message)));
    chunking.send({ v, kind: 'request', id: 'x', method: 'seal', params: counting(200) });
    for (const message of valuesIn(data, VALUES, 32)) {
      if (inner.isOpen) inner.receive(message);
    }
    require('the budget holds', budget.heldBytes <= MAX_PARCEL_BYTES);
    const sentBytes = inner.sent.reduce<number>((sum, one) => sum + payloadBytes(one), 0);
    require('nothing is sent twice', sentBytes <= 200);
    inner.close();
    require('a closed channel holds nothing', budget.heldBytes === 0);
    require('what is delivered was sent', delivered <= data.length);
  },
};

/** One row: parameters and result. Input: number of the method, then the value. */
const methods: FuzzTarget = {
  name: 'method-values',
  files: [
    'src/rpc/validate.ts',
    'src/rpc/methods/page.ts',
    'src/rpc/methods/content.ts',
    'src/rpc/methods/subtle-values.ts',
    'src/rpc/methods/subtle.ts',
    'src/rpc/methods/ui.ts',
    'src/rpc/transport/byte-list.ts',
  ],
  seeds() {
    const list = { bytes: counting(5), lengths: encodedLengths([2, 3]) };
    const samples: Readonly<Record<string, unknown>> = {
      random: { length: 16 },
      connect: {
        purpose: 'notes',
        key: { kind: 'sync', collections: ['a'] },
        capabilities: ['seal', 'open'],
        maxUses: 3,
      },
      seal: { plaintext: counting(5), to: ['swp1.x'], toSelf: true, pad: true },
      open: { sealed: counting(5), accept: 'shared' },
      sealMany: { items: list, context: counting(3) },
      openMany: { items: list },
      sign: { data: counting(4), key: 'a' },
      revoke: { grantIds: ['a'] },
      streamPieces: { stream: 'a', index: 0, pieces: [counting(4)] },
    };
    const empty = METHOD_NAMES.map((name) => [name, {}] as const);
    return [...Object.entries(samples), ...empty].map(([name, value]) => {
      return Uint8Array.of(METHOD_NAMES.indexOf(name), ...inBytes(value));
    });
  },
  fuzz(data) {
    const { params, result } = ALL_METHODS[METHOD_NAMES[(data[0] ?? 0) % METHOD_NAMES.length]!]!;
    const value = valueIn(data.subarray(1), CLONED);
    for (const validate of [params, result]) {
      const read = accepted(() => validate(value, ''), InvalidValue);
      if (read === undefined) continue;
      deepStrictEqual(validate(read, ''), read);
      checkLists(read);
    }
  },
};

/** Byte lists are cut by lengths that the caller says. */
function checkLists(value: unknown): void {
  const { items } = (value ?? {}) as { items?: unknown };
  if (typeof items !== 'object' || items === null || !('lengths' in items)) return;
  const list = items as { bytes: Uint8Array; lengths: Uint8Array };
  const all = unpacked(list);
  require('as many as it says', all.length === countOf(list));
  requireSame('a byte list', Buffer.concat(all), list.bytes);
}

const hello: FuzzTarget = {
  name: 'hello',
  files: ['src/rpc/hello.ts', 'src/rpc/transport/codec.ts'],
  seeds() {
    const id = '0123456789abcdef0123456789abcdef';
    const answer = codecOfAnswer({ v, kind: 'hello', codec: 'clone' })!;
    const all = [contentHello(id), pageHello(), portHello(id), greeting(), greetingAnswer(answer)];
    return all.map(inBytes);
  },
  fuzz(data) {
    const value = valueIn(data, VALUES);
    const found = parseHello(value);
    if (found) deepStrictEqual(parseHello(found), found);
    const chosen = codecOfAnswer(value) ?? codecOfGreeting(value);
    if (chosen) deepStrictEqual(codecOfAnswer(greetingAnswer(chosen)), chosen);
  },
};

type MessageListener = (message: unknown, sender: Runtime.MessageSender) => unknown;

/** Input: the message, and who sent it as the browser says. */
const frameMessages: FuzzTarget = {
  name: 'frame-messages',
  files: [
    'extension/platform/fields/mark-requests.ts',
    'extension/platform/fields/frame-reports.ts',
    'extension/platform/sites/page-shown.ts',
  ],
  seeds() {
    const sent: string[] = [`${FRAME_REPORT}0123456789abcdef`, PAGE_ENDS];
    const own = { sendMessage: (message: string) => Promise.resolve(sent.push(message)) };
    void askToOpenMark(own);
    void reportShown(own);
    const sender = { id: 'sealwright', tab: { id: 1 }, frameId: 0, origin: 'https://a.example' };
    const ownPage = { ...sender, url: 'moz-extension://own/manager.html' };
    const values: unknown[] = [
      ownPage,
      sender,
      { ...sender, origin: 'null' },
      { ...sender, id: 'other' },
    ];
    return sent.flatMap((message) =>
      values.map((value) => concat(encodedText(message), bytesOfValue(value, SENDER_WORDS))),
    );
  },
  words: ['sealwright: ', 'https://', 'moz-extension://', 'about:blank', 'null'],
  fuzz(data) {
    const length = data[0] ?? 0;
    const message = latin1(data.subarray(1, 1 + length));
    const sender = valueIn(data.subarray(1 + length), { words: SENDER_WORDS });
    if (typeof sender !== 'object' || sender === null) return; // a browser gives an object
    const listeners: MessageListener[] = [];
    const onMessage = { addListener: (one: MessageListener) => listeners.push(one) };
    const getURL = () => 'moz-extension://own/';
    const runtime = { id: 'sealwright', onMessage, getURL } as unknown as Runtime.Static;
    const heard: unknown[] = [];
    onMarkRequest(runtime, (place) => heard.push(place));
    onPageShown(
      runtime,
      () => heard.push('shown'),
      () => 0,
    );
    onPageEnd(runtime, () => heard.push('ended'));
    onFrameReport(runtime, (sessionId, { origin }) => {
      heard.push(sessionId);
      require('the id is what follows', message === FRAME_REPORT + sessionId);
      require('an origin, or none', origin === null || new URL(origin).origin === origin);
    });
    const { id } = sender as { id?: unknown };
    for (const given of [message, sender]) {
      for (const listener of listeners) listener(given, sender);
      if (given === sender) break;
      require('a message is heard once', heard.length <= 1);
      require('of the extension alone', heard.length === 0 || id === 'sealwright');
      heard.length = 0;
    }
    require('an object is no message', heard.length === 0);
  },
};

const SENDER_WORDS = [
  ...['id', 'tab', 'frameId', 'origin', 'url', 'sealwright', 'https://a.example', 'null'],
  'moz-extension://own/',
];
const encodedText = (text: string) => concat(Uint8Array.of(text.length), bytesIn(text));

export const RPC_TARGETS: readonly FuzzTarget[] = [
  ...[envelope, plain, codec, pieces, methods, hello],
  frameMessages,
];
