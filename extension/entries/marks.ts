/*
 * Runs in pages of enabled sites and shows marks beside sealed texts. A mark can ask the background to
 * open a window. The request holds no text: the window reads the text from this script.
 */
import { FieldScript } from '../fields/field-script.ts';
import { PageMarks } from '../fields/marks/page-marks.ts';
import { browser } from '../platform/browser.ts';
import { MARKS_KEY, startScript } from '../platform/sites/page-scripts.ts';
import { askToOpenMark } from '../platform/fields/mark-requests.ts';

interface MarkWorld {
  sealwrightFields?: FieldScript;
}

const world = globalThis as MarkWorld;
// When injected again after an update, the newest script takes over.
world.sealwrightFields = new FieldScript(world.sealwrightFields?.state);
startScript(world, MARKS_KEY, makeMarks).start();

function makeMarks(): PageMarks {
  return new PageMarks({
    document,
    label: browser.i18n.getMessage('openSealed'),
    onPress: ({ pieces }) => {
      world.sealwrightFields!.state.marked = pieces;
      void askToOpenMark(browser.runtime);
    },
  });
}
