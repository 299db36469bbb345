import { createHash } from 'node:crypto';
import { runInThisContext } from 'node:vm';
import { expect } from 'chai';
import { FakeFrame } from '../fake-frame.ts';
import { Movements, STIR_EVERY_MS } from '../../../extension/content/movements.ts';
import {
  MOVEMENTS_KEY,
  startScript,
  stopScript,
} from '../../../extension/platform/sites/page-scripts.ts';
import { SampleBatch } from '../../../extension/platform/entropy/sample-batch.ts';
import { FakePointerEvent } from '../fake-pointer-event.ts';
import { turns, until } from '../../support/turns.ts';

/** Time enough for a hash that should not be: another one's. */
async function settled(): Promise<void> {
  await crypto.subtle.digest('SHA-256', new Uint8Array(1024));
  await turns(1);
}

/** One more than a batch has samples: the first starts the clock. */
const A_BATCH = 33;

describe('movements on a site', () => {
  const globals = globalThis as unknown as Record<string, unknown>;
  const before = globals.PointerEvent;
  let target: FakeFrame;
  let listeners: number;
  let stirred: Uint8Array[];
  let answer: () => Promise<boolean>;
  let movements: Movements;

  beforeEach(() => {
    globals.PointerEvent = FakePointerEvent;
    listeners = 0;
    stirred = [];
    answer = () => Promise.resolve(true);
    target = new FakeFrame();
    const [add, remove] = ['addEventListener', 'removeEventListener'] as const;
    const counted = {
      document: target.document,
      [add]: (...args: Parameters<EventTarget[typeof add]>) => {
        listeners += 1;
        target.addEventListener(...args);
      },
      [remove]: (...args: Parameters<EventTarget[typeof remove]>) => {
        listeners -= 1;
        target.removeEventListener(...args);
      },
      dispatchEvent: (event: Event) => target.dispatchEvent(event),
    };
    movements = new Movements(counted, (digest) => {
      stirred.push(digest);
      return answer();
    });
  });
  afterEach(() => {
    globals.PointerEvent = before;
  });

  function move(count: number, from = 0): void {
    for (let i = 0; i < count; i++) {
      target.dispatchEvent(new FakePointerEvent(3 * i, 100 - i, { timeStamp: from + 8 * i }));
    }
  }

  it('leave it as the digest of a whole batch and not before', async () => {
    move(A_BATCH - 1);
    await settled();
    expect(stirred).to.deep.equal([]);
    target.dispatchEvent(new FakePointerEvent(3 * 32, 100 - 32, { timeStamp: 8 * 32 }));
    await until(() => stirred.length > 0);
    const batch = new SampleBatch();
    for (let i = 0; i < A_BATCH; i++) batch.add(8 * i, 3 * i, 100 - i);
    const expected = createHash('sha256').update(batch.take()).digest();
    expect(stirred.map((digest) => Buffer.from(digest))).to.deep.equal([expected]);
  });

  it('wake the background three times a minute at most', async () => {
    move(A_BATCH);
    await until(() => stirred.length === 1);
    move(10 * A_BATCH, 300);
    await settled();
    expect(stirred).to.have.length(1);
    move(1, STIR_EVERY_MS + 8 * (A_BATCH - 1));
    await until(() => stirred.length === 2);
    expect(stirred[1]).to.not.deep.equal(stirred[0]);
  });

  it('are listened to again after document.open(), and once', () => {
    target.openDocument();
    target.openDocument();
    expect(listeners).to.equal(1);
  });

  it('are listened to no more when the background wants none', async () => {
    expect(listeners).to.equal(1);
    answer = () => Promise.resolve(false);
    move(A_BATCH);
    await until(() => listeners === 0);
  });

  it('are listened to no more when there is no background to tell', async () => {
    answer = () => Promise.reject(new Error('gone'));
    move(A_BATCH);
    await until(() => listeners === 0);
  });

  it('end where the background says so, and where a successor starts', () => {
    const ended: string[] = [];
    startScript(globalThis, MOVEMENTS_KEY, () => ({ stop: () => ended.push('first') }));
    startScript(globalThis, MOVEMENTS_KEY, () => ({ stop: () => ended.push('second') }));
    expect(ended).to.deep.equal(['first']);
    // As the browser runs it: by its text, with nothing of ours around it.
    const alone = runInThisContext(`(${stopScript.toString()})`) as typeof stopScript;
    alone(MOVEMENTS_KEY);
    alone(MOVEMENTS_KEY);
    expect(ended).to.deep.equal(['first', 'second']);
    movements.stop();
    expect(listeners).to.equal(0);
  });
});
