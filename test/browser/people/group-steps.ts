import type { Contact } from './contact.ts';
import { PATIENCE_MS } from './person.ts';

/** The members of the groups that are shown. */
export const MEMBER = '#group-list .confirm .rows > .row';

export const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

/** What a text is sealed for. */
interface GroupSealing {
  /** "swg1.…"; by default the first group. */
  readonly id?: string;
  /** Whether for the group alone, so that its epoch is what opens the text, not the key of its writer. */
  readonly alone?: boolean;
}

/** Seals a text for a group under "Write to someone". @returns it, armored */
export async function sealedForGroup(
  person: Contact,
  text: string,
  { id = 'swg1', alone = false }: GroupSealing = {},
): Promise<string> {
  await person.click('#nav-write');
  await person.type('#write-text', text);
  await person.click('#audience-people');
  await person.click(`[id^="to-${id}"]`);
  if (alone) await person.click('#me-too');
  await person.click('#write-seal[aria-disabled="false"]');
  await person.tab.waitFor('#written', PATIENCE_MS);
  return person.tab.evaluate(() => document.querySelector<HTMLTextAreaElement>('#written')!.value);
}

/** The text that Files shows. */
export async function opened(person: Contact): Promise<string> {
  await person.tab.waitFor('pre.opened', PATIENCE_MS);
  return person.tab.text('pre.opened');
}

export function countOf({ tab }: Contact, selector: string): Promise<number> {
  return tab.evaluate((wanted) => document.querySelectorAll(wanted).length, selector);
}

/** Waits until so many elements are there. */
export function untilCount({ tab }: Contact, selector: string, count: number): Promise<void> {
  return tab.waitUntil(
    (wanted, number) => document.querySelectorAll(wanted).length === number,
    { timeoutMs: PATIENCE_MS },
    selector,
    count,
  );
}
