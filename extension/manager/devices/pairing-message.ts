/*
 * How messages of devices that pair travel: as files of their bytes, and as text, "swd1." and canonical base64url without
 * padding (docs/format.md section 15).
 */
import { fromBase64url, toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { plainText, utf8Text } from '../../ui/text/plain-text.ts';

const PREFIX = 'swd1.';

/** What a QR code holds that stands for an offer: its digest, which the background compares. */
const OFFER_CODE = /^SWD1:[0-9A-F]{64}$/;

/** Messages up to this length are offered as text: what mail and notes take. */
const TEXT_MAX_BYTES = 64 * 1024;
/** No message is longer, and no text that is worth reading. */
const MAX_BYTES = 2 ** 24;
const MAX_CHARACTERS = PREFIX.length + (MAX_BYTES * 4) / 3 + 2 ** 20;

/** What mail programs put between the lines of a long word, and around it. */
const BREAKS = /[\s>\u00ad\u200b\ufeff]+/g;

/** The text of a message; undefined where only a file is of use. */
export function pairingText(message: Uint8Array): string | undefined {
  return message.length <= TEXT_MAX_BYTES ? PREFIX + toBase64url(message) : undefined;
}

/** The message in a text, also behind other words; undefined for a text without a message. */
export function pairingMessage(text: string): Uint8Array<ArrayBuffer> | undefined {
  const at = text.indexOf(PREFIX);
  if (at < 0 || text.length > MAX_CHARACTERS) return undefined;
  try {
    return fromBase64url(text.slice(at + PREFIX.length).replace(BREAKS, ''));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The message in a file, which may hold the text too; undefined where it is too long, or cannot be read. */
export async function pairingMessageIn(file: Blob): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.size > MAX_CHARACTERS) return undefined;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = utf8Text(bytes);
    const message = text === undefined ? bytes : pairingMessage(text);
    return message && message.length <= MAX_BYTES ? message : undefined;
  } catch {
    return undefined; // the file is gone, or may not be read
  }
}

/** Whether a text is that of the code which a device shows beside its offer. */
export const isOfferCode = (text: string): boolean => OFFER_CODE.test(text);

/** The digits in what was typed, in those of any script, such as Arabic or full-width ones, as 0 to 9. */
export function typedDigits(text: string): string {
  return Array.from(text.matchAll(/\p{Nd}/gu), ([digit]) => valueOf(digit)).join('');
}

/** The ten digits of a script follow each other. */
function valueOf(digit: string): number {
  let value = 0;
  for (let code = digit.codePointAt(0)!; value < 9; value++) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(--code))) break;
  }
  return value;
}

/** Names of browsers by what their user agents say; the first that fits. */
const BROWSERS = { Firefox: /Firefox\//, Edge: /Edg\//, Opera: /OPR\//, Chrome: /Chrome\// };
const SYSTEMS = {
  Windows: /Windows/,
  Android: /Android/,
  ChromeOS: /CrOS/,
  macOS: /Mac OS X/,
  Linux: /Linux/,
};

/** The most of a device's name, in bytes of UTF-8: as many letters of ASCII, and fewer of other scripts. */
export const DEVICE_NAME_BYTES = 64;

/** What was typed as the name of a device: one line, of as many characters as there is room for. */
export function fittingName(typed: string): string {
  let fitting = '';
  for (const character of plainText(typed, DEVICE_NAME_BYTES)) {
    if (utf8(fitting + character).length > DEVICE_NAME_BYTES) break;
    fitting += character;
  }
  return fitting.trim();
}

/** A name for this device until the user gives another one, such as "Firefox, Linux". */
export function suggestedName(userAgent: string): string {
  const fitting = [BROWSERS, SYSTEMS].flatMap((names) => {
    const found = Object.entries(names).find(([, pattern]) => pattern.test(userAgent));
    return found ? [found[0]] : [];
  });
  return fitting.join(', ') || 'Sealwright';
}
