import { expect } from 'chai';
import { FakeFrame } from '../../fake-frame.ts';
import { FormGuard } from '../../../../extension/fields/auto-seal/form-guard.ts';
import { Editors } from '../../../../extension/fields/editor/editors.ts';
import type { GuardBackground } from '../../../../extension/fields/auto-seal/sealing.ts';
import { SealwrightError } from '../../../../src/rpc/errors.ts';
import { fakeDocument, fakeField } from './fake-fields.ts';

type Listener = (event: object) => void;

/** An event that tells what became of it. */
function fakeEvent(type: string, target: object, more: object = {}) {
  const fate = { isPrevented: false, isStopped: false, type, target };
  const preventDefault = () => (fate.isPrevented = true);
  const stopImmediatePropagation = () => (fate.isStopped = true);
  const composedPath = () => [target];
  const own = { isTrusted: true, clientX: 0, clientY: 0 };
  return Object.assign(
    fate,
    { ...own, preventDefault, stopImmediatePropagation, composedPath },
    more,
  );
}

class FakeEvent {
  readonly type: string;
  constructor(type: string) {
    this.type = type;
  }
}

describe('the guard of forms', () => {
  const world = globalThis as { [name: string]: unknown };
  const CONSTRUCTORS = ['PointerEvent', 'MouseEvent', 'TouchEvent'] as const;
  const before_ = new Map<string, PropertyDescriptor | undefined>();

  before(() => {
    for (const name of [...CONSTRUCTORS, 'navigator']) {
      before_.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    }
    for (const name of CONSTRUCTORS) world[name] = FakeEvent;
    const value = { userActivation: { isActive: true } };
    Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
  });

  after(() => {
    for (const [name, descriptor] of before_) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  });

  /** A page with one field that holds text, while the vault is locked. */
  async function guarded({ isAlive = true, isUnsealedWanted = false } = {}) {
    const listeners = new Map<string, Listener>();
    const window = {
      opener: null,
      length: 0,
      dispatchEvent: () => true,
      addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
      removeEventListener: (type: string) => listeners.delete(type),
    };
    const repeated: string[] = [];
    const button = {
      localName: 'button',
      closest: () => null,
      dispatchEvent: ({ type }: Event) => repeated.push(type),
    };
    const field = fakeField({ name: 'message' }, 'a text');
    const state = { isAlive, asked: 0, reasons: [] as string[], answer: 'LOCKED' };
    const background: GuardBackground = {
      isAlive: () => state.isAlive,
      guardedFields: () => Promise.reject(new SealwrightError('LOCKED', 'The vault is locked')),
      seal: () => Promise.reject(new SealwrightError('LOCKED', 'The vault is locked')),
      formStopped: (reason) => Promise.resolve(void state.reasons.push(reason)),
      openSealed: () => Promise.resolve(),
    };
    const ask = () => (state.asked++, isUnsealedWanted);
    const document = fakeDocument([field], window);
    Object.assign(window, { top: window, origin: 'https://a.example' });
    const guard = new FormGuard(document, background, new Editors(document, ''), ask);
    guard.start();
    guard.learn();
    await Promise.resolve();
    const dispatch = (type: string, target: object = button) => {
      const event = fakeEvent(type, target);
      listeners.get(type)?.(event);
      return event;
    };
    return { state, guard, field, button, repeated, listeners, dispatch };
  }

  const settled = () => new Promise((resume) => setTimeout(resume));
  const PRESS = ['pointerup', 'mouseup', 'click'];

  it('withholds every event of a press, and reports the press once', async () => {
    const { dispatch, state } = await guarded();
    const events = PRESS.map((type) => dispatch(type));
    expect(events.map((event) => event.isStopped)).to.deep.equal([true, true, true]);
    await settled();
    expect(state.reasons).to.deep.equal(['locked']);
  });

  it('repeats the events of a press in their order, and none of a second press', async () => {
    const { dispatch, field, repeated } = await guarded();
    for (const type of [...PRESS, ...PRESS]) dispatch(type);
    field.value = '';
    await settled();
    expect(repeated).to.deep.equal(PRESS);
  });

  it('lets the click follow a touch', async () => {
    const { dispatch, button } = await guarded();
    const touch = fakeEvent('touchend', button, { changedTouches: [{ clientX: 0, clientY: 0 }] });
    const { listeners } = await guarded();
    listeners.get('touchend')!(touch);
    expect([touch.isStopped, touch.isPrevented]).to.deep.equal([true, false]);
    expect(dispatch('click').isPrevented).to.equal(true);
  });

  it('is not stopped by a page that announces another one', async () => {
    const { dispatch } = await guarded();
    dispatch('sealwright-guard-started');
    expect(dispatch('submit').isStopped).to.equal(true);
  });

  it('listens to the page again after document.open() has taken its listeners, until it is stopped', async () => {
    const { dispatch, guard, listeners } = await guarded();
    listeners.clear();
    new FakeFrame().openDocument();
    expect(dispatch('submit').isStopped).to.equal(true);
    guard.stop();
    new FakeFrame().openDocument();
    expect(listeners.size).to.equal(0);
  });

  describe('whose extension has ended', () => {
    it('is stopped by the one of the new version', async () => {
      const { dispatch } = await guarded({ isAlive: false });
      dispatch('sealwright-guard-started');
      expect(dispatch('submit').isStopped).to.equal(false);
    });

    it('withholds and asks the user once for a press', async () => {
      const { dispatch, state } = await guarded({ isAlive: false });
      const events = [...PRESS, ...PRESS].map((type) => dispatch(type));
      expect(events.every((event) => event.isStopped)).to.equal(true);
      await settled();
      expect(state).to.deep.include({ asked: 1, reasons: [] });
    });

    it('holds back what the page submits by itself, without a question to the user', async () => {
      const { dispatch, state } = await guarded({ isAlive: false, isUnsealedWanted: true });
      expect(dispatch('submit').isStopped).to.equal(true);
      expect(state.asked).to.equal(0);
    });

    it('lets go for good once the user says so', async () => {
      const { dispatch, state } = await guarded({ isAlive: false, isUnsealedWanted: true });
      expect(dispatch('pointerup').isStopped).to.equal(true);
      expect(dispatch('click').isStopped).to.equal(false);
      expect(dispatch('pointerup').isStopped).to.equal(false);
      expect(state.asked).to.equal(1);
    });
  });
});
