import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { httpSource, rangeResponse } from '../../src/format/http-ranges.ts';
import { sealMessage } from '../../src/format/message.ts';
import { openRange, openSeekable, type SeekableMessage } from '../../src/format/seekable.ts';
import { pattern } from './message-vectors.ts';
import { KEY, KEY_ID, outcome } from './support.ts';

const MIB = 2 ** 20;
const SEAL = { key: KEY, keyId: KEY_ID, purpose: 'stream' } as const;
const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** How a server answers a range of a file. */
type Answer = (start: number, end: number, file: Uint8Array) => [number, string, Uint8Array];
const PARTS: Answer = (start, end, file) => {
  const body = file.subarray(start, end);
  return [206, `bytes ${start}-${start + body.length - 1}/${file.length}`, body];
};

describe('a sealed message at an address', () => {
  let server: Server;
  let url: string;
  let file: Uint8Array;
  let answer: Answer;
  let asked: string[];

  before((done) => {
    server = createServer((request, response) => {
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!;
      asked.push(`${range[0]} ${String(request.headers['x-app'])}`);
      const [status, contentRange, body] = answer(Number(range[1]), Number(range[2]) + 1, file);
      response.writeHead(status, contentRange === '' ? {} : { 'content-range': contentRange });
      response.end(body);
    }).listen(0, '127.0.0.1', done);
  });
  beforeEach(async () => {
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}/file`;
    answer = PARTS;
    asked = [];
    file = await sealMessage(SEAL, pattern(4 * MIB + 5));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is read in parts: one request for the head, one for the end, one for each part', async () => {
    const source = await httpSource(url, { headers: { 'x-app': 'mine' } });
    expect(source.size).to.equal(file.length);
    const message = await openSeekable({ key: KEY }, source);
    const part = await message.read(2 * MIB + 1, 2 * MIB + 9);
    expect(same(part, pattern(4 * MIB + 5).subarray(2 * MIB + 1, 2 * MIB + 9))).to.equal(true);
    const at = (n: number) => 80 + n * (MIB + 16);
    expect(asked.slice(1)).to.deep.equal([
      `bytes=${at(4)}-${file.length - 1} mine`,
      `bytes=${at(2)}-${at(3) - 1} mine`,
    ]);
    expect(asked[0]).to.match(/^bytes=0-\d{5} mine$/);
  });

  it('may be shorter than the first request', async () => {
    file = await sealMessage(SEAL, pattern(10));
    const part = await openRange({ key: KEY }, await httpSource(url), 3);
    expect(same(part, pattern(10).subarray(3))).to.equal(true);
    expect(asked).to.have.length(1);
  });

  it('is refused from a server that does not answer with the part', async () => {
    const answers: Record<string, Answer> = {
      'The server answered 200 to a request for a range of bytes': (_s, _e, all) => [200, '', all],
      'The server answered 404 to a request for a range of bytes': () => [
        404,
        '',
        Buffer.from('no'),
      ],
      'The server answered 416 to a request for a range of bytes': () => [
        416,
        'bytes */0',
        Buffer.of(),
      ],
      'The server answered 206 with another range of bytes than the requested one': (
        _s,
        end,
        all,
      ) => [206, `bytes 1-${end}/${all.length}`, all.subarray(1, end + 1)],
    };
    for (const [words, other] of Object.entries(answers)) {
      answer = other;
      const error: unknown = await httpSource(url).catch((reason: unknown) => reason);
      expect(error).to.include({ name: 'EnvelopeError', code: 'UNSUPPORTED', message: words });
      answer = PARTS;
      const message = await openSeekable({ key: KEY }, await httpSource(url));
      answer = other;
      expect(await outcome(message.read(2 * MIB))).to.equal('UNSUPPORTED');
    }
    answer = (start, _end, all) => [206, `bytes ${start}-*/${all.length}`, all];
    expect(await outcome(httpSource(url))).to.equal('UNSUPPORTED');
    expect(await outcome(httpSource('http://127.0.0.1:1/'))).to.match(/^TypeError/);
  });

  it('is not read on when the file changed, nor when it is another', async () => {
    const message = await openSeekable({ key: KEY }, await httpSource(url));
    file = await sealMessage(SEAL, pattern(4 * MIB + 6));
    expect(await outcome(message.read(2 * MIB, 3 * MIB))).to.equal('BAD_ENVELOPE');
    file = await sealMessage(SEAL, pattern(4 * MIB + 5));
    expect(await outcome(message.read(2 * MIB, 3 * MIB))).to.equal('AUTH_FAILED');
  });

  it('is refused from a server that sends another number of bytes than it says', async () => {
    const message = await openSeekable({ key: KEY }, await httpSource(url));
    const words = 'The server sent another number of bytes than its Content-Range says';
    const refused = async (read: Promise<unknown>) => {
      const error: unknown = await read.catch((reason: unknown) => reason);
      expect(error).to.include({ name: 'EnvelopeError', code: 'UNSUPPORTED', message: words });
    };
    for (const change of [
      (body: Uint8Array) => body.subarray(1),
      (body: Uint8Array) => Buffer.concat([body, Uint8Array.of(0)]),
      () => Buffer.of(),
    ]) {
      answer = (...asks) => {
        const [status, range, body] = PARTS(...asks);
        return [status, range, change(body)];
      };
      await refused(message.read(2 * MIB, 3 * MIB));
      await refused(httpSource(url));
    }
  });

  it('is not read on from a server that sends without end', async () => {
    let sent = 0;
    const endless = createServer((_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9/10' });
      const piece = Buffer.alloc(MIB);
      const more = (): void => {
        // The test ends here if the client reads on.
        if (sent >= 256 * MIB) return void response.end();
        sent += MIB;
        if (response.write(piece)) setImmediate(more);
      };
      response.on('drain', more);
      more();
    });
    await new Promise<void>((listening) => endless.listen(0, '127.0.0.1', listening));
    const { port } = endless.address() as AddressInfo;
    const code = await outcome(httpSource(`http://127.0.0.1:${port}/`));
    endless.closeAllConnections();
    endless.close();
    expect(code).to.equal('UNSUPPORTED');
    expect(sent).to.be.below(64 * MIB);
  });
});

describe('rangeResponse', () => {
  const MESSAGE = pattern(2 * MIB + 100);
  const SIZE = MESSAGE.length;
  let message: SeekableMessage;
  const respond = (range?: string, method = 'GET', more: Record<string, string> = {}) => {
    const headers = { ...more, ...(range === undefined ? {} : { range }) };
    return rangeResponse(
      message,
      { method, headers: new Headers(headers) },
      { 'content-type': 'video/mp4' },
    );
  };
  const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

  before(async () => {
    message = await openSeekable({ key: KEY }, await sealMessage(SEAL, MESSAGE));
  });

  it('is the whole message without a range, and for ranges that are not answered', async () => {
    const others = [
      undefined,
      '',
      'bytes=',
      'bytes=-',
      'bytes=9-3',
      'bytes=0-1,5-6',
      'lines=1-2',
      'bytes=1.5-9',
    ];
    for (const range of others) {
      const response = respond(range);
      expect(response.status, range).to.equal(200);
      expect(Object.fromEntries(response.headers)).to.deep.equal({
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
        'content-length': String(SIZE),
        'content-type': 'video/mp4',
        'x-content-type-options': 'nosniff',
      });
      expect(same(await bytesOf(response), MESSAGE)).to.equal(true);
    }
    const conditional = respond('bytes=0-9', 'GET', { 'if-range': '"version"' });
    expect(conditional.status).to.equal(200);
    await conditional.body!.cancel();
  });

  it('is the part that a range asks for', async () => {
    const cases: readonly (readonly [string, number, number])[] = [
      ['bytes=0-', 0, SIZE],
      ['bytes=0-0', 0, 1],
      ['bytes=5-9', 5, 10],
      [`bytes=${MIB - 1}-${MIB}`, MIB - 1, MIB + 1],
      [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE],
      [`bytes=10-${SIZE * 9}`, 10, SIZE],
      ['bytes=-7', SIZE - 7, SIZE],
      [`bytes=-${SIZE * 9}`, 0, SIZE],
      ['BYTES=3-4', 3, 5],
    ];
    for (const [range, start, end] of cases) {
      const response = respond(range);
      expect(response.status, range).to.equal(206);
      expect(response.headers.get('content-range')).to.equal(`bytes ${start}-${end - 1}/${SIZE}`);
      expect(response.headers.get('content-length')).to.equal(String(end - start));
      expect(same(await bytesOf(response), MESSAGE.subarray(start, end)), range).to.equal(true);
    }
  });

  it('refuses a range after the end, and other methods', async () => {
    for (const range of [
      `bytes=${SIZE}-`,
      `bytes=${SIZE}-${SIZE}`,
      'bytes=-0',
      `bytes=${'9'.repeat(400)}-`,
    ]) {
      const response = respond(range);
      expect(response.status, range).to.equal(416);
      expect(response.headers.get('content-range')).to.equal(`bytes */${SIZE}`);
      expect(await bytesOf(response)).to.have.length(0);
    }
    expect(respond('bytes=0-1', 'POST').status).to.equal(405);
    const head = respond('bytes=0-1', 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.body]).to.deep.equal([
      200,
      String(SIZE),
      null,
    ]);
    const empty = await openSeekable({ key: KEY }, await sealMessage(SEAL, new Uint8Array(0)));
    const ofEmpty = (range: string) =>
      rangeResponse(empty, new Request('http://a/', { headers: { range } }));
    expect(ofEmpty('bytes=0-').status).to.equal(416);
    expect(await ofEmpty('items=1').text()).to.equal('');
  });

  it('ends with an error where the message was altered', async () => {
    const sealed = await sealMessage(SEAL, MESSAGE);
    sealed[80 + MIB + 16 + 5]! ^= 1;
    const altered = await openSeekable({ key: KEY }, sealed);
    const get = (range: string) =>
      rangeResponse(altered, new Request('http://a/', { headers: { range } }));
    expect(await outcome(bytesOf(get('bytes=0-')))).to.equal('AUTH_FAILED');
    expect(await bytesOf(get('bytes=0-9'))).to.have.length(10);
  });
});
