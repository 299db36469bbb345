import type { BrowserSession } from '../../drivers/driver.ts';
import { createVault } from '../../steps.ts';
import { Contact } from '../contact.ts';
import { PATIENCE_MS } from '../person.ts';

/** The members of the groups that are shown. */
export const MEMBER = '#group-list .confirm .rows > .row';

/** The button that shows a group. */
export const FOLDED = '#group-list [aria-expanded="false"]:not([aria-haspopup])';

/** The screen with the groups, anew, so that none of them is unfolded. */
export async function atGroups(person: Contact): Promise<void> {
  await person.click('#nav-home');
  await person.click('#nav-contacts');
  await person.tab.waitFor(FOLDED, PATIENCE_MS);
}

/** Two people, each with a vault and a contact: the other one. */
export async function friends(
  aliceSession: BrowserSession,
  bobSession: BrowserSession,
): Promise<readonly [alice: Contact, bob: Contact]> {
  for (const session of [aliceSession, bobSession]) await createVault(session);
  const [alice, bob] = [await Contact.at(aliceSession), await Contact.at(bobSession)];
  for (const [from, to, name] of [
    [alice, bob, 'Alice'],
    [bob, alice, 'Bob'],
  ] as const) {
    await from.click('#nav-contacts');
    await from.type('#invite-name', name);
    await from.click('#invite-save');
    await to.drop(await from.saved());
    await to.tab.waitFor('#contacts > li', PATIENCE_MS);
  }
  return [alice, bob];
}

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

/** Chooses what an admin does with a member, from the menu of the member's row, once the change before is done. */
export async function chooseFor(person: Contact, row: string, action: string): Promise<void> {
  await person.click(`${row} [aria-haspopup="menu"][aria-disabled="false"]`);
  await person.click(`${row} [data-action="${action}"]`);
}

/** The same, and goes on where it asks. */
export async function doFor(person: Contact, row: string, action: string): Promise<void> {
  await chooseFor(person, row, action);
  await person.click(`${row} .button-danger`);
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
