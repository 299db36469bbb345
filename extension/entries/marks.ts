/*
 * Runs in pages of enabled sites: marks beside sealed texts. Pressing a mark sends the background one
 * request without content, to open a window. The background then asks this script for the text.
 */
import { FieldScript } from '../fields/field-script.ts';
import { isTextControl } from '../fields/text-control.ts';
import { PageMarks } from '../fields/marks/page-marks.ts';
import { browser } from '../platform/browser.ts';
import { MARKS_KEY, startScript } from '../platform/sites/page-scripts.ts';
import { isEditorFrame } from '../platform/fields/shadow-root.ts';
import { askToOpenMark } from '../platform/fields/mark-requests.ts';

interface MarkWorld {
  sealwrightFields?: FieldScript;
}

const world = globalThis as MarkWorld;
if (!isEditorFrame(window)) {
  // The newest injection serves, with the field access of an earlier `fields.js`, if there was one.
  world.sealwrightFields = new FieldScript(world.sealwrightFields);
  startScript(world, MARKS_KEY, makeMarks).start();
}

function makeMarks(): PageMarks {
  return new PageMarks({
    document,
    label: browser.i18n.getMessage('openSealed'),
    onPress: ({ pieces, at }) => {
      const { state } = world.sealwrightFields!;
      const markedField = at.offset === null && isTextControl(at.node) ? at.node : undefined;
      Object.assign(state, { marked: pieces, markedField });
      void askToOpenMark(browser.runtime);
    },
  });
}
