import { expect } from 'chai';
import type { Runtime } from 'webextension-polyfill';
import {
  askToOpenMark,
  onMarkRequest,
} from '../../../../extension/platform/fields/mark-requests.ts';

type Listener = (message: unknown, sender: object) => unknown;

describe('platform/mark-requests', () => {
  it('carry nothing but that a mark was pressed; where, the browser says', async () => {
    let listener: Listener = () => undefined;
    const begun: unknown[] = [];
    const onMessage = { addListener: (it: Listener) => (listener = it) };
    const runtime = { id: 'own', onMessage } as unknown as Runtime.Static;
    onMarkRequest(runtime, (place) => begun.push(place));
    const sent: unknown[] = [];
    const sendMessage = (message: unknown) => Promise.resolve(sent.push(message));
    await askToOpenMark({ sendMessage });

    const sender = { id: 'own', tab: { id: 7 }, frameId: 3 };
    listener('something else', sender);
    listener(sent[0], { ...sender, id: 'another extension' });
    listener(sent[0], { ...sender, tab: undefined });
    expect(begun).to.deep.equal([]);
    expect(listener(sent[0], sender)).to.equal(undefined);
    expect(begun).to.deep.equal([{ tabId: 7, frameId: 3, isMarked: true }]);
  });

  it('come to nothing where the background is gone', async () => {
    const sendMessage = () => Promise.reject(new Error('Extension context invalidated.'));
    await askToOpenMark({ sendMessage });
  });
});
