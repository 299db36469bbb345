import { expect } from 'chai';
import { sealedCharacters } from '../../../extension/fields/editor/room.ts';
import { pageOf } from '../drivers/chromium-tab.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import type { Scene } from '../scene.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { lockVault, unlockVault } from '../steps.ts';

/*
 * The editor in the place of an always-sealed field, on a page that records all that it can see: each event
 * with all that it says, each value at each frame, each change of the document.
 */

/** In the page. */
declare const seen: ReadonlySet<string>;
declare const sent: readonly string[];
declare const heard: string[];
declare const listen: () => void;
declare const finds: (word: string) => boolean;

const SECRET = 'Quax jumped over my wall';
/** What an input method makes of its first keys. */
const COMPOSED = ['Q', 'Qu', 'Qua', 'Quax'];
/** Parts of it by which a leak is recognised: no sealed text has a space. */
const PARTS = /x j|jumped |over my|^(?:KeyQ|Q|Qu|Qua|Quax)$/;
const SEALED = /^swt1[a-z2-9]{216,}0$/;
const FIELD = '[name=message]';
const REFRESHED_MS = 2_500;
/** A press of the button before this time was meant for the field. */
const STANDING_MS = 600;

/** In the page: gives the field a value, or one that replaces it. */
function setOrReplace(selector: string, value: string, isNew: boolean): void {
  const field = document.querySelector<HTMLTextAreaElement>(selector)!;
  const target = isNew ? (field.cloneNode() as HTMLTextAreaElement) : field;
  if (isNew) field.replaceWith(target);
  target.value = value;
}

const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** The text of the editor in front, which only automation reaches. */
async function inEditor(site: Tab): Promise<string> {
  const frame = await site.frame('about:blank');
  return frame.evaluate(() => document.querySelector<HTMLTextAreaElement>('body > *')!.value);
}

const valueOf = (site: Tab) =>
  site.evaluate((one) => document.querySelector<HTMLTextAreaElement>(one)!.value, FIELD);

/** What the page has seen of the text: characters of keys are seen alone. */
async function leaks(site: Tab): Promise<string[]> {
  const all = await site.evaluate(() => [...seen]);
  return all.filter((text) => PARTS.test(text));
}

const refreshed = (site: Tab, selector = FIELD) =>
  site.waitUntil(
    (one) => document.querySelector<HTMLTextAreaElement>(one)!.value.startsWith('swt1'),
    {},
    selector,
  );

async function typeAfterTab(site: Tab): Promise<void> {
  await site.click('#first');
  await site.press('Tab');
  await site.typeAtFocus(SECRET);
}

for (const browser of BROWSERS) {
  describe(`the editor of an always-sealed field, in ${browser}`, () => {
    let scene: Scene;
    let site: Tab;

    before(async () => {
      ({ site, ...scene } = await openSharedSiteScene(browser));
      await fresh();
      for (const name of ['message', 'line', 'chat']) {
        await site.click(`[name=${name}]`);
        await fieldSteps.mark(scene.session, site);
      }
    });

    after(() => closeSharedSiteScene({ ...scene, site }));

    const fresh = () => site.goto(`${scene.server.origin}/editor.html?${crypto.randomUUID()}`);

    it('would leave each key to the page where the field is not marked', async () => {
      await fresh();
      await site.type('#first', SECRET);
      expect(await leaks(site)).to.include.members(['Q', 'KeyQ']);
      expect(await site.evaluate(() => seen.has('Quax jumped over my wall'))).to.equal(true);
    });

    it('leaves the page nothing but sealed text, at each pause and at a press', async () => {
      await fresh();
      await site.type(FIELD, SECRET);
      expect(await inEditor(site)).to.equal(SECRET);
      await refreshed(site);
      expect(await valueOf(site)).to.match(SEALED);
      expect(await site.evaluate(() => heard)).to.deep.equal(['focus', 'focusin', 'input']);
      await site.typeAtFocus(' twice');
      await site.type('[name=line]', 'x');
      await site.waitUntil(() => heard.includes('focusout'));
      expect(await site.evaluate(() => heard.slice(3))).to.deep.equal([
        ...['input', 'change', 'blur', 'focusout'],
      ]);
      await site.click('#send');
      await site.waitUntil(() => sent.length > 0);
      expect(await site.evaluate(() => sent[0])).to.match(SEALED);
      expect(await leaks(site)).to.deep.equal([]);
      expect(await site.evaluate((part) => finds(part), 'Quax')).to.equal(false);
      expect(await site.evaluate(() => length)).to.equal(0);
      const sealed = await valueOf(site);
      await site.click(FIELD);
      const window = await fieldSteps.fieldSession(scene.session, site, 'open');
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(`${SECRET} twice`);
      await fieldSteps.closed(scene.session, window);
      expect(await valueOf(site)).to.equal(sealed);
    });

    it('is left by Tab, and the page hears of one visit of its field', async () => {
      await fresh();
      await typeAfterTab(site);
      await site.press('Tab');
      await site.waitUntil(
        () =>
          document.activeElement?.getAttribute('name') === 'line' ||
          document.activeElement?.localName === 'sealwright-editor',
      );
      await site.waitUntil(() => heard.includes('focusout'));
      expect(await valueOf(site)).to.match(SEALED);
      expect(await site.evaluate(() => heard)).to.deep.equal([
        ...['focus', 'focusin', 'input', 'change', 'blur', 'focusout'],
      ]);
      expect(await leaks(site)).to.deep.equal([]);
    });

    it('has the keys that follow Tab, also from a field that had an editor while the background started', async () => {
      for (let round = 0; round < 6; round++) {
        await scene.session.killBackground();
        await fresh();
        await typeAfterTab(site);
        expect(await leaks(site)).to.deep.equal([]);
      }
    });

    it('follows a reset, and goes on in a field by which a framework replaces its own', async () => {
      await fresh();
      await site.type(FIELD, 'first words');
      await refreshed(site);
      await site.click('#reset');
      await wait(200);
      await site.click(FIELD);
      expect(await inEditor(site)).to.equal('');
      const halves = [SECRET.slice(0, 10), SECRET.slice(10)];
      await site.typeAtFocus(halves[0]!);
      await site.evaluate(() => {
        const place = document.querySelector('#place')!;
        place.innerHTML = place.innerHTML.replace('</textarea>', '</textarea>');
      });
      await site.typeAtFocus(halves[1]!);
      await refreshed(site);
      expect(await inEditor(site)).to.equal(SECRET);
      expect(await leaks(site)).to.deep.equal([]);
    });

    it('keeps what is typed while a framework writes back older values, and takes what a page sets', async () => {
      await fresh();
      await site.evaluate((selector) => {
        const field = document.querySelector<HTMLTextAreaElement>(selector)!;
        field.addEventListener('input', () => {
          const { value } = field;
          for (const ms of [0, 300, 900]) setTimeout(() => (field.value = value), ms);
        });
      }, FIELD);
      await site.type(FIELD, 'one');
      await refreshed(site);
      await site.typeAtFocus(' two');
      await wait(700);
      await site.typeAtFocus(' three');
      await wait(REFRESHED_MS);
      expect(await inEditor(site)).to.equal('one two three');
      const newest = await valueOf(site);
      expect(newest).to.match(SEALED);
      // A server answers late, after the newest text was sealed: in the same field, and in a new one.
      await site.typeAtFocus(' four');
      await wait(REFRESHED_MS);
      for (const late of [newest, '']) {
        for (const isNew of [false, true]) {
          await site.evaluate(setOrReplace, FIELD, late, isNew);
          await wait(200);
          expect(await inEditor(site), String(isNew)).to.equal('one two three four');
        }
      }
      await site.evaluate((selector) => {
        document.querySelector<HTMLTextAreaElement>(selector)!.value = 'a template';
      }, FIELD);
      await wait(200);
      expect(await inEditor(site)).to.equal('a template');
    });

    for (const by of ['a press', 'the keyboard'] as const) {
      it(`shows a sealed text of an earlier page opened, by ${by} and a press in the extension's window`, async () => {
        await fresh();
        await site.type(FIELD, SECRET);
        await refreshed(site);
        const sealed = await valueOf(site);
        await fresh();
        await site.evaluate(
          ([one, value]) => (document.querySelector<HTMLTextAreaElement>(one!)!.value = value!),
          [FIELD, sealed],
        );
        await site.click(FIELD);
        expect(await inEditor(site)).to.equal(sealed);
        await wait(STANDING_MS);
        if (by === 'a press') {
          const [right, bottom] = await site.evaluate((one) => {
            const box = document.querySelector(one)!.getBoundingClientRect();
            return [box.right, box.bottom] as const;
          }, FIELD);
          await site.clickAt(right - 40, bottom - 8);
        } else {
          await site.press('Tab');
          await site.press('Enter');
        }
        const window = await scene.session.waitForTab('fields-window.html');
        await window.click('#show-in-field[aria-disabled="false"]');
        await fieldSteps.allClosed(scene.session);
        expect(await inEditor(site)).to.equal(SECRET);
        expect(await valueOf(site)).to.equal(sealed);
        await site.click(FIELD);
        await site.typeAtFocus('!');
        await wait(REFRESHED_MS);
        expect(await inEditor(site)).to.match(/!/);
        expect(await valueOf(site))
          .to.match(SEALED)
          .and.not.equal(sealed);
        expect(await leaks(site)).to.deep.equal([]);
      });
    }

    it('hides its text from listeners that are older than its own, after document.open()', async () => {
      await fresh();
      await site.evaluate(() => {
        document.open();
        listen();
        const root = document.createElement('html');
        document.append(root);
        root.innerHTML = '<form><textarea name="message"></textarea></form>';
        document.close();
      });
      await site.type(FIELD, SECRET);
      await refreshed(site);
      expect(await inEditor(site)).to.equal(SECRET);
      expect(await leaks(site)).to.deep.equal([]);
    });

    for (const [what, html] of [
      ['that is turned', '<textarea name="message" style="rotate: 20deg"></textarea>'],
      ['in perspective', '<p style="perspective: 9em"><textarea name="message"></textarea></p>'],
      ['that no sealed text fits into', '<textarea name="message" maxlength="100"></textarea>'],
    ] as const) {
      it(`keeps the text of a field ${what}`, async () => {
        await fresh();
        await site.evaluate((inner) => {
          document.querySelector('#place')!.innerHTML = inner;
        }, html);
        await site.type(FIELD, SECRET);
        await wait(REFRESHED_MS);
        expect(await inEditor(site)).to.equal(SECRET);
        const isShort = html.includes('maxlength');
        expect(await valueOf(site)).to.match(isShort ? /^$/ : SEALED);
        if (!isShort) await site.type('[name=line]', 'x');
        await site.click('#send');
        if (isShort) {
          const window = await scene.session.waitForTab('fields-window.html');
          await window.waitFor('#stopped-too-long');
          await fieldSteps.closed(scene.session, window);
        } else {
          await site.waitUntil(() => sent.length > 0);
        }
        expect(await site.evaluate(() => sent.length)).to.equal(isShort ? 0 : 1);
        expect(await leaks(site)).to.deep.equal([]);
      });
    }

    it('takes no more than its field can hold sealed', async () => {
      await fresh();
      await site.evaluate((selector) => {
        document.querySelector<HTMLTextAreaElement>(selector)!.maxLength = 230;
      }, FIELD);
      await site.type(FIELD, 'x'.repeat(40));
      await refreshed(site);
      const text = await inEditor(site);
      expect(text).to.match(/^x{20,35}$/);
      expect(sealedCharacters(text)).to.equal((await valueOf(site)).length);
      expect(sealedCharacters(`${text}x`)).to.be.above(230);
    });

    it('hides compositions of input methods', async () => {
      await fresh();
      await site.click('#first');
      await site.compose(COMPOSED);
      // A field without a mark leaves them to the page.
      await site.waitUntil((words) => words.every((word) => seen.has(word)), {}, COMPOSED);
      await fresh();
      await site.click(FIELD);
      await site.compose(COMPOSED);
      await site.compose([SECRET.slice(4, 12), SECRET.slice(4)]);
      await refreshed(site);
      expect(await inEditor(site)).to.equal(SECRET);
      expect(await leaks(site)).to.deep.equal([]);
    });

    it('sends no chat line by the key that accepts a composition', async () => {
      await fresh();
      await site.click('[name=chat]');
      await site.compose(COMPOSED);
      await refreshed(site, '[name=chat]');
      await site.typeAtFocus(SECRET.slice(4));
      await site.press('Enter');
      await site.waitUntil(() => sent.length > 0);
      await wait(REFRESHED_MS);
      expect(await site.evaluate(() => sent.length)).to.equal(1);
      expect(await leaks(site)).to.deep.equal([]);
    });

    if (browser === 'chromium') {
      it('hides long texts that are inserted at once', async () => {
        await fresh();
        await site.click(FIELD);
        const protocol = await pageOf(site).createCDPSession();
        await protocol.send('Input.insertText', { text: ' jumped'.repeat(100_000) });
        await refreshed(site);
        expect(await inEditor(site)).to.equal(' jumped'.repeat(100_000));
        expect(await leaks(site)).to.deep.equal([]);
      });
    }

    it('sends at Enter in a chat line, and is empty when the page has cleared it', async () => {
      await fresh();
      await site.type('[name=chat]', SECRET);
      await site.press('Enter');
      await site.waitUntil(() => sent.length > 0);
      expect(await site.evaluate(() => sent[0])).to.match(SEALED);
      await wait(200);
      expect(await inEditor(site)).to.equal('');
      expect(await leaks(site)).to.deep.equal([]);
    });

    it('takes text while the vault is locked, and the field has none', async () => {
      await lockVault(scene.session);
      await fresh();
      await site.type(FIELD, SECRET);
      await wait(REFRESHED_MS);
      expect(await valueOf(site)).to.equal('');
      await site.click('#send');
      const window = await scene.session.waitForTab('fields-window.html');
      await window.waitFor('#stopped');
      await fieldSteps.closed(scene.session, window);
      expect(await site.evaluate(() => sent)).to.deep.equal([]);
      await unlockVault(scene.session);
      await site.type('[name=line]', 'x');
      await site.click('#send');
      await site.waitUntil(() => sent.length > 0);
      expect(await site.evaluate(() => sent[0])).to.match(SEALED);
      expect(await leaks(site)).to.deep.equal([]);
    });
  });
}
