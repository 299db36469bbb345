import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Tab } from '../browser/drivers/driver.ts';
import { runServer } from '../servers/server.ts';
import type { Source } from './install.ts';

/** A field of an application, and the way to it and from it that a person goes. */
export interface Field {
  readonly title: string;
  /** A plain field is marked as always sealed; into editors, sealed text is written by the extension's window. */
  readonly way: 'marked' | 'window';
  /** To where a new text is written. */
  compose(tab: Tab, origin: string): Promise<void>;
  /** What is pressed to write in it. */
  readonly selector: string;
  /** The same where the saved text is edited, if it is another. */
  readonly editSelector?: string;
  /** Instead of a press on the selector, where the field is in a frame. */
  focus?(tab: Tab): Promise<void>;
  /** Shows what would be saved, and comes back when the field is there again. */
  readonly preview?: (tab: Tab) => Promise<void>;
  save(tab: Tab): Promise<void>;
  /** To where the saved text is edited, from anywhere; absent where what was sent cannot be edited. */
  readonly edit?: (tab: Tab, origin: string) => Promise<void>;
  /** To where the saved text is read, from anywhere. */
  readonly read?: (tab: Tab, origin: string) => Promise<void>;
}

/** Where an application runs. */
export interface Place {
  /** What `install` has returned. */
  readonly folder: string;
  /** Its own store, empty at first. */
  readonly data: string;
  /** Of the loopback interface, which it listens on. */
  readonly port: number;
  /** The address that leads to the port, and records what the browser sends. */
  readonly origin: string;
}

export interface Started {
  /** Where the user goes, if it is another address. */
  readonly origin?: string;
  /** What it has stored, where that is in its memory and not in files. */
  stored?(): Promise<string>;
  end(): Promise<void>;
}

/** An application of other people. */
export interface Application {
  readonly title: string;
  readonly source: Source;
  /** The package whose version is that of the application, if it is not the first one. */
  readonly package?: string;
  start(place: Place): Promise<Started>;
  /** Before its fields can be reached. */
  login?(tab: Tab, origin: string): Promise<void>;
  readonly fields: readonly Field[];
}

/** Starts a program that listens on `port`, and comes back when it answers. */
export async function serveBy(
  program: string,
  args: readonly string[],
  port: number,
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Started> {
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
  const child = spawn(program, args, { cwd, stdio, env: { ...process.env, ...env } });
  return { end: await runServer(child, `http://127.0.0.1:${port}/`) };
}

/**
 * Presses an element in a frame of the page's origin, once it is there.
 *
 * @param frames the selector of the frame in the page, and of each further one in the frame before it
 */
export async function clickInFrame(
  tab: Tab,
  frames: readonly string[],
  selector: string,
): Promise<void> {
  await waitInFrame(tab, frames, selector);
  const [x, y] = await tab.evaluate(
    (path, inner) => {
      let [left, top, inside] = [0, 0, document];
      const boxes = path.map((name) => {
        const frame = inside.querySelector<HTMLIFrameElement>(name)!;
        inside = frame.contentDocument!;
        return frame;
      });
      const element = inside.querySelector(inner)!;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      for (const box of [...boxes, element].map((one) => one.getBoundingClientRect())) {
        left += box.left;
        top += box.top;
      }
      const { width, height } = element.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    },
    frames,
    selector,
  );
  await tab.clickAt(x, y);
}

/** Waits until an element is displayed in a frame of the page's origin; `frames` as for `clickInFrame`. */
export function waitInFrame(tab: Tab, frames: readonly string[], selector: string): Promise<void> {
  const find = (path: readonly string[], inner: string): boolean => {
    let inside: Document | null | undefined = window.document;
    for (const name of path) {
      inside = inside?.querySelector<HTMLIFrameElement>(name)?.contentDocument;
    }
    return Boolean(inside?.querySelector(inner)?.getBoundingClientRect().height);
  };
  return tab.waitUntil(find, {}, frames, selector);
}

/** Everything that an application has stored, as text in which ASCII can be found. */
export function storeOf(data: string): string {
  const files = readdirSync(data, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readStored(join(parentPath, name)))
    .join('\n');
}

function readStored(path: string): string {
  // It may have been removed meanwhile.
  if (!existsSync(path)) return '';
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
}
