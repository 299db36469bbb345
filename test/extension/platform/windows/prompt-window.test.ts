import { expect } from 'chai';
import sinon from 'sinon';
import type { Tabs, Windows } from 'webextension-polyfill';
import { ownWindows } from '../../../../extension/platform/windows/own-windows.ts';
import { PromptWindow } from '../../../../extension/platform/windows/prompt-window.ts';
import { MemoryLocks } from '../../../../extension/testing/memory.ts';
import { MemorySession } from '../../../support/stores/memory-store.ts';
import { settled } from '../../../support/service-fakes.ts';

describe('The prompt window', () => {
  let open: Set<number>;
  let removedListener: (windowId: number) => void;
  let session: MemorySession;
  let windows: ReturnType<typeof fakeWindows>;
  let prompt: PromptWindow;
  let closedByUser: string[];

  function fakeWindows() {
    let last = 0;
    const requireOpen = (id: number): Promise<void> =>
      open.has(id) ? Promise.resolve() : Promise.reject(new Error(`No window with id: ${id}.`));
    return {
      create: sinon
        .stub<[Windows.CreateCreateDataType], Promise<{ id: number }>>()
        .callsFake(() => {
          open.add(++last);
          return Promise.resolve({ id: last });
        }),
      update: sinon.stub<[number, object], Promise<void>>().callsFake(requireOpen),
      remove: sinon.spy(async (id: number) => {
        await requireOpen(id);
        userCloses(id);
      }),
      getLastFocused: sinon.stub().resolves({ left: 100, top: 50, width: 1040 }),
      onRemoved: {
        addListener: (listener: typeof removedListener) => (removedListener = listener),
      },
    };
  }

  function userCloses(windowId: number): void {
    open.delete(windowId);
    removedListener(windowId);
  }

  function newWorker(): PromptWindow {
    const runtime = { getURL: (path: string) => `chrome-extension://id/${path}` };
    const made = new PromptWindow({
      windows: ownWindows({
        windows: windows as unknown as Windows.Static,
        tabs: {} as Tabs.Static,
      }),
      runtime,
      session,
      locks: new MemoryLocks(),
    });
    made.onClosed((promptId) => void closedByUser.push(promptId));
    return made;
  }

  beforeEach(() => {
    open = new Set();
    session = new MemorySession();
    windows = fakeWindows();
    closedByUser = [];
    prompt = newWorker();
  });

  it('opens over the window in front, with the prompt’s id and nothing else in its address', async () => {
    await prompt.show('id/&?');
    const [data] = windows.create.firstCall.args;
    expect(data).to.deep.include({
      type: 'popup',
      url: 'chrome-extension://id/prompt.html?id=id%2F%26%3F',
      left: 100 + (1040 - 440) / 2,
      top: 130,
    });
  });

  it('opens where the browser likes when it does not say what is in front', async () => {
    windows.getLastFocused.rejects(new Error('No window is focused'));
    await prompt.show('p');
    expect(windows.create.firstCall.args[0]).to.not.have.any.keys('left', 'top');
  });

  it('is one window for one prompt, brought to the front', async () => {
    await Promise.all([prompt.show('p'), prompt.show('p')]);
    await prompt.show('p');
    expect(windows.create.callCount).to.equal(1);
    expect(windows.update.lastCall.args).to.deep.equal([1, { focused: true }]);
    await prompt.show('q');
    expect(windows.create.callCount).to.equal(2);
  });

  it('is still known after the worker died', async () => {
    await prompt.show('p');
    prompt = newWorker();
    await prompt.show('p');
    expect(windows.create.callCount).to.equal(1);
    userCloses(1);
    await settled();
    expect(closedByUser).to.deep.equal(['p']);
  });

  it('opens anew when its window closed without an event', async () => {
    await prompt.show('p');
    open.clear();
    await prompt.show('p');
    expect(windows.create.callCount).to.equal(2);
  });

  it('tells of windows that the user closed, not of those that we close', async () => {
    await prompt.show('p');
    await prompt.show('q');
    await prompt.close('p');
    userCloses(2);
    userCloses(99);
    await settled();
    expect(closedByUser).to.deep.equal(['q']);
    await prompt.close('p');
    await prompt.close('unknown');
  });

  it('rejects when no window can be opened', async () => {
    windows.create.rejects(new Error('no windows'));
    const outcome = await prompt.show('p').then(
      () => 'shown',
      () => 'rejected',
    );
    expect(outcome).to.equal('rejected');
  });
});
