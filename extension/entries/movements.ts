/*
 * A content script that is registered only while the user lets it collect pointer movements on enabled
 * sites. It calls the background through the main content script.
 */
import { isServedFrame } from '../../src/rpc/hello.ts';
import { Movements } from '../content/movements.ts';
import { livingScript, whenActivated } from '../content/alive.ts';
import { browser } from '../platform/browser.ts';
import { isEditorFrame } from '../platform/fields/shadow-root.ts';
import { MOVEMENTS_KEY, startScript } from '../platform/sites/page-scripts.ts';

const isServed = isServedFrame(window) && !isEditorFrame(window);

if (isServed && !browser.extension.inIncognitoContext) {
  whenActivated(document, () => {
    const stir = async (digest: Uint8Array) =>
      (await livingScript(globalThis)?.ask('stirMovements', { digest }))?.wanted ?? false;
    startScript(globalThis, MOVEMENTS_KEY, () => new Movements(window, stir));
  });
}
