import { expect } from 'chai';
import type { Runtime } from 'webextension-polyfill';
import {
  FRAME_REPORT,
  onFrameReport,
} from '../../../../extension/platform/fields/frame-reports.ts';

type Listener = (message: unknown, sender: object, answer: (value: unknown) => void) => unknown;

describe('platform/frame-reports', () => {
  it('tell of a frame what the browser says of the sender, and answer', () => {
    let listener: Listener = () => undefined;
    const [told, answers]: [unknown[], unknown[]] = [[], []];
    const answer = (value: unknown) => answers.push(value);
    const onMessage = { addListener: (it: Listener) => (listener = it) };
    const runtime = { id: 'own', onMessage } as unknown as Runtime.Static;
    onFrameReport(runtime, (...report) => told.push(report));
    const sender = { id: 'own', tab: { id: 7 }, frameId: 3, origin: 'https://a.example' };
    const origins = ['https://a.example', 'null', 'file://', undefined];
    for (const origin of origins) {
      listener(`${FRAME_REPORT}x`, { ...sender, origin }, answer);
    }
    expect(answers).to.deep.equal([true, true, true, true]);
    listener(`${FRAME_REPORT}x`, { ...sender, id: 'another extension' }, answer);
    listener(`${FRAME_REPORT}x`, { ...sender, tab: undefined }, answer);
    listener({ frame: 'x' }, sender, answer);
    expect(answers).to.have.length(4);
    const frame = { tabId: 7, frameId: 3 };
    expect(told).to.deep.equal([
      ['x', { ...frame, origin: 'https://a.example' }],
      ...[null, null, null].map((origin) => ['x', { ...frame, origin }]),
    ]);
  });
});
