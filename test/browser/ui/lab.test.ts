import { expect } from 'chai';
import type { LabRecord } from '../../../lab/result.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene, type Scene } from '../scene.ts';
import { serve } from '../server.ts';
import { keepDownloads, lastDownload } from '../steps.ts';

/** Of a run, on a machine that is busy with others. */
const PATIENCE = 180_000;

async function run(tab: Tab, work: string): Promise<void> {
  await tab.click(`#lab-${work}-start`);
  await tab.waitFor(`#lab-${work}-outcome`, PATIENCE);
}

/** What a work's run has drawn: its sentence, and the rows and figures of its tables, once they are unfolded. */
async function outcome(tab: Tab, work: string) {
  await tab.evaluate((name) => {
    for (const each of document.querySelectorAll<HTMLDetailsElement>(`#lab-${name} details`)) {
      each.open = true;
    }
  }, work);
  // Drawn at the event that follows.
  await tab.waitUntil(
    (name) => document.querySelector(`#lab-${name}-printed tbody tr`) !== null,
    {},
    work,
  );
  return tab.evaluate((name) => {
    const section = document.querySelector(`#lab-${name}`)!;
    return {
      headline: section.querySelector('.lab-headline')?.textContent ?? '',
      chart: section.querySelector('canvas')?.getAttribute('aria-label') ?? '',
      rows: section.querySelectorAll('.lab-table tr').length,
    };
  }, work);
}

/** Pairs of name and value in the first table of printed figures whose row begins so. */
const besideRow = (tab: Tab, work: string, row: string) =>
  tab.evaluate(
    (name, start) => {
      const rows = [...document.querySelectorAll(`#lab-${name}-printed tbody tr`)];
      const found = rows.find((each) => each.querySelector('th')!.textContent.startsWith(start));
      return [...found!.querySelectorAll('td')].map(({ textContent }) => textContent);
    },
    work,
    row,
  );

for (const browser of BROWSERS) {
  describe(`the Lab in ${browser}`, () => {
    let scene: Scene;
    let lab: Tab;

    before(async () => {
      const [session, server] = await Promise.all([launch(browser), serve('dist/lab')]);
      scene = { session, server };
      lab = await session.newTab(`${server.origin}/`);
      await lab.waitFor('#lab-run-all');
    });
    after(() => closeScene(scene));

    it('measures two works to the end, one at a time, and puts them beside what was printed', async function () {
      this.timeout(2 * PATIENCE);
      await run(lab, 'stark');
      await run(lab, 'pomcor');
      const stark = await outcome(lab, 'stark');
      expect(stark.headline).to.match(
        /^2009, Firefox 3\.5: 451\.6 kB\/s\. Here, now: .+ times as fast\.$/,
      );
      expect(stark.chart).to.match(/^Measured here, beside what was printed, in kB\/s/);
      expect(stark.rows).to.be.above(130);
      const pomcor = await outcome(lab, 'pomcor');
      expect(pomcor.headline).to.match(/^2015, Firefox, SJCL: 74 ms\. Here, now: [\d.]+ ms, /);
      const [printed, ours] = await besideRow(lab, 'pomcor', 'NIST strength 112 · g 2048 · x 224');
      expect(printed).to.equal('74 ms');
      expect(ours).to.match(/^js[\d.]+ mswasm-simd[\d.]+ ms$/);
      // A mark says why a figure has no measure, and what only the long run has is empty.
      const [safari] = await besideRow(lab, 'stark', 'Our code · Safari 4');
      expect(safari).to.match(/^264\.8 kB\/s\d$/);
      const [, long] = await besideRow(lab, 'pomcor', 'NIST strength 256 · g 15360 · x 512');
      expect(long).to.equal('–');
    });

    it('saves the results with every round, as JSON', async () => {
      await keepDownloads(lab);
      await lab.click('#lab-save');
      const text = new TextDecoder().decode(await lastDownload(lab));
      const { format, machine, results } = JSON.parse(text) as LabRecord;
      expect(format).to.equal('sealwright-lab-1');
      expect(machine.userAgent).to.match(/Mozilla/);
      expect(machine.version).to.match(/^\d+\.\d+/);
      expect(results.map(({ work, mode }) => [work, mode])).to.deep.equal([
        ['stark', 'quick'],
        ['pomcor', 'quick'],
      ]);
      for (const { samples } of results) {
        expect(samples).to.not.be.empty;
        for (const { rounds, confirmedBy } of samples) {
          expect(rounds).to.not.be.empty;
          expect(confirmedBy).to.not.be.empty;
        }
      }
    });

    it('is cancelled at once, in the middle of all', async () => {
      await lab.click('#lab-run-all');
      await lab.waitFor('#lab-stark-cancel');
      const isWaiting = await lab.evaluate(
        () => document.querySelector('#lab-tarr-start')!.getAttribute('aria-busy') === 'true',
      );
      expect(isWaiting).to.equal(true);
      // Within the task of the click: nothing is waited for.
      const isIdle = await lab.evaluate(async () => {
        document.querySelector<HTMLElement>('#lab-cancel-all')!.click();
        await new Promise((resume) => setTimeout(resume));
        return document.querySelector('progress') === null;
      });
      expect(isIdle).to.equal(true);
      await lab.waitFor('#lab-run-all');
      expect(await lab.evaluate(() => document.querySelector('#lab-tarr-outcome'))).to.equal(null);
    });

    it('asks no other server', async () => {
      const origins = await lab.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
      );
      expect([...new Set(origins)]).to.deep.equal([scene.server.origin]);
    });
  });
}
