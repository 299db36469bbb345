import { expect } from 'chai';
import { connectToBackground } from '../../../../extension/platform/channels/background-channel.ts';
import {
  listenForChannels,
  PORTS_OF_DOCUMENT,
} from '../../../../extension/platform/channels/runtime-channel.ts';
import type { Channel } from '../../../../src/rpc/channel.ts';
import { FakeRuntime } from '../../fake-frame.ts';
import { turns } from '../../../support/turns.ts';

describe('The ports of a document', () => {
  function begun() {
    const runtime = new FakeRuntime();
    const accepted: Channel[] = [];
    listenForChannels(runtime.asRuntime, (channel) => accepted.push(channel));
    /** @returns the channels that are still open when the background has seen them */
    const connect = async (count: number): Promise<Channel[]> => {
      const channels = Array.from({ length: count }, () => connectToBackground(runtime.asRuntime));
      const closed = new Set<Channel>();
      for (const channel of channels) channel.onClose(() => closed.add(channel));
      await turns(2);
      return channels.filter((channel) => !closed.has(channel));
    };
    return { runtime, accepted, connect };
  }

  it('are so many at once; more are closed, and leave nothing behind', async () => {
    const { accepted, connect } = begun();
    const open = await connect(10 * PORTS_OF_DOCUMENT);
    expect(open).to.have.length(PORTS_OF_DOCUMENT);
    expect(accepted).to.have.length(PORTS_OF_DOCUMENT);
    expect(await connect(1)).to.be.empty;
    open[0]!.close();
    accepted[1]!.close();
    expect(await connect(3), 'one for each that was closed, by either side').to.have.length(2);
  });

  it('are counted for each document, and not for pages of the extension', async () => {
    const { runtime, connect } = begun();
    await connect(PORTS_OF_DOCUMENT);
    const sender = runtime.sender as object;
    runtime.sender = { ...sender, documentId: 'D2' };
    expect(await connect(1)).to.have.length(1);
    runtime.sender = { ...sender, origin: 'https://other.example' };
    expect(await connect(1)).to.have.length(1);
    runtime.sender = {
      id: 'abcdefgh',
      frameId: 0,
      documentId: 'D1',
      url: runtime.getURL('popup.html'),
      origin: runtime.getURL('').slice(0, -1),
    };
    expect(await connect(2 * PORTS_OF_DOCUMENT)).to.have.length(2 * PORTS_OF_DOCUMENT);
  });
});
