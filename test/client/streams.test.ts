import { expect } from 'chai';
import { SealwrightClientError } from '../../src/client/errors.ts';
import type { Sealwright } from '../../src/client/page-api.ts';
import { openedBody, openedResponse, sealedBody } from '../../src/client/streams.ts';
import type { OwnBytes } from '../../src/client/page-types.ts';
import type { Source } from '../../src/client/streams.ts';

const TEXT = 'Meet me where the river bends.';

/**
 * Inverts every bit, and records the options. With `fails` it fails at its end, like a message that is cut
 * off.
 */
class FakeStreams {
  readonly seen: unknown[] = [];
  fails = false;

  readonly sealStream = (options?: object) => this.#stream(options);
  readonly openStream = (options?: object) => this.#stream(options);

  get api(): Pick<Sealwright, 'sealStream' | 'openStream'> {
    return this;
  }

  #stream(options?: object): TransformStream<Uint8Array, OwnBytes> {
    this.seen.push(options);
    return new TransformStream({
      transform: (piece, out) => out.enqueue(piece.map((byte) => byte ^ 255)),
      flush: (out) => {
        if (this.fails) out.error(new Error('cut off'));
      },
    });
  }
}

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();
const bytes = new TextEncoder().encode(TEXT);

describe('sources of any size', () => {
  let streams: FakeStreams;
  beforeEach(() => {
    streams = new FakeStreams();
  });

  const sources: Record<string, () => Source> = {
    text: () => TEXT,
    bytes: () => bytes,
    'a view of bytes': () => new Uint8Array([...bytes, 0]).subarray(0, -1),
    'a Blob': () => new Blob([TEXT]),
    'a stream': () => new Blob([TEXT]).stream(),
    'a Response': () => new Response(TEXT),
  };
  for (const [name, source] of Object.entries(sources)) {
    it(`are sealed and opened: ${name}`, async () => {
      const sealed = sealedBody(streams.api, source(), { context: 'a' });
      const opened = openedBody(streams.api, sealed, { accept: 'shared' });
      expect(await textOf(opened)).to.equal(TEXT);
      expect(streams.seen).to.deep.equal([{ context: 'a' }, { accept: 'shared' }]);
    });
  }

  it('may be empty, and a response without a body is', async () => {
    for (const source of ['', new Response(null)]) {
      expect(await textOf(sealedBody(streams.api, source))).to.equal('');
    }
  });

  it('end with an error if they are cut off', async () => {
    streams.fails = true;
    const error: unknown = await textOf(openedBody(streams.api, TEXT)).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(Error);
  });

  it('open a response, without the headers of the sealed body', async () => {
    const sealed = bytes.map((byte) => byte ^ 255);
    const headers = { 'content-type': 'image/png', 'content-length': '99', etag: '"a"' };
    const opened = openedResponse(streams.api, new Response(sealed, { headers }));
    expect([...opened.headers]).to.deep.equal([['content-type', 'image/png']]);
    expect(await opened.text()).to.equal(TEXT);
  });

  for (const read of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
    it(`say by ${read}() of a response why they do not open`, async () => {
      streams.fails = true;
      const opened = openedResponse(streams.api, new Response(bytes));
      const copy = opened.clone();
      for (const response of [opened, copy]) {
        const error: unknown = await response[read]().catch((e: unknown) => e);
        expect(error).to.be.instanceOf(Error).with.property('message', 'cut off');
        expect(response.bodyUsed).to.equal(true);
      }
    });
  }

  it('give each kind of body, once, and a clone the same', async () => {
    const inverted = (text: string) => new TextEncoder().encode(text).map((byte) => byte ^ 255);
    const response = (text: string, type: string) =>
      openedResponse(
        streams.api,
        new Response(inverted(text), { headers: { 'content-type': type } }),
      );
    const json = response('{"a":1}', 'application/json');
    expect(await json.clone().json()).to.deep.equal({ a: 1 });
    expect(await json.json()).to.deep.equal({ a: 1 });
    const again: unknown = await json.text().catch((e: unknown) => e);
    expect(again).to.be.instanceOf(TypeError);
    expect((await response('a', 'image/png').blob()).type).to.equal('image/png');
    const form = await response('a=7', 'application/x-www-form-urlencoded').formData();
    expect(form.get('a')).to.equal('7');
  });

  it('do not open an error page, or an answer without a body', () => {
    const refused = (answer: Response) => expect(() => openedResponse(streams.api, answer));
    const notFound = refused(new Response('not found', { status: 404 }));
    notFound.to.throw(SealwrightClientError, '404').with.property('code', 'BAD_RESPONSE');
    const empty = refused(new Response(null, { status: 204 }));
    empty.to.throw(SealwrightClientError, '204').with.property('code', 'BAD_RESPONSE');
  });
});
