import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { Scene } from '../scene.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { answerPrompt, call } from '../steps.ts';

/* What a person sees of a site's request, at every size of its window. */

type Messages = Readonly<Record<string, { readonly message: string }>>;
const messagesOf = (locale: string) =>
  JSON.parse(readFileSync(`_locales/${locale}/messages.json`, 'utf8')) as Messages;

/** English message → German message. The browsers of the tests are English. */
const GERMAN = Object.fromEntries(
  Object.entries(messagesOf('de')).map(([key, { message }]) => [
    messagesOf('en')[key]?.message ?? '',
    message,
  ]),
);

/** The window as it opens, narrower, lower, and as small as a zoom of 200 % makes it. */
const SIZES = [
  [440, 640],
  [320, 640],
  [440, 480],
  [360, 420],
  [220, 320],
] as const;

/** A request with all that a prompt can show. */
const LONG = {
  purpose: 'Keep the records of the whole department private, on every device '.repeat(3),
  key: { kind: 'sealing', label: 'Records' },
  capabilities: ['seal', 'open', 'mac', 'blindIndex'],
  maxUses: 500,
  maxPerHour: 200,
  bulk: { records: 5000 },
};

/** Runs in the prompt: which controls cannot be seen where they are, once they have the focus. */
function hiddenControls(): string[] {
  const isSeen = (control: Element) => {
    control.scrollIntoView({ block: 'nearest' });
    (control as HTMLElement).focus();
    const { left, top, width, height } = control.getBoundingClientRect();
    const isInside = top >= 0 && left >= 0 && top + height <= innerHeight + 0.5;
    const [x, y] = [left + width / 2, top + height / 2];
    const there = document.elementFromPoint(x, y);
    return isInside && there !== null && (control === there || control.contains(there));
  };
  const controls = [...document.querySelectorAll('main :is(input, select, summary, button)')];
  return controls.filter((control) => !isSeen(control)).map((control) => control.outerHTML);
}

/** Runs in the prompt: whether the answer and its duration are in the window, without scrolling. */
function isAnswerShown(): boolean {
  return ['#duration', '#deny', '#allow'].every((selector) => {
    const { top, bottom } = document.querySelector(selector)!.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight + 0.5;
  });
}

/** Runs in the prompt. */
function translate(words: Readonly<Record<string, string>>): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    node.data = words[node.data] ?? node.data;
  }
}

for (const browser of BROWSERS) {
  describe(`the prompt as it is seen, in ${browser}`, () => {
    let scene: Scene & { readonly site: Tab };

    before(async () => {
      scene = await openSharedSiteScene(browser);
    });
    after(() => closeSharedSiteScene(scene));

    it('shows the answer and how long it holds at any size, and hides nothing beneath it', async () => {
      const asked = call(scene.site, 'connect', LONG);
      const prompt = await scene.session.waitForTab('prompt.html');
      await prompt.waitFor('#duration');
      for (const language of ['English', 'German']) {
        if (language === 'German') await prompt.evaluate(translate, GERMAN);
        for (const [width, height] of SIZES) {
          const name = `${language}, ${width} × ${height}`;
          await prompt.setViewport(width, height);
          await prompt.evaluate(() => {
            for (const each of document.querySelectorAll('*')) each.scrollTop = 0;
          });
          // In the lowest windows, question and answer scroll together.
          if (height > 416) expect(await prompt.evaluate(isAnswerShown), name).to.equal(true);
          expect(await prompt.evaluate(hiddenControls), name).to.deep.equal([]);
        }
      }
      await answerPrompt(scene.session, 'deny');
      expect((await asked).ok).to.equal(false);
    });

    it('emphasises the part of the address that its owner registered', async () => {
      const other = await openSharedSiteScene(browser);
      const asked = call(other.site, 'connect', LONG);
      const prompt = await scene.session.waitForTab('prompt.html');
      await prompt.waitFor('#origin strong');
      expect(await prompt.text('#origin strong')).to.equal('localhost');
      const weights = await prompt.evaluate(() =>
        ['#origin', '#origin strong'].map((selector) => {
          const { color, fontWeight } = getComputedStyle(document.querySelector(selector)!);
          return { color, fontWeight: Number(fontWeight) };
        }),
      );
      expect(weights[1]!.fontWeight).to.be.above(weights[0]!.fontWeight);
      expect(weights[1]!.color).to.not.equal(weights[0]!.color);
      await answerPrompt(scene.session, 'deny');
      expect((await asked).ok).to.equal(false);
      await closeSharedSiteScene(other);
    });
  });
}
