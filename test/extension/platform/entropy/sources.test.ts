import { expect } from 'chai';
import { watchKeyboard } from '../../../../extension/platform/entropy/keyboard-source.ts';
import { watchPointer } from '../../../../extension/platform/entropy/pointer-source.ts';
import { SampleBatch } from '../../../../extension/platform/entropy/sample-batch.ts';
import { FakePointerEvent } from '../../fake-pointer-event.ts';

/** Of the browser's class, which Node lacks; `isTrusted` is the browser's to set. */
class FakeKeyboardEvent extends Event {
  override readonly isTrusted: boolean;
  readonly repeat: boolean;
  constructor(type: string, trusted: boolean, repeat: boolean) {
    super(type);
    this.isTrusted = trusted;
    this.repeat = repeat;
  }
  get key(): never {
    throw new Error('which key it was must not be read');
  }
  get code(): never {
    throw new Error('which key it was must not be read');
  }
}

describe('entropy sources of our own pages', () => {
  const globals = globalThis as unknown as Record<string, unknown>;
  const before = { PointerEvent: globals.PointerEvent, KeyboardEvent: globals.KeyboardEvent };
  beforeEach(() => {
    Object.assign(globals, { PointerEvent: FakePointerEvent, KeyboardEvent: FakeKeyboardEvent });
  });
  afterEach(() => {
    Object.assign(globals, before);
  });

  it('take pointer movements that a person made', () => {
    const { target, batch, stop } = watched(watchPointer);
    target.dispatchEvent(new FakePointerEvent(1, 1));
    target.dispatchEvent(new FakePointerEvent(2, 5));
    expect(batch.count).to.equal(1);
    expect([...batch.take()].slice(4)).to.deep.equal([0, 1, 0, 4]);
    stop();
  });

  it('ignore pointer movements that a script made', () => {
    const { target, batch } = watched(watchPointer);
    for (let step = 0; step < 5; step++) {
      target.dispatchEvent(new FakePointerEvent(step, 0, { isTrusted: false }));
    }
    expect(batch.count).to.equal(0);
  });

  it('take the times of keys, both ways, and never look which', () => {
    const { target, batch } = watched(watchKeyboard);
    for (const type of ['keydown', 'keyup', 'keydown']) {
      target.dispatchEvent(new FakeKeyboardEvent(type, true, false));
    }
    expect(batch.count).to.equal(2);
    expect([...batch.take()].filter((_, index) => index % 8 > 3)).to.deep.equal(
      Array<number>(8).fill(0),
    );
  });

  it('ignore keys that a script made, and the repetition of a held key', () => {
    const { target, batch } = watched(watchKeyboard);
    for (let step = 0; step < 4; step++) {
      target.dispatchEvent(new FakeKeyboardEvent('keydown', false, false));
      target.dispatchEvent(new FakeKeyboardEvent('keydown', true, true));
    }
    expect(batch.count).to.equal(0);
  });

  it('stop when told to', () => {
    const { target, batch, stop } = watched(watchPointer);
    stop();
    for (let step = 0; step < 3; step++) target.dispatchEvent(new FakePointerEvent(step, 0));
    expect(batch.count).to.equal(0);
  });

  function watched(watch: (target: EventTarget, batch: SampleBatch) => () => void) {
    const target = new EventTarget();
    const batch = new SampleBatch();
    return { target, batch, stop: watch(target, batch) };
  }
});
