import { expect } from 'chai';
import {
  derivingInWorkers,
  serveDerivation,
  type DerivationRequest,
  type DerivationWorker,
  type WorkerScope,
} from '../../open-page/derivation.ts';
import type { PassphraseKdf } from '../../src/format/passphrase.ts';
import { utf8 } from '../../src/crypto/bytes.ts';

const REQUEST: DerivationRequest = {
  kdf: 'Argon2id',
  passphrase: utf8('words'),
  salt: new Uint8Array(16),
  cost: { memoryKiB: 19_456, passes: 2, parallelism: 1 },
};
const KEY = new Uint8Array(32).fill(7);
const argon2id: PassphraseKdf = () => Promise.resolve(KEY.slice());
const signal = () => new AbortController().signal;

interface FakeWorker extends DerivationWorker {
  isTerminated: boolean;
}

/** A worker whose inside is `serve`, or which does something else with its request. */
function worker(onRequest: (request: DerivationRequest, self: FakeWorker) => void): FakeWorker {
  const self: FakeWorker = {
    isTerminated: false,
    onmessage: null,
    onerror: null,
    postMessage: (request: DerivationRequest) => onRequest(request, self),
    terminate: () => {
      self.isTerminated = true;
    },
  };
  return self;
}

const answering = (kdf: PassphraseKdf) =>
  worker((data, self) => {
    const scope = {
      postMessage(answer: unknown) {
        self.onmessage?.call(self as unknown as Worker, { data: answer } as MessageEvent);
      },
    } as WorkerScope;
    serveDerivation(scope, kdf);
    scope.onmessage!.call(scope as unknown as Worker, { data } as MessageEvent);
  });

describe('derivations of the page', () => {
  it('are made in a worker, which ends with its answer', async () => {
    const made = answering(argon2id);
    const here: PassphraseKdf = () => Promise.reject(new Error('it was made on this thread'));
    expect(await derivingInWorkers(() => made, here)(REQUEST, signal())).to.deep.equal(KEY);
    expect(made.isTerminated).to.equal(true);
  });

  it('by scrypt give the key of RFC 7914, section 12', async () => {
    const request: DerivationRequest = {
      kdf: 'scrypt',
      passphrase: utf8('password'),
      salt: utf8('NaCl'),
      cost: { N: 1024, r: 8, p: 16 },
    };
    const key = await derivingInWorkers(() => answering(argon2id), argon2id)(request, signal());
    expect(Buffer.from(key).toString('hex')).to.equal(
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162',
    );
  });

  it('are made on this thread where no worker starts', async () => {
    const startless = derivingInWorkers(() => {
      throw new DOMException('refused', 'SecurityError');
    }, argon2id);
    expect(await startless(REQUEST, signal())).to.deep.equal(KEY);
    const failing = worker((_, self) => {
      self.onerror?.call(self as unknown as Worker, {} as ErrorEvent);
    });
    expect(await derivingInWorkers(() => failing, argon2id)(REQUEST, signal())).to.deep.equal(KEY);
    expect(failing.isTerminated).to.equal(true);
  });

  it('end at once when they are cancelled', async () => {
    const controller = new AbortController();
    const endless = worker(() => undefined);
    const key = derivingInWorkers(() => endless, argon2id)(REQUEST, controller.signal);
    controller.abort(new Error('cancelled'));
    const error = await key.catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal('cancelled');
    expect(endless.isTerminated).to.equal(true);
  });

  it('say that memory is missing, and are not tried on this thread then', async () => {
    const full = answering(() => Promise.reject(new RangeError('no memory')));
    const error = await derivingInWorkers(() => full, argon2id)(REQUEST, signal()).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(RangeError);
  });
});
