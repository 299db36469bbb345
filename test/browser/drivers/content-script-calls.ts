import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tab } from './driver.ts';
import { ARRIVES_SLOWLY, delayMessages } from './slow-arrivals.ts';

/** Functions by name, which a test runs in the world of the content script. Each stands for itself. */
export type ContentScriptFunctions = Readonly<
  Record<string, (...args: never[]) => Promise<unknown>>
>;

/**
 * Copies an extension. Its content script also runs the functions of a test, if there are any, as a
 * compromised renderer would. No content script may evaluate text, so their source is appended to its file.
 */
export async function copyWithFunctions(
  extensionFolder: string,
  folder: string,
  functions: ContentScriptFunctions,
): Promise<void> {
  await cp(extensionFolder, folder, { recursive: true });
  if (ARRIVES_SLOWLY) await delayMessages(folder);
  if (Object.keys(functions).length === 0) return;
  const entries = Object.entries(functions).map(([name, work]) => `${name}: ${work.toString()}`);
  await appendFile(
    join(folder, 'content.js'),
    `;(() => {
      const __name = (value) => value;
      const functions = { ${entries.join(',\n')} };
      addEventListener('message', async ({ data, source }) => {
        if (typeof data?.toContentScript !== 'string') return;
        const [id, name, args] = JSON.parse(data.toContentScript);
        const outcome = await functions[name](...args).then(
          (value) => ({ value }),
          (error) => ({ error: String(error) }),
        );
        source.postMessage({ fromContentScript: JSON.stringify({ id, ...outcome }) }, '*');
      });
    })();`,
  );
}

/** Runs one of those functions in the content script of a page. Arguments and result are JSON. */
export async function callContentScript(
  tab: Tab,
  name: string,
  ...args: unknown[]
): Promise<unknown> {
  return await outcomeOf(tab.evaluate(askContentScript, null, name, args));
}

/** The same in the content script of a frame of the page, by its index. */
export async function callFrameScript(
  tab: Tab,
  frame: number,
  name: string,
  ...args: unknown[]
): Promise<unknown> {
  return await outcomeOf(tab.evaluate(askContentScript, frame, name, args));
}

async function outcomeOf(asked: Promise<ContentOutcome>): Promise<unknown> {
  const { value, error } = await asked;
  if (error !== undefined) throw new Error(error);
  return value;
}

interface ContentOutcome {
  readonly value?: unknown;
  readonly error?: string;
}

/** In the page. */
function askContentScript(
  frame: number | null,
  name: string,
  args: unknown[],
): Promise<ContentOutcome> {
  const asked = frame === null ? window : frames[frame]!;
  const id = crypto.randomUUID();
  return new Promise((resolve) => {
    const listener = ({ data }: MessageEvent<{ fromContentScript?: unknown } | null>): void => {
      if (typeof data?.fromContentScript !== 'string') return;
      const answer = JSON.parse(data.fromContentScript) as ContentOutcome & { id: string };
      if (answer.id !== id) return;
      removeEventListener('message', listener);
      resolve(answer);
    };
    addEventListener('message', listener);
    asked.postMessage({ toContentScript: JSON.stringify([id, name, args]) }, '*');
  });
}
