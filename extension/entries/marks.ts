/*
 * Runs in pages of enabled sites: marks beside sealed texts. A mark can ask the background for one thing,
 * to open a window of ours about it; the request carries nothing, and the text is asked for here.
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
// Injected again after an update, the newest serves.
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
