import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import { inContentScript } from '../drivers/chromium-tools.ts';
import { TRICKS, type Trick } from './redress-tricks.ts';
import { closeScene, openSiteScene, type Scene } from '../scene.ts';
import { succeed } from '../steps.ts';

/*
 * Marks beside sealed texts, on a site that is enabled. They stand in a closed shadow tree, so clicks go to
 * where they must be: at the end of the text.
 */

/** In the page. */
declare const clicks: readonly string[];
declare const shifts: number[];

const SECRET = 'Meet me at the old mill';
/** As long as a mark stands before it takes a press, and what a layout needs. */
const STANDING = 700;
/** A press that comes later after the mark may open our window, and on a busy machine some do. */
const TIMELY_MS = 500;
const ATTEMPTS = 20;
const ATTEMPT_MS = 10_000;

/** All that the page could have learned: its documents, what it was told, what it heard. */
const pageKnows = () =>
  [document, ...Array.from(frames, (frame) => frame.document)]
    .map((one) => `${one.documentElement.outerHTML} ${String(one.getSelection())}`)
    .concat(JSON.stringify([clicks, shifts, localStorage]))
    .join();

const LAYOUTS = 200;
const LAYOUTS_AT_ONCE = 40;

/**
 * In the page: sealed texts between other words, in blocks, lists, tables, columns and boxes that scroll; every second
 * one, where its width allows it, with a last line of one character, which is less than a mark is wide.
 *
 * @returns how many have such a line
 */
function showLayouts(text: string, first: number, count: number): number {
  const pick = <T>(from: readonly T[], at: number): T => from[at % from.length]!;
  const frames = [
    (inner: string) => `<p>${inner}</p><p>secret.txt · Last modified: today</p>`,
    (inner: string) => `<div>${inner}</div>\n<div>Words 1 of them</div>`,
    (inner: string) => `<ul><li>${inner}</li><li>secret.txt</li></ul>`,
    (inner: string) => `<table><tr><td>${inner}</td><td>Parameters</td></tr></table>`,
    (inner: string) =>
      `<div style="display: flex; gap: 8px"><b>Ada</b><p>${inner}</p></div><h3>Next</h3>`,
    (inner: string) =>
      `<div style="overflow: auto; height: 150px"><p>${inner}</p><p>below</p></div>`,
    (inner: string) => `<blockquote>${inner}</blockquote>On Monday`,
    (inner: string) => `<p>See: <code>${inner}</code><br>secret.txt</p>`,
  ];
  const widths = ['100%', '38em', '30em', '333px', '251px'];
  const breaks = ['word-break: break-all', 'overflow-wrap: anywhere'];
  const looks = [
    '',
    'direction: rtl',
    'color: #eee; background: #222',
    'line-height: 2.2',
    'zoom: 1.25',
  ];
  const places = Array.from({ length: count }, (_, at) => {
    const place = first + at;
    const inner = `<span class="sealed">${text}</span>`;
    const style = [
      `width: ${pick(widths, place)}; margin: 30px`,
      pick(breaks, place >> 3),
      pick(looks, Math.floor(place / 5)),
    ].join('; ');
    return `<section style="${style}">${pick(frames, place)(inner)}</section>`;
  });
  document.body.innerHTML = places.join('\n');
  const lastLine = (node: Node): number => {
    const range = document.createRange();
    range.setStart(node, text.length - 20);
    range.setEnd(node, text.length);
    return [...range.getClientRects()].at(-1)!.width;
  };
  const short = [...document.querySelectorAll('section')].filter((section, place) => {
    const node = section.querySelector('.sealed')!.firstChild!;
    const width = section.clientWidth;
    const isShort = () => lastLine(node) < 14;
    for (let less = 1; place % 2 === 0 && less < 200 && !isShort(); less++) {
      section.style.width = `${width - less}px`;
    }
    return isShort();
  });
  return short.length;
}

/** In the page: where a mark is not at the end of its text, or stands on another text. */
async function misplacedMarks(): Promise<string[]> {
  const drawn = () => new Promise((resume) => setTimeout(resume, 100));
  const isMark = (x: number, y: number): boolean =>
    document.elementFromPoint(x, y)?.localName === 'sealwright-marks';
  const faults: string[] = [];
  for (const section of document.querySelectorAll('section')) {
    const sealed = section.querySelector('.sealed')!;
    const range = document.createRange();
    const node = sealed.firstChild as Text;
    range.setEnd(node, node.length);
    range.setStart(node, node.length - 20);
    const { width } = [...range.getClientRects()].at(-1)!;
    range.setStart(node, node.length - 1);
    sealed.parentElement!.scrollTop = 0;
    range.startContainer.parentElement!.scrollIntoView({ block: 'end' });
    const isPlaced = (): boolean => {
      const { right, top, height } = range.getBoundingClientRect();
      const middle = top + height / 2;
      const isOutside = isMark(right + 3, middle) || isMark(right - width - 6, middle);
      return isMark(right - 2, middle) && !isOutside;
    };
    // The layer follows a scroll a few frames later, more on a busy machine.
    for (let tries = 0; tries < 20 && !isPlaced(); tries++) await drawn();
    if (!isPlaced()) faults.push(`not at its text: ${section.outerHTML.slice(0, 120)}`);
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const other = walker.currentNode as Text;
      if (other === node || !other.data.trim()) continue;
      range.selectNodeContents(other);
      for (const box of range.getClientRects()) {
        for (let x = box.left + 1; x < box.right; x += 4) {
          if (isMark(x, box.top + box.height / 2)) faults.push(`on "${other.data}"`);
        }
      }
    }
  }
  return faults;
}

/** In the page: from the mark's arrival at its place, or earlier, to the press. */
function waitedMs(arrives: 'new' | 'moved'): number {
  const times = globalThis as unknown as Record<'begunMs' | 'shownMs', number> & {
    pressedMs?: number;
  };
  return (times.pressedMs ?? 0) - (arrives === 'new' ? times.shownMs : times.begunMs);
}

for (const browser of BROWSERS) {
  describe(`marks beside sealed texts, in ${browser}`, function () {
    this.timeout(60_000);
    let scene: Scene & { readonly site: Tab };
    let site: Tab;
    let armored: string;

    before(async () => {
      scene = await openSiteScene(browser);
      ({ site } = scene);
      armored = await sealedText();
    });

    after(() => closeScene(scene));

    const reader = 'fields-window.html';
    const closed = (window: Tab) => fieldSteps.closed(scene.session, window);

    /** Sealed in a window of ours, and copied from it. */
    const sealedText = async (): Promise<string> => {
      const window = await fieldSteps.write(scene.session, site, SECRET);
      await window.click('#seal-copy');
      await window.waitFor('#sealed-text');
      const text = await fieldSteps.sealedIn(window);
      await closed(window);
      return text;
    };

    /** A fresh page that holds the text, and has its mark. */
    const show = async (page = 'marks.html'): Promise<void> => {
      await site.goto(`${scene.server.origin}/${page}`);
      await site.evaluate((text) => {
        (globalThis as unknown as { shownMs: number }).shownMs = performance.now();
        document.querySelector('#text')!.textContent = text;
      }, armored);
      await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
    };

    /** A tab that has opened no window yet: how many it opens is limited. */
    const inNewTab = async (): Promise<void> => {
      await site.close();
      site = await scene.session.newTab(`${scene.server.origin}/marks.html`);
    };

    /** The middle of the mark at the end of the text. */
    const markPlace = () =>
      site.evaluate(() => {
        const text = document.querySelector('#text')!.firstChild!;
        const range = document.createRange();
        range.setStart(text, text.textContent!.length - 1);
        range.setEnd(text, text.textContent!.length);
        const { right, top, height } = range.getBoundingClientRect();
        return [right - 9, top + height / 2] as const;
      });

    const press = async (): Promise<void> => {
      await site.clickAt(...(await markPlace()));
    };

    it('open the text in a window of ours when they are pressed, and nothing in the page', async () => {
      await show();
      await pause(STANDING);
      await press();
      const window = await scene.session.waitForTab(reader);
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(SECRET);
      expect(await window.evaluate(() => document.querySelectorAll('.opened').length)).to.equal(1);
      await closed(window);
      const page = await site.evaluate(() => document.documentElement.outerHTML);
      expect(page).to.include('swt1').and.not.include('mill');
    });

    it('stand at the end of the text in 200 layouts, and on no letter of another one', async () => {
      const faults: string[] = [];
      let short = 0;
      for (let first = 0; first < LAYOUTS; first += LAYOUTS_AT_ONCE) {
        await site.goto(`${scene.server.origin}/marks.html`);
        short += await site.evaluate(showLayouts, armored, first, LAYOUTS_AT_ONCE);
        await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
        faults.push(...(await site.evaluate(misplacedMarks)));
      }
      expect(faults).to.deep.equal([]);
      expect(short, 'last lines of one character').to.be.above(50);
    });

    it('open the text in a page of XHTML, and are not drawn into one of SVG', async () => {
      await show('marks.xhtml');
      await pause(STANDING);
      await press();
      const window = await scene.session.waitForTab(reader);
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(SECRET);
      await closed(window);
      await site.goto(`${scene.server.origin}/marks.svg`);
      await site.evaluate((text) => {
        document.querySelector('#text')!.textContent = text;
      }, armored);
      await pause(STANDING);
      expect(await site.evaluate(() => document.documentElement.children.length)).to.equal(2);
      expect(scene.session.uncaught).to.deep.equal([]);
    });

    it('move nothing, and hide from the page all but their host', async () => {
      await site.goto(`${scene.server.origin}/marks.html`);
      await site.evaluate(async (text) => {
        document.querySelector('#text')!.textContent = text;
        // What this itself has moved is told before a mark has come.
        await new Promise((resume) => setTimeout(resume, 150));
        shifts.length = 0;
      }, armored);
      await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
      await pause(STANDING);
      expect(await site.evaluate(() => shifts)).to.deep.equal([]);
      const host = await site.evaluate(() => {
        const element = document.querySelector('sealwright-marks')!;
        return [
          element.shadowRoot,
          element.childNodes.length,
          element.getBoundingClientRect().height,
        ];
      });
      expect(host).to.deep.equal([null, 0, 0]);
    });

    it('make no page scroll sideways, also where it has just become narrow or shows less', async () => {
      await site.goto(`${scene.server.origin}/marks.html`);
      await site.setViewport(1_000, 600);
      await site.evaluate((text) => {
        const place = document.querySelector<HTMLElement>('#text')!;
        // The one ends at the right edge, the other in a box that does not show its end before it is scrolled.
        place.style.textAlign = 'right';
        place.textContent = text;
        const box = document.createElement('pre');
        box.style.cssText = 'overflow: auto; overflow-wrap: normal';
        box.textContent = text;
        document.querySelector('#later')!.append(box);
      }, armored);
      await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
      await pause(STANDING);
      const over = () =>
        site.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        });
      expect(await over(), 'wide').to.equal(0);
      await site.setViewport(600, 600);
      expect(await over(), 'narrow').to.equal(0);
      // Narrower than the page's own field, which is as much as it scrolls.
      await site.setViewport(400, 600);
      await pause(STANDING);
      const own = await site.evaluate(
        () => document.querySelector('#field')!.getBoundingClientRect().right - innerWidth,
      );
      expect(await over(), 'narrower than the page').to.be.within(own - 1, own + 1);
      await site.setViewport(1_000, 600);
    });

    it('stand on a page that scrolls sideways, on both sides of its direction', async () => {
      for (const direction of ['ltr', 'rtl']) {
        await site.goto(`${scene.server.origin}/marks.html`);
        await site.evaluate(
          (text, dir) => {
            document.documentElement.dir = dir;
            const place = document.querySelector<HTMLElement>('#text')!;
            place.style.cssText = 'white-space: nowrap; width: max-content';
            place.textContent = text;
          },
          armored,
          direction,
        );
        await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
        await site.evaluate(() => {
          const range = document.createRange();
          const text = document.querySelector('#text')!.firstChild as Text;
          range.setStart(text, text.length - 1);
          range.setEnd(text, text.length);
          const { left } = range.getBoundingClientRect();
          scrollBy(left - 100, 0);
        });
        await site.waitUntil(
          (x, y) => document.elementFromPoint(x, y)?.localName === 'sealwright-marks',
          {},
          ...(await markPlace()),
        );
      }
    });

    it('follow the page as it changes, and text that is cut by elements', async () => {
      await show();
      await site.evaluate((text) => {
        document.querySelector('#text')!.textContent = 'nothing here';
        const later = document.querySelector<HTMLElement>('#later')!;
        later.style.cssText = 'margin-top: 40px; inline-size: 30em';
        const end = document.createElement('i');
        end.id = 'end';
        end.textContent = text.slice(60);
        later.append(text.slice(0, 60), document.createElement('br'), end);
      }, armored);
      await site.waitUntil(() => {
        const { right, bottom } = [...document.querySelector('#end')!.getClientRects()].at(-1)!;
        return document.elementFromPoint(right - 9, bottom - 9)?.localName === 'sealwright-marks';
      });
    });

    it('go when the text goes', async () => {
      await show();
      const [x, y] = await markPlace();
      await site.evaluate(() => document.querySelector('#text')!.replaceChildren());
      await site.waitUntil(
        (left, top) => document.elementFromPoint(left, top)?.localName !== 'sealwright-marks',
        {},
        x,
        y,
      );
    });

    // In Chromium alone, the protocol reaches the content scripts' own world.
    if (browser === 'chromium') {
      it('open one window for 1,000 messages of a content script', async () => {
        await show();
        await inContentScript(
          site,
          `Promise.all(Array.from({ length: 1_000 }, () =>
            chrome.runtime.sendMessage('sealwright: open the text at the mark').catch(() => 0),
          )).then(() => 1)`,
        );
        const window = await scene.session.waitForTab(reader);
        await window.waitFor('#view-title');
        await pause(1_000);
        expect(await scene.session.countTabs(reader)).to.equal(1);
        await closed(window);
      });

      it('name the site that the browser gives, not one that a content script makes up', async () => {
        await inNewTab();
        await show();
        await inContentScript(
          site,
          `Object.defineProperty(globalThis, 'origin', { value: 'https://bank.example' }); 1`,
        );
        await pause(STANDING);
        await press();
        const window = await scene.session.waitForTab(reader);
        await window.waitFor('.origin-name');
        expect(await window.text('.origin-name')).to.equal(scene.server.origin);
        await closed(window);
      });
    }

    describe('with a page that', () => {
      beforeEach(() => inNewTab());

      // A window that comes late is not to stand in for one of the next page.
      afterEach(async () => {
        while ((await scene.session.countTabs(reader)) > 0) {
          await closed(await scene.session.waitForTab(reader));
        }
      });

      /** @returns our window, if one has opened, and whether the press was timely */
      const played = async ({ opens, play, arrives }: Trick) => {
        await show();
        if (arrives !== 'new') await pause(STANDING);
        const place = await markPlace();
        await site.evaluate(() => {
          const times = globalThis as unknown as { begunMs: number; pressedMs?: number };
          times.begunMs = performance.now();
          addEventListener('click', ({ timeStamp }) => (times.pressedMs ??= timeStamp), true);
        });
        const told = await site.evaluate(play);
        const [x, y] = told ?? place;
        await site.clickAt(x, y);
        const window = await scene.session
          .waitForTab(reader, opens ? 2_000 : 400)
          .catch(() => null);
        return { window, waitedMs: arrives ? await site.evaluate(waitedMs, arrives) : 0 };
      };

      for (const one of TRICKS) {
        const { trick, opens } = one;
        it(`${trick}: discloses nothing, approves nothing${opens ? '' : ', opens nothing'}`, async () => {
          let { window, waitedMs } = await played(one);
          for (let left = ATTEMPTS; waitedMs >= TIMELY_MS && left > 0; left--) {
            window ??= await scene.session.waitForTab(reader, 5_000).catch(() => null);
            if (window) await closed(window);
            await inNewTab();
            ({ window, waitedMs } = await played(one));
          }
          expect(waitedMs, 'ms from the mark to the press').to.be.below(TIMELY_MS);
          if (!opens) expect(window, 'our window').to.equal(null);
          await window?.waitFor('.opened');
          expect(await site.evaluate(pageKnows)).to.not.include('mill');
          expect(await succeed(site, 'grants')).to.deep.equal([]);
          // A busy machine needs many attempts, and those of a test that was given up would close the next one's tab.
        }).timeout(ATTEMPTS * ATTEMPT_MS);
      }
    });
  });
}
