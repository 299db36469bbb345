import { expect } from 'chai';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { unpacked } from '../../src/rpc/transport/byte-list.ts';
import type { OutputOf, WorkshopMessage } from '../../src/rpc/workshop.ts';
import type { Perform } from '../../src/workshop/contract.ts';
import { allOperations } from '../../src/workshop/operations.ts';
import { serve } from '../../src/workshop/serve.ts';
import { encryptedRecord, packedOf, plainRecord } from '../support/packed.ts';
import { loadWasm } from '../support/wasm.ts';
import { until } from '../support/turns.ts';

/** Node's ports hand over what is transferred as it is, and copy the rest, as a browser's do. */
describe('A worker of the workshop', () => {
  const ports: MessagePort[] = [];
  afterEach(() => ports.splice(0).forEach((port) => port.close()));

  function begun(perform: Perform) {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    const messages: WorkshopMessage[] = [];
    port1.addEventListener('message', ({ data }: MessageEvent<WorkshopMessage>) => {
      messages.push(data);
    });
    port1.start();
    serve(port2, perform);
    return { port: port1, messages };
  }

  async function answerTo(perform: Perform, request: object) {
    const { port, messages } = begun(perform);
    port.postMessage(request);
    await until(() => messages.length > 1);
    expect(messages[0]).to.deep.equal({ type: 'ready' });
    return messages.at(-1);
  }

  const argon2id = {
    operation: 'argon2id',
    secrets: { passphrase: Uint8Array.of(1, 2, 3) },
    params: { salt: new Uint8Array(16), cost: { memoryKiB: 1100, passes: 2, parallelism: 2 } },
  };

  it('does operations of every group', async () => {
    const perform = allOperations(loadWasm);
    const key = await answerTo(perform, argon2id);
    // The known answer of src/engine/fastest-argon2id.ts.
    const hex = '3fd6b459883a99a474211b415b31a357bd2e1009abc9c477151f9b2bd2055565';
    expect(key).to.deep.equal({ type: 'value', value: new Uint8Array(Buffer.from(hex, 'hex')) });
    const digest = await answerTo(perform, {
      operation: 'subtle.digest',
      secrets: { keys: [] },
      params: { algorithm: { name: 'SHA3-256' }, data: new Uint8Array(0) },
    });
    expect(digest).to.have.nested.property('value.length', 32);
    const opened = await answerTo(perform, {
      operation: 'json.open',
      secrets: { passphrase: 'pw', seed: new Uint8Array(32) },
      params: { text: '{}' },
    });
    expect(opened).to.include({ type: 'error', name: 'TypeError' });
    const recipients = await answerTo(perform, {
      operation: 'age.recipientsOf',
      secrets: { identities: ['not one'] },
      params: {},
    });
    expect(recipients).to.include({ type: 'error', name: 'RangeError' });
  });

  it('seals and opens records of sync services, each with its own result', async () => {
    const perform = allOperations(loadWasm);
    const keys = () => [new Uint8Array(32).fill(7)];
    const of = { format: 'sealwright', collection: 'notes' };
    const sealed = await answerTo(perform, {
      operation: 'sync.encryptRecords',
      secrets: { keys: keys(), seed: new Uint8Array(32) },
      params: {
        ...of,
        records: packedOf(plainRecord({ id: 'a', payload: 1 }), Uint8Array.of(1)),
      },
    });
    const { items, failures } = (sealed as { value: OutputOf<'sync.encryptRecords'> }).value;
    expect(failures.map(({ at, error }) => `${at} ${error.code}`)).to.deep.equal([
      '1 INVALID_ARGUMENT',
    ]);
    const payload = Buffer.from(unpacked(items)[0]!).toString();
    const opened = await answerTo(perform, {
      operation: 'sync.decryptRecords',
      secrets: { keys: keys() },
      params: { ...of, records: packedOf(encryptedRecord({ id: 'a', payload })) },
    });
    const value = { items: packedOf(Uint8Array.of(0, 0, 0, 0x31)), failures: [] };
    expect(opened).to.deep.equal({ type: 'value', value });
  });

  it('tells the errors that callers expect by their names, and quotes the names of others', async () => {
    const throwing =
      (error: Error): Perform =>
      () =>
        Promise.reject(error);
    for (const [error, told] of [
      [
        new AuthenticationError(),
        { name: 'AuthenticationError', message: 'Authentication failed' },
      ],
      [new DOMException('no', 'DataError'), { name: 'DataError', message: 'no' }],
      [new DOMException('no', 'SyntaxError'), { name: 'SyntaxError', message: 'no' }],
      [new SyntaxError('why'), { name: 'Failed', message: 'SyntaxError: why' }],
      [new EvalError('why'), { name: 'Failed', message: 'EvalError: why' }],
    ] as const) {
      expect(await answerTo(throwing(error), argon2id)).to.deep.equal({ type: 'error', ...told });
    }
  });

  it('refuses what is no row, or not of its shape', async () => {
    const never: Perform = () => expect.fail('performed');
    const unknown = { ...argon2id, operation: 'vault.read' };
    expect(await answerTo(never, unknown)).to.include({ type: 'error' });
    expect(await answerTo(never, { ...argon2id, params: {} })).to.include({ name: 'Failed' });
  });

  it('wipes the keys in lists too', async () => {
    let given = new Uint8Array(0);
    const perform = ((_operation: string, { secrets }: { secrets: { keys: Uint8Array[] } }) => {
      given = secrets.keys[1] as Uint8Array<ArrayBuffer>;
      return Promise.reject(new Error('no'));
    }) as unknown as Perform;
    const keys = [new Uint8Array(32), new Uint8Array(32).fill(7)];
    const params = { format: 'kinto', collection: 'notes', records: packedOf() };
    await answerTo(perform, { operation: 'sync.decryptRecords', secrets: { keys }, params });
    expect(given).to.deep.equal(new Uint8Array(32));
  });

  it('wipes the secrets of a call, whether it succeeds or fails', async () => {
    for (const outcome of [Promise.resolve(new Uint8Array(32)), Promise.reject(new Error('no'))]) {
      let passphrase = new Uint8Array(0);
      const perform = ((_operation: string, { secrets }: typeof argon2id) => {
        passphrase = secrets.passphrase;
        return outcome;
      }) as unknown as Perform;
      await answerTo(perform, argon2id);
      expect(passphrase).to.deep.equal(new Uint8Array(3));
    }
  });
});
