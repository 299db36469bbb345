import { expect } from 'chai';
import { accessibleInFrame, accessibleTextboxes } from '../drivers/chromium-tools.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import { closeScene, openSiteScene, type Scene } from '../scene.ts';
import { lockVault, unlockVault } from '../steps.ts';

/* Where the editor of an always-sealed field stands and how it looks, also for those who do not see it, zoom, force colours, or write from right to left. */

const FIELD = '[name=message]';

for (const browser of BROWSERS) {
  describe(`the editor of an always-sealed field, for everyone, in ${browser}`, () => {
    let scene: Scene;
    let site: Tab;

    before(async () => {
      ({ site, ...scene } = await openSiteScene(browser));
      await fresh();
      await site.click(FIELD);
      await fieldSteps.mark(scene.session, site);
    });

    after(() => closeScene(scene));

    const fresh = () => site.goto(`${scene.server.origin}/editor.html?${crypto.randomUUID()}`);

    /** Puts the field into other HTML, and its user into its editor. */
    const openIn = async (html: string, selector = FIELD): Promise<void> => {
      await fresh();
      await site.evaluate((inner) => {
        document.querySelector('#place')!.innerHTML = inner;
      }, html);
      await site.click(selector);
      await site.typeAtFocus('some words');
    };

    /** How far the borders of the editor are from those of its field, in CSS pixels. */
    const distance = () =>
      site.evaluate((one) => {
        const field = document.querySelector(one)!.getBoundingClientRect();
        const editor = document.querySelector('sealwright-editor')!.getBoundingClientRect();
        const sides = ['left', 'top', 'right', 'bottom'] as const;
        return Math.max(...sides.map((side) => Math.abs(field[side] - editor[side])));
      }, FIELD);

    /** Of the control in the editor's frame. */
    const styleOf = async (...names: string[]): Promise<readonly string[]> => {
      const frame = await site.frame('about:blank');
      return frame.evaluate((all) => {
        const style = getComputedStyle(document.querySelector('body > *')!);
        return all.map((name) => style.getPropertyValue(name));
      }, names);
    };

    it('has the role, the name and the description of the field, and says what is wrong with it', async () => {
      await openIn(`<label>A letter <textarea name="message">draft</textarea></label>`);
      const named = await site.frame('about:blank');
      await named.waitForNamed('textbox', 'A letter');
      await openIn(
        `<p id="hint">It is kept sealed</p><label for="m">To Robin</label>
        <textarea id="m" name="message" required aria-invalid="true" aria-describedby="hint"></textarea>`,
      );
      const described = await site.frame('about:blank');
      await described.waitForNamed('textbox', 'To Robin');
      if (browser !== 'chromium') return;
      const box = await accessibleInFrame(site, 'about:blank');
      expect(box).to.include({ name: 'To Robin', description: 'It is kept sealed' });
      expect(box).to.include({ required: true, invalid: 'true', focused: true, multiline: true });
      await openIn(
        `<textarea name="message" title="In one line" aria-label="Subject" aria-required="true"></textarea>`,
      );
      const titled = await accessibleInFrame(site, 'about:blank');
      expect(titled).to.include({ name: 'Subject', description: 'In one line', required: true });
    });

    it('is the only field that assistive technology finds, and leaves the page its own when it goes', async () => {
      const shown = (selector = FIELD) =>
        site.evaluate((one) => document.querySelector(one)!.ariaHidden, selector);
      await openIn(`<label>A letter <textarea name="message"></textarea></label>`);
      expect(await shown()).to.equal('true');
      if (browser === 'chromium') {
        const found = await accessibleTextboxes(site);
        expect(found).to.include('First').and.not.include('A letter');
      }
      // A framework puts a copy in the place of the field, and keeps the field.
      await site.evaluate((selector) => {
        const field = document.querySelector(selector)!;
        field.replaceWith(field.cloneNode());
        Object.assign(globalThis, { former: field });
      }, FIELD);
      await site.waitUntil(() => (globalThis as { former?: Element }).former?.ariaHidden === null);
      expect(await shown()).to.equal('true');
      await lockVault(scene.session);
      await openIn(`<label>No mark <textarea name="note"></textarea></label>`, '[name=note]');
      expect(await shown('[name=note]')).to.equal('true');
      await unlockVault(scene.session);
      await site.click('#first');
      await site.waitUntil(() => document.querySelector('[name=note]')!.ariaHidden === null);
    });

    it('covers its field at 200 % and from right to left, with text of the same size and direction', async () => {
      await openIn('<textarea name="message" style="font: 20px serif; zoom: 2"></textarea>');
      expect(await distance()).to.be.below(1);
      await openIn('<textarea dir="rtl" name="message" style="font: 20px serif"></textarea>');
      await site.typeAtFocus('שלום');
      expect(await distance()).to.be.below(1);
      expect(await styleOf('direction', 'font-size')).to.deep.equal(['rtl', '20px']);
    });

    const SCROLLED = {
      'the window scrolls a body with an overflow': 'body',
      'it is in a box that would scroll': '#place',
    } as const;
    for (const [where, box] of Object.entries(SCROLLED)) {
      it(`covers its field, and nothing else after a scroll, where ${where}`, async () => {
        await fresh();
        await site.evaluate(
          (selector, around) => {
            document.documentElement.style.height = '100%';
            const height = around === 'body' ? '100%' : 'auto';
            document.querySelector<HTMLElement>(around)!.style.cssText =
              `height: ${height}; overflow: auto`;
            const field = document.querySelector<HTMLElement>(selector)!;
            field.style.cssText =
              'margin: 70vh 0 60vh; height: 60vh; width: 100%; box-sizing: border-box';
          },
          FIELD,
          box,
        );
        await site.click(FIELD);
        await site.typeAtFocus('some words');
        /** What is there, by its distance from the bottom of the field, before a frame is drawn. */
        const below = (distance: number) =>
          site.evaluate(
            (selector, by) => {
              scrollTo(0, 0);
              scrollTo(0, document.documentElement.scrollHeight);
              const { left, bottom } = document.querySelector(selector)!.getBoundingClientRect();
              return document.elementFromPoint(left + 9, bottom + by)?.localName;
            },
            FIELD,
            distance,
          );
        expect(await below(-9)).to.equal('sealwright-editor');
        expect(await below(9)).to.not.equal('sealwright-editor');
      });
    }

    it('covers the text of its field where colours are forced, and shows through it where not', async () => {
      await openIn('<textarea name="message"></textarea>');
      expect(await styleOf('background-color')).to.deep.equal(['rgba(0, 0, 0, 0)']);
      if (!site.forceColors) return;
      await site.forceColors();
      await openIn('<textarea name="message"></textarea>');
      const [background, color] = await styleOf('background-color', 'color');
      expect(background)
        .to.match(/^rgb\(/)
        .and.not.equal(color);
    });
  });
}
