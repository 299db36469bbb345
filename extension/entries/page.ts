import { isServedFrame } from '../../src/rpc/hello.ts';
import { Sealwright } from '../page/api/api.ts';
import { Calls } from '../page/connection/calls.ts';
import { installCryptoRandom } from '../page/crypto-random.ts';
import { announce, isServedAlready, installProvider } from '../page/connection/discovery.ts';
import { providerInfo } from '../page/connection/info.ts';
import { PageConnection } from '../page/connection/connection.ts';
import { dispatch, ownCrypto, randomUUID, SafeEvent } from '../page/primordials.ts';
import { builtInsWork, RELOAD } from '../page/self-check.ts';
import { CONTENT_SCRIPT } from '../page/connection/deferred-channel.ts';
import { messagesWork } from '../platform/channels/message-port.ts';
import { onRewritten } from '../platform/channels/rewritten.ts';
import { windowChannel } from '../platform/channels/window-channel.ts';
import { WindowEvents } from '../platform/channels/window-channel-events.ts';

function main(): void {
  if (isServedAlready(window)) return;
  const newId = (): string => randomUUID(ownCrypto);
  const events = new WindowEvents(window);
  const connection = new PageConnection({
    events,
    openChannel: (port) => windowChannel(port, CONTENT_SCRIPT, events, 'page'),
    newId,
    onEvent: (name) => dispatch(provider, new SafeEvent(name)),
  });
  const info = providerInfo(newId());
  const provider = new Sealwright(info, new Calls(connection));
  installProvider(window, provider);
  installCryptoRandom(ownCrypto, (length) => provider.random(length));
  announce(window, info, provider, (addAgain) => onRewritten(document, addAgain));
}

if (isServedFrame(window)) {
  if (builtInsWork(messagesWork)) main();
  else throw new Error(RELOAD);
}
