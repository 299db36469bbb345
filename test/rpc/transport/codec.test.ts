import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_PIECE_BYTES } from '../../../src/rpc/envelope.ts';
import {
  codecOfAnswer,
  codecOfGreeting,
  greeting,
  greetingAnswer,
} from '../../../src/rpc/transport/codec.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const clone = codecOfGreeting(structuredClone(greeting()))!;
const base64 = codecOfGreeting(asJson(greeting()))!;

describe('the codec of a runtime port', () => {
  it('is structured clone if bytes arrive, base64 if messages are JSON', () => {
    expect([clone.name, base64.name]).to.deep.equal(['clone', 'base64']);
  });

  it('is the one that the answer names, also if the answer is sent as JSON', () => {
    for (const codec of [clone, base64]) {
      expect(codecOfAnswer(asJson(greetingAnswer(codec)))).to.equal(codec);
    }
  });

  it('is not determined by other messages', () => {
    const values = [undefined, null, 'hello', {}, { v: 1, kind: 'hello' }, greetingAnswer(clone)];
    for (const value of values) expect(codecOfGreeting(value)).to.equal(undefined);
    const answers = [greeting(), { v: 1, kind: 'hello', codec: 'constructor' }, { codec: 'clone' }];
    for (const value of answers) expect(codecOfAnswer(value)).to.equal(undefined);
  });

  it('preserves messages with any bytes through JSON', () => {
    const part = fc.uint8Array({ maxLength: 70 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), part, (list, one) => {
        const message = { v: 1, params: { list, deep: { one }, text: 'bytes', none: null } };
        expect(base64.decode(asJson(base64.encode(message)))).to.deep.equal(message);
      }),
    );
  });

  it('preserves a full piece through JSON, and takes nothing longer', () => {
    const bytes = Uint8Array.from({ length: MAX_PIECE_BYTES }, (_, i) => i * 7);
    const arrived = base64.decode(asJson(base64.encode({ bytes }))) as { bytes: Uint8Array };
    expect(Buffer.compare(arrived.bytes, bytes)).to.equal(0);
    const longer = new Uint8Array(MAX_PIECE_BYTES + 3);
    expect(base64.decode(asJson(base64.encode({ bytes: longer })))).to.equal(undefined);
  });

  it('never throws for messages of a peer', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (body, bytes) => {
        base64.decode(body);
        base64.decode({ body, bytes });
        base64.decode({ body: { a: null }, bytes: [{ path: ['a'], base64: bytes }] });
      }),
    );
    expect(base64.decode({ body: { a: null }, bytes: [{ path: ['a'], base64: '%' }] })).to.equal(
      undefined,
    );
  });
});
