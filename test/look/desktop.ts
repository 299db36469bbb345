import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { PATIENCE_MS, poll } from '../browser/drivers/page-function.ts';

/*
 * A person at the screen that scripts/look.mjs started: real keys and clicks by xdotool, and what the screen
 * shows, with all that belongs to the browser and not to a page.
 */

const STILL_MS = 1_000;
const MOST_TRIES = 5;
/** A part of the screen: more than a pointer or a caret. */
const LEAST_CHANGE = 0.001;

const xdotool = (...args: string[]): string => execFileSync('xdotool', args, { encoding: 'utf8' });

/** "alt+shift+k". */
export function pressKeys(...keys: string[]): void {
  xdotool('key', '--clearmodifiers', ...keys);
}

export function typeText(words: string): void {
  xdotool('type', '--delay', '20', words);
}

/** In the coordinates of the screen. */
export function clickScreen({ x, y }: { readonly x: number; readonly y: number }): void {
  xdotool('mousemove', String(Math.round(x)), String(Math.round(y)), 'click', '1');
}

/** Waits for a window by a part of its title, and gives it the keyboard. */
export async function waitForWindow(title: string): Promise<void> {
  const id = await poll(`a window “${title}”`, PATIENCE_MS, () => {
    const [found] = windows(title);
    return Promise.resolve(found);
  });
  xdotool('windowactivate', '--sync', id);
}

/** Whether there is a window with this in its title. */
export const hasWindow = (title: string): boolean => windows(title).length > 0;

function windows(title: string): string[] {
  try {
    return xdotool('search', '--onlyvisible', '--name', title).trim().split('\n');
  } catch {
    return []; // xdotool fails where it finds none
  }
}

/**
 * Does what opens a window, and comes back when the screen shows something else and, unless a caret blinks,
 * stands still.
 */
export async function opening(act: () => Promise<void> | void): Promise<void> {
  const before = screen();
  await act();
  await poll('another screen', PATIENCE_MS, () =>
    Promise.resolve(difference(before, screen()) > LEAST_CHANGE ? true : undefined),
  );
  let last = screen();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await new Promise((resume) => setTimeout(resume, STILL_MS));
    const now = screen();
    if (now.equals(last)) return;
    last = now;
  }
}

/** Which part of the bytes differs, from 0 to 1. */
function difference(one: Buffer, other: Buffer): number {
  let count = 0;
  for (let i = 0; i < one.length; i += 4) if (one[i] !== other[i]) count++;
  return (count * 4) / one.length;
}

/** Writes what the screen shows now, as a PNG. */
export function takePicture(path: string): void {
  writeFileSync(path, pngOf(screen()));
}

function screen(): Buffer {
  const frame = process.env['SEALWRIGHT_FRAMEBUFFER'];
  if (frame === undefined) throw new Error('There is no screen: start this by npm run look');
  return readFileSync(frame);
}

/** Of a screen in the X Window Dump format, as Xvfb keeps it: 32 bits a pixel, blue first. */
function pngOf(dump: Buffer): Buffer {
  const field = (place: number) => dump.readUInt32BE(place * 4);
  const [width, height, bytesPerLine] = [field(4), field(5), field(12)];
  const pixels = dump.subarray(field(0) + field(19) * 12);
  const lines = Buffer.alloc(height * (width * 3 + 1));
  let at = 0;
  for (let y = 0; y < height; y++) {
    lines[at++] = 0; // no filter
    for (let x = 0; x < width; x++) {
      const from = y * bytesPerLine + x * 4;
      lines[at++] = pixels[from + 2]!;
      lines[at++] = pixels[from + 1]!;
      lines[at++] = pixels[from]!;
    }
  }
  const header = Buffer.from([...bytesOf(width), ...bytesOf(height), 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function bytesOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([bytesOf(data.length), body, bytesOf(crc32(body))]);
}
