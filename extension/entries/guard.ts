/*
 * Runs on enabled sites where the user marked fields as always sealed, from the start of the document.
 * It calls the background through the main content script.
 */
import { webArmor } from '../../src/format/wire/web-armor.ts';
import { disconnected } from '../../src/rpc/errors.ts';
import { isServedFrame } from '../../src/rpc/hello.ts';
import { livingScript, whenActivated, type Living } from '../content/alive.ts';
import type { GuardBackground } from '../fields/auto-seal/sealing.ts';
import { FieldScript } from '../fields/field-script.ts';
import { sealedIn } from '../fields/find/find-sealed.ts';
import { askToOpenMark } from '../platform/fields/mark-requests.ts';
import { FormGuard } from '../fields/auto-seal/form-guard.ts';
import { Editors } from '../fields/editor/editors.ts';
import { isEditorFrame } from '../platform/fields/shadow-root.ts';
import { browser } from '../platform/browser.ts';
import { isAlive } from '../platform/channels/is-alive.ts';
import { GUARD_KEY, startScript } from '../platform/sites/page-scripts.ts';

const world = globalThis as { sealwrightFields?: FieldScript };

/** The main content script. It may start later than this one, or end earlier. */
function living(): Living {
  const script = livingScript(globalThis);
  if (!script) throw disconnected();
  return script;
}

const background: GuardBackground = {
  isAlive: () => isAlive(browser.runtime),
  guardedFields: async () => (await living().ask('guardedFields', {})).fields,
  async seal(text) {
    const sealing = { text: new TextEncoder().encode(text) };
    return webArmor((await living().ask('sealGuarded', sealing)).sealed);
  },
  async formStopped(reason) {
    await living().ask('formStopped', { reason });
  },
  async openSealed(field) {
    const { state } = world.sealwrightFields!;
    Object.assign(state, { marked: sealedIn(field.value)[0], markedField: field });
    await askToOpenMark(browser.runtime);
  },
};

/** Read now: a script whose extension has ended cannot read them. */
const unsealedQuestion = browser.i18n.getMessage('sendUnsealed');

if (isServedFrame(window) && !isEditorFrame(window)) {
  const askUnsealed = () => confirm(unsealedQuestion);
  const editors = new Editors(document, browser.i18n.getMessage('openToEdit'));
  // As in marks.ts. The window that opens a text calls it there.
  world.sealwrightFields = new FieldScript(world.sealwrightFields);
  world.sealwrightFields.state.editors = editors;
  const start = () => new FormGuard(document, background, editors, askUnsealed);
  const guard = startScript(globalThis, GUARD_KEY, start);
  // Also in a prerendered page, so that its listeners run before the page's.
  guard.start();
  whenActivated(document, () => guard.learn());
}
