import { isServedFrame } from '../../src/rpc/hello.ts';
import { FrameScript, LOCAL_PAGE } from '../content/frame-script.ts';
import { whenActivated, onlyOnce } from '../content/alive.ts';
import { browser } from '../platform/browser.ts';
import { isEditorFrame } from '../platform/fields/shadow-root.ts';
import { reportShown } from '../platform/sites/page-shown.ts';
import { windowChannel } from '../platform/channels/window-channel.ts';
import { WindowEvents } from '../platform/channels/window-channel-events.ts';

if (isServedFrame(window) && !isEditorFrame(window)) {
  whenActivated(document, () =>
    onlyOnce(globalThis, () => {
      const events = new WindowEvents(window);
      if (window.top === window) {
        void reportShown(browser.runtime);
        events.onRestored(() => void reportShown(browser.runtime));
      }
      return new FrameScript({
        runtime: browser.runtime,
        events,
        origin: window.origin,
        openChannel: (port) => windowChannel(port, LOCAL_PAGE, events, 'content'),
        newId: () => crypto.randomUUID(),
      });
    }),
  );
}
