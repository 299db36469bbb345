import { expect } from 'chai';
import type { BrowserSession, Tab } from '../browser/drivers/driver.ts';
import * as fieldSteps from '../browser/field-steps.ts';
import type { Field } from './application.ts';
import type { Outcome } from './table.ts';

/*
 * What a person does with a field of an application: marks it or writes by the extension's window, saves, reads,
 * opens, edits, saves again. After each step the clear text must be neither in the store nor in what was sent.
 */

/** No sealed text has a capital letter, and no application of the table these words. */
const WORDS = 'Quaxwaltz by the Meadowlark mill';
const MORE = ' at Pebblenoon';
const CLEAR = /Quaxw|Meadowl|Pebblen/;
const SEALED = /swt1[a-z2-9]{200,}?0(?![a-z2-9])/g;
const PATIENCE_MS = 20_000;

/** What an application was given and has. */
export interface Witness {
  /** All that the browser has sent to it, as text. */
  sent(): string;
  /** All that it has stored, as text. */
  stored(): Promise<string>;
}

interface Stage {
  readonly session: BrowserSession;
  readonly tab: Tab;
  readonly origin: string;
  readonly field: Field;
  readonly witness: Witness;
}

/** Tries a field of an application that is started, and logged in to. The steps after one that fails are not tried. */
export async function tryField(stage: Stage): Promise<Outcome> {
  const done: string[] = [];
  let current = 'compose';
  const step: Step = async (title, work) => {
    current = title;
    await work();
    const { witness } = stage;
    expect(CLEAR.exec(witness.sent()), 'clear text was sent').to.equal(null);
    expect(CLEAR.exec(await witness.stored()), 'clear text was stored').to.equal(null);
    done.push(title);
  };
  try {
    await goThrough(stage, step);
    return { done, problem: null };
  } catch (error) {
    return { done, problem: `${current}: ${(error as Error).message}` };
  }
}

type Step = (title: string, work: () => Promise<void>) => Promise<void>;

async function goThrough(stage: Stage, step: Step): Promise<void> {
  const { session, tab, origin, field, witness } = stage;
  const focus = (selector = field.selector) => field.focus?.(tab) ?? tab.click(selector);
  let before = sealedTexts(await witness.stored());
  const saved = async (): Promise<void> => {
    await field.save(tab);
    await eventually('a new sealed text in the store', async () =>
      [...sealedTexts(await witness.stored())].some((text) => !before.has(text)),
    );
  };
  const opens = async (text: string): Promise<Tab> => {
    const window = await fieldSteps.fieldSession(session, tab, 'open');
    // A page may show others beside it.
    await window.waitUntil(
      (wanted) =>
        [...document.querySelectorAll('.opened')].some(({ textContent }) => textContent === wanted),
      {},
      text,
    );
    return window;
  };

  await field.compose(tab, origin);
  if (field.way === 'marked') {
    await step('mark', async () => {
      await focus();
      await fieldSteps.mark(session, tab);
      await tab.reload();
      await field.compose(tab, origin);
    });
    await step('write', async () => {
      await focus();
      await tab.typeAtFocus(WORDS);
    });
  } else {
    await step('write', async () => {
      await focus();
      const window = await fieldSteps.write(session, tab, WORDS);
      await sealed(session, window);
    });
  }
  const { preview, edit, read } = field;
  if (preview) await step('preview', () => preview(tab));
  await step('save', saved);
  if (read) {
    await step('read', async () => {
      await read(tab, origin);
      await fieldSteps.closed(session, await opens(WORDS));
    });
  }
  if (!edit) return;
  await step('edit', async () => {
    before = sealedTexts(await witness.stored());
    await edit(tab, origin);
    await focus(field.editSelector);
    const window = await opens(WORDS);
    await fieldSteps.editOpened(window);
    await window.type('#compose', MORE);
    await sealed(session, window);
  });
  await step('save again', saved);
  await step('open again', async () => {
    await edit(tab, origin);
    await focus(field.editSelector);
    await fieldSteps.closed(session, await opens(WORDS + MORE));
  });
}

/** Presses the button that inserts, and comes back when the text is in the field. */
async function sealed(session: BrowserSession, window: Tab): Promise<void> {
  await window.click('#seal-insert');
  await window.waitFor('#sealed-text');
  const told = await window.evaluate(
    () =>
      `${document.querySelector('.banner')?.id}: ${document.querySelector('.banner')?.textContent}`,
  );
  await fieldSteps.closed(session, window);
  if (!told.startsWith('sealed-inserted')) throw new Error(told);
}

const sealedTexts = (store: string): ReadonlySet<string> => new Set(store.match(SEALED));

async function eventually(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`no ${what} after ${PATIENCE_MS / 1000} s`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
