import { expect } from 'chai';
import type { Runtime } from 'webextension-polyfill';
import {
  onPageShown,
  reportShown,
  REPORTS,
} from '../../../../extension/platform/sites/page-shown.ts';

type Listener = (message: unknown, sender: Runtime.MessageSender) => unknown;

describe('Reports that a page was shown', () => {
  it('count up to a number for each tab, and again later', async () => {
    const listeners: Listener[] = [];
    const onMessage = { addListener: (one: Listener) => listeners.push(one) };
    const runtime = { id: 'sealwright', onMessage } as unknown as Runtime.Static;
    let [now, heard] = [1_000, 0];
    onPageShown(
      runtime,
      () => heard++,
      () => now,
    );
    const report = (tabId: number) => {
      const sender = { id: 'sealwright', tab: { id: tabId } } as Runtime.MessageSender;
      const sendMessage = (message: string) => Promise.resolve(listeners[0]!(message, sender));
      return reportShown({ sendMessage });
    };
    for (let i = 0; i < REPORTS.ofTab + 5; i++) await report(1);
    expect(heard).to.equal(REPORTS.ofTab);
    await report(2);
    expect(heard).to.equal(REPORTS.ofTab + 1);
    now += REPORTS.withinMs;
    await report(1);
    expect(heard).to.equal(REPORTS.ofTab + 2);
    now = 0;
    for (let i = 0; i < REPORTS.ofTab; i++) await report(1);
    expect(heard, 'a clock that was set back').to.equal(2 * REPORTS.ofTab + 2);
  });
});
