import { expect } from 'chai';
import sinon from 'sinon';
import { SealwrightSync } from '../../../../extension/page/api/sync.ts';
import type { Calls } from '../../../../extension/page/connection/calls.ts';
import { recordParts, recordText } from '../../../../src/rpc/methods/sync-record.ts';
import { unpacked } from '../../../../src/rpc/transport/byte-list.ts';
import type { ByteList } from '../../../../src/rpc/transport/byte-list.ts';
import { packedOf } from '../../../support/packed.ts';
import { refusalOf } from '../../../support/outcomes.ts';

type Method = (...args: unknown[]) => Promise<unknown>;
type Ok = { ok: boolean; value: Record<string, unknown> };

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const NOTHING = { items: packedOf(), failures: [] };

/** The API over calls that succeed with what the test says; `call.args` shows what would travel. */
function setUp(result: unknown = NOTHING) {
  const call = sinon.stub().resolves(result);
  const sync = new SealwrightSync({ call } as unknown as Calls);
  return { sync: sync as unknown as Record<string, Method>, call };
}

function sent(call: sinon.SinonStub): string[] {
  const { records } = call.args[0]![1] as { records: ByteList };
  return unpacked(records).map((bytes) => {
    const { id, generation, payload } = recordParts(bytes)!;
    return [id, generation, payload].map((part) => Buffer.from(part).toString()).join('|');
  });
}

describe('sealwright.sync', () => {
  it('sends id, payload and generation, and keeps all else', async () => {
    const { sync, call } = setUp();
    const records = [
      { id: 'a', payload: { x: 1 }, generation: 3, secret: 'stays here', f: () => 1 },
      { id: 'ü', payload: null, generation: undefined },
    ];
    await sync.encryptRecords!('notes', records, { key: 'k' });
    expect(call.args[0]![0]).to.equal('sync.encryptRecords');
    expect(call.args[0]![1]).to.include({ collection: 'notes', key: 'k' });
    expect(sent(call)).to.deep.equal(['a|3|{"x":1}', 'ü||null']);
  });

  it('sends arrays as JSON has them, whatever the page has put into Array.prototype', async () => {
    const { sync, call } = setUp();
    const prototype = Array.prototype as { toJSON?: () => string };
    prototype.toJSON = () => 'what Prototype.js 1.6 says';
    try {
      await sync.encryptRecords!('notes', [{ id: 'a', payload: { a: [1, ['x']] } }]);
    } finally {
      delete prototype.toJSON;
    }
    expect(sent(call)).to.deep.equal(['a||{"a":[1,["x"]]}']);
  });

  it('sends what is to be listed, and an empty text for what was deleted', async () => {
    const { sync, call } = setUp({ head: {}, chunks: [] });
    const deleted = { id: 'b', payload: 'sw1.old', deleted: true, generation: 4 };
    await sync.checkpoint!('notes', [{ id: 'a', payload: 'sw1.x', generation: 3 }, deleted]);
    expect(call.args[0]![0]).to.equal('sync.checkpoint');
    expect(sent(call)).to.deep.equal(['a|3|sw1.x', 'b|4|']);
    for (const payload of [undefined, '', 7, null]) {
      const refusal = await refusalOf(sync.checkpoint!('notes', [{ id: 'a', payload }]));
      expect(refusal).to.equal('INVALID_ARGUMENT records[0].payload');
    }
    expect(call.callCount).to.equal(1);
  });

  it('sends what a server has, without generations, and an empty text for what it lacks', async () => {
    const { sync, call } = setUp({ ok: true });
    const records = [
      { id: 'a', payload: 'sw1.x', generation: 3 },
      { id: 'b', deleted: true },
    ];
    const report = await sync.verify!('notes', records, [{ id: 'h', payload: 'sw1.y' }]);
    expect(report).to.deep.equal({ ok: true });
    expect(sent(call)).to.deep.equal(['a||sw1.x', 'b||']);
    const { heads } = call.args[0]![1] as { heads: ByteList };
    expect(unpacked(heads)).to.have.length(1);
    const wrong = await refusalOf(sync.verify!('notes', records, 7));
    expect(wrong).to.equal('INVALID_ARGUMENT heads');
  });

  it('gives the fields of each record back, with its payload; a key id where the format has one', async () => {
    const answer = { items: packedOf(text('P0'), text('')), kid: 'kid-1' };
    const error = { code: 'INVALID_ARGUMENT', message: 'no' };
    const { sync } = setUp({ ...answer, failures: [{ at: 1, error }] });
    const record = { id: 'a', payload: 1, last_modified: 7, ['__proto__own']: 2 };
    const [one, two] = (await sync.encryptRecords!('n', [record, { id: 'b', payload: 2 }])) as Ok[];
    expect(one).to.deep.equal({ ok: true, value: { ...record, payload: 'P0', kid: 'kid-1' } });
    expect(two).to.have.nested.property('error.code', 'INVALID_ARGUMENT');
    expect(record.payload).to.equal(1);
  });

  it('takes what was decrypted as JSON: payload, and the generation that was sealed', async () => {
    const items = packedOf(text(recordText('', '9', '{"n":1}')), text(recordText('', '', '[]')));
    const { sync } = setUp({ items, failures: [] });
    const stored = [
      { id: 'a', payload: 'x', generation: 8, etag: 'e' },
      { id: 'b', payload: 'y' },
    ];
    const results = (await sync.decryptRecords!('n', stored)) as Ok[];
    expect(results.map(({ value }) => value)).to.deep.equal([
      { id: 'a', payload: { n: 1 }, generation: 9, etag: 'e' },
      { id: 'b', payload: [] },
    ]);
  });

  it('a field called __proto__ stays a field', async () => {
    const { sync } = setUp({ items: packedOf(text('P')), failures: [] });
    const record = JSON.parse('{"id":"a","payload":1,"__proto__":{"polluted":true}}') as object;
    const [one] = (await sync.encryptRecords!('n', [record])) as Ok[];
    expect(Object.getPrototypeOf(one!.value)).to.equal(Object.prototype);
    expect(Object.hasOwn(one!.value, '__proto__')).to.equal(true);
    expect('polluted' in one!.value).to.equal(false);
  });

  it('reads every field once, before the first await', async () => {
    const { sync, call } = setUp();
    const id = sinon.stub().returns('a');
    const record = { payload: 1 };
    Object.defineProperty(record, 'id', { get: id, enumerable: true });
    const running = sync.encryptRecords!('n', [record]);
    record.payload = 2;
    expect(id.callCount).to.equal(1);
    expect(sent(call)).to.deep.equal(['a||1']);
    await running;
  });

  it('refuses malformed records to encrypt, naming the field, before anything travels', async () => {
    const { sync, call } = setUp();
    const cyclic: Record<string, unknown> = { id: 'a' };
    cyclic['payload'] = cyclic;
    for (const [records, name] of [
      ['text', 'records'],
      [Array(10_001).fill({ id: 'a', payload: 1 }), 'records'],
      [[5], 'records[0]'],
      [[{ payload: 1 }], 'records[0].id'],
      [[{ id: '\ud800', payload: 1 }], 'records[0].id'],
      [[{ id: 'a' }], 'records[0].payload'],
      [[{ id: 'a', payload: () => 1 }], 'records[0].payload'],
      [
        [
          { id: 'a', payload: 1 },
          { id: 'a', payload: 1n },
        ],
        'records[1]',
      ],
      [[cyclic], 'records[0]'],
    ] as const) {
      expect(await refusalOf(sync.encryptRecords!('n', records))).to.equal(
        `INVALID_ARGUMENT ${name}`,
      );
    }
    expect(await refusalOf(sync.encryptRecords!('', []))).to.equal('INVALID_ARGUMENT collection');
    expect(await refusalOf(sync.encryptRecords!('x'.repeat(65), []))).to.match(/^INVALID/);
    expect(await refusalOf(sync.encryptRecords!('n', [], { kee: 1 }))).to.match(/options\.kee$/);
    expect(call.callCount).to.equal(0);
  });

  it('sends what a server gave as it is: what it lacks spoils one record alone', async () => {
    const { sync, call } = setUp();
    await sync.decryptRecords!('n', [
      {},
      { id: 5, payload: { in: 'clear' } },
      { id: 'a', payload: '' },
      { id: '\ud800', payload: 'x' },
      { id: 'a'.repeat(513), payload: 'x' },
      { id: 'b', payload: 'x', generation: '3' },
    ]);
    expect(sent(call)).to.deep.equal(['||', '||', 'a||', '||x', '||x', 'b|null|x']);
  });

  it('loads and makes the keys of collections', async () => {
    const { sync, call } = setUp(text('{"ciphertext":"…"}'));
    expect(await sync.createCollectionKeys!(['a'], { key: 'k' })).to.deep.equal({
      id: 'keys',
      payload: '{"ciphertext":"…"}',
    });
    expect(call.args[0]).to.deep.include({ collections: ['a'], key: 'k' });
    await sync.loadCollectionKeys!({ id: 'keys', payload: '{}' });
    expect(call.args[1]![1]).to.deep.equal({ payload: text('{}') });
    for (const record of [undefined, null, {}, { id: 'key', payload: '{}' }]) {
      expect(await refusalOf(sync.loadCollectionKeys!(record))).to.equal('INVALID_ARGUMENT record');
    }
    const wrong = sync.loadCollectionKeys!({ id: 'keys', payload: {} });
    expect(await refusalOf(wrong)).to.equal('INVALID_ARGUMENT record.payload');
  });

  it('is frozen, with its prototype', () => {
    const { sync } = setUp();
    expect(Object.isFrozen(sync)).to.equal(true);
    expect(Object.isFrozen(SealwrightSync.prototype)).to.equal(true);
  });
});
