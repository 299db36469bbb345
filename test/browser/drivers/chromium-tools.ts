import { pageOf } from './chromium-tab.ts';
import type { Tab } from './driver.ts';

/* What can be done to a tab of Chromium alone, by its own protocol. */

/** What a virtual authenticator can (CDP, WebAuthn.VirtualAuthenticatorOptions). */
export interface Authenticator {
  /** Whether it has a PRF at all, and one that is evaluated when a passkey is made. */
  readonly prf: 'no' | 'for-known-passkeys' | 'at-once';
}

/** A virtual authenticator for one tab, whose user agrees to everything. */
export async function addAuthenticator(tab: Tab, { prf }: Authenticator): Promise<void> {
  const protocol = await pageOf(tab).createCDPSession();
  await protocol.send('WebAuthn.enable', { enableUI: false });
  const options = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: prf === 'at-once' ? 'internal' : 'usb',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    hasPrf: prf === 'at-once',
    hasHmacSecret: prf === 'for-known-passkeys',
  } as const;
  await protocol.send('WebAuthn.addVirtualAuthenticator', { options });
}

/** Evaluates an expression in the extension's own world of a page. @returns its value, as JSON */
export async function inContentScript(tab: Tab, expression: string): Promise<unknown> {
  const protocol = await pageOf(tab).createCDPSession();
  const contextId = await new Promise<number>((found) => {
    protocol.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.origin.startsWith('chrome-extension:')) found(context.id);
    });
    void protocol.send('Runtime.enable');
  });
  const how = { expression, contextId, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await protocol.send('Runtime.evaluate', how);
  await protocol.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'failed');
  return result.value as unknown;
}

/** What the accessibility tree says of the first element in a frame whose address holds a part. */
export async function accessibleInFrame(tab: Tab, part: string): Promise<Record<string, unknown>> {
  const frame = await pageOf(tab).waitForFrame((one) => one.url().includes(part));
  // Puppeteer's types do not have it.
  const { _id: frameId } = frame as unknown as { readonly _id: string };
  const protocol = await pageOf(tab).createCDPSession();
  const { nodes } = await protocol.send('Accessibility.getFullAXTree', { frameId });
  await protocol.detach();
  const {
    name,
    description,
    properties = [],
  } = nodes.find(({ role }) => role?.value === 'textbox')!;
  const told = properties.map((one) => [one.name, one.value.value as unknown] as const);
  return { name: name?.value, description: description?.value, ...Object.fromEntries(told) };
}

/** The names of the text fields that assistive technology finds in a page, without its frames. */
export async function accessibleTextboxes(tab: Tab): Promise<readonly string[]> {
  const protocol = await pageOf(tab).createCDPSession();
  const { nodes } = await protocol.send('Accessibility.getFullAXTree');
  await protocol.detach();
  const fields = nodes.filter(({ role, ignored }) => role?.value === 'textbox' && !ignored);
  return fields.map(({ name }) => String(name?.value));
}

/** What the main thread of a page has worked so far, in seconds. */
export async function taskSeconds(tab: Tab): Promise<number> {
  return (await pageOf(tab).metrics()).TaskDuration!;
}
