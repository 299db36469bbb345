/*
 * Names of files that came from somebody else. A name says where a file is written and what opens it, so that nothing of it
 * is used as it is.
 */

/** Controls, line separators and format characters: invisible, or they reorder what is shown. Joiners are parts of letters. */
const DECEPTIVE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Spaces of all kinds, and letters that are drawn as nothing. */
const BLANKS = /(?:\s|\u034f|\u17b4|\u17b5|[\u115f\u1160\u2800\u3164\uffa0])+/gu;
/** What Windows reserves in names; `/` and `\` are in it. */
const RESERVED = /[<>:"/\\|?*]/g;
/** Devices of Windows, with any extension, and files that its explorer obeys. */
const DEVICE =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3])\s*(?:\.|$)|^(?:desktop\.ini|thumbs\.db)$/i;
/** A file system has room for 255 bytes; browsers append up to 15 while they save. */
const NAME_BYTES_MAX = 240;
const EXTENSION = /\.[^. ]{1,16}$/u;

/**
 * A name that can be shown and written on any system: one line, no path, no device, no dots at its ends, at most 240 bytes
 * of UTF-8. Characters that are taken out leave "_" behind. The extension stays, also of a name that is cut, so that a program
 * cannot pass for a picture.
 *
 * @param name any text
 * @returns '' if nothing is left that could be a name
 */
export function safeFileName(name: string): string {
  const line = name
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .replace(DECEPTIVE, '_')
    .replace(RESERVED, '_')
    .trim()
    .replace(/[. ]+$/u, '')
    .replace(/^\.+/u, '_');
  if (!/[^_ ]/u.test(line)) return '';
  const whole = DEVICE.test(line) ? `_${line}` : line;
  const [extension = ''] = EXTENSION.exec(whole) ?? [];
  const stem = whole.slice(0, whole.length - extension.length);
  const kept = cut(stem, NAME_BYTES_MAX - bytesOf(extension));
  return extension === '' ? kept.replace(/[. ]+$/u, '') : `${kept}${extension}`;
}

/** Letters of a media type without its parameters (RFC 6838 section 4.2). */
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/i;

/**
 * A media type that can be shown; nothing may be drawn or run because of it.
 *
 * @param type any text
 * @returns '' for any other text
 */
export const shownMediaType = (type: string): string => (MEDIA_TYPE.test(type) ? type : '');

/** The beginning of a text, whole code points up to a number of bytes. */
function cut(text: string, bytesMax: number): string {
  if (bytesOf(text) <= bytesMax) return text;
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > bytesMax) break;
    end += character.length;
  }
  return text.slice(0, end);
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
