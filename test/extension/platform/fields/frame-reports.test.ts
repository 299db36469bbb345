import { expect } from 'chai';
import type { Runtime } from 'webextension-polyfill';
import {
  FRAME_REPORT,
  onFrameReport,
} from '../../../../extension/platform/fields/frame-reports.ts';

type Listener = (message: unknown, sender: object) => unknown;

describe('platform/frame-reports', () => {
  it('tell of a frame what the browser says of the sender', async () => {
    let listener: Listener = () => undefined;
    const told: unknown[] = [];
    const onMessage = { addListener: (it: Listener) => (listener = it) };
    const runtime = { id: 'own', onMessage } as unknown as Runtime.Static;
    onFrameReport(runtime, (...report) => told.push(report));
    const sender = { id: 'own', tab: { id: 7 }, frameId: 3, origin: 'https://a.example' };
    const origins = ['https://a.example', 'null', 'file://', undefined];
    for (const origin of origins) {
      expect(await listener(`${FRAME_REPORT}x`, { ...sender, origin })).to.equal(true);
    }
    listener(`${FRAME_REPORT}x`, { ...sender, id: 'another extension' });
    listener(`${FRAME_REPORT}x`, { ...sender, tab: undefined });
    listener({ frame: 'x' }, sender);
    const frame = { tabId: 7, frameId: 3 };
    expect(told).to.deep.equal([
      ['x', { ...frame, origin: 'https://a.example' }],
      ...[null, null, null].map((origin) => ['x', { ...frame, origin }]),
    ]);
  });
});
