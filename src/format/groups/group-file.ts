/*
 * Group files (docs/format.md section 3.10): all that a member needs of a group, as a text that its members send each other.
 *
 *   Name: Choir
 *
 *   swg1.BQ…      the group's id
 *   swge1.AQ…     its epochs, from the oldest to the newest
 *   swge1.AQ…
 *
 * Nothing of the text around the epochs is signed. Whether the epochs hold is decided by history.ts.
 */
import { equal } from '../../crypto/bytes.ts';
import { EnvelopeError, type EnvelopeErrorCode } from '../errors.ts';
import { parseEpochText, type Epoch } from './epoch.ts';
import { EPOCH_PREFIX, GROUP_ID_PREFIX, groupIdText, groupOf, parseGroupId } from './group-id.ts';
import { GROUP_EPOCHS_MAX } from './history.ts';

/** Length of the longest group file, in bytes: 1,024 epochs of ten members. */
export const GROUP_FILE_BYTES_MAX = 2 ** 25;
/** Length of the longest name of a group, in UTF-16 units. */
export const GROUP_NAME_MAX = 100;

/** What is written into a group file. */
export interface GroupFileContent {
  /** What the sender calls the group; '' for no name. */
  readonly name: string;
  /** "swg1.…" */
  readonly id: string;
  /** "swge1.…" each, from the oldest to the newest: all of them, because a new member needs the whole chain. */
  readonly epochs: readonly string[];
}

/** A group file as it was read. Only the form of its epochs was checked. */
export interface GroupFile {
  /** As `groupName` returns it; '' if the file has none. */
  readonly name: string;
  /** "swg1.…", of which all its epochs are. */
  readonly id: string;
  /** One or more, in the order of the file, each once. */
  readonly epochs: readonly Epoch[];
}

/** In English in all languages: readers look for it. */
const NAME_FIELD = 'Name:';

/** Writes a group file. */
export function groupFileText({ name, id, epochs }: GroupFileContent): string {
  const called = groupName(name);
  const head = called === '' ? [] : [`${NAME_FIELD} ${called}`, ''];
  return [...head, id, ...epochs, ''].join('\n');
}

/** Controls, separators and blanks of all kinds, and format characters. Joiners are parts of letters. */
const NOT_IN_NAMES = /(?:(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Z}])+/gu;

/** Of a text that is to be a name: it may be as long as a file. */
const NAME_LINE_MAX = 4_096;

/** A name in one line, cut at `GROUP_NAME_MAX`; '' if nothing is left of it. */
export function groupName(text: string): string {
  const line = text.slice(0, NAME_LINE_MAX).replace(NOT_IN_NAMES, ' ').trim();
  // A pair of surrogates may be cut in two.
  return line
    .slice(0, GROUP_NAME_MAX)
    .replace(/\p{Cs}$/u, '')
    .trim();
}

/**
 * Reads a group file, also as mail leaves it: with wrapped lines, quoted, with other text around it. Files that have epochs
 * alone are read, too.
 *
 * @throws EnvelopeError TOO_LARGE before any work, or for more than 1,024 epochs; BAD_ENVELOPE, with the number of the line,
 *   for an epoch that is not whole, an id or epochs of two groups, and a file without an epoch
 */
export async function parseGroupFile(text: string): Promise<GroupFile> {
  if (text.length > GROUP_FILE_BYTES_MAX) throw tooLarge(`${GROUP_FILE_BYTES_MAX} bytes`);
  const read = partsOf(text);
  let { group } = read;
  const epochs = new Map<string, Epoch>();
  for (const part of read.parts) {
    if (epochs.has(part.text)) continue;
    const epoch = await parseEpochText(part.text).catch((error: unknown) => {
      throw error instanceof EnvelopeError ? inLine(part.line, error.code, error.message) : error;
    });
    group ??= groupOf(epoch);
    if (!equal(group, groupOf(epoch))) throw refused(part.line, 'This epoch is of another group');
    epochs.set(part.text, epoch);
  }
  return { name: read.name, id: groupIdText(group!), epochs: [...epochs.values()] };
}

/** Whether a text that begins so is a group file, whole or not. */
export function isGroupFile(beginning: string): boolean {
  for (const line of linesOf(beginning)) if (MARK.test(line)) return true;
  return false;
}

/** The text of an epoch, and the line in which it begins. */
interface Part {
  readonly line: number;
  text: string;
}

interface Parts {
  readonly name: string;
  /** By its id, the digest of the group's first epoch, 32 bytes; undefined if the file has no id. */
  readonly group: Uint8Array | undefined;
  readonly parts: readonly Part[];
}

/** The only characters of a line that continues an epoch, which mail has wrapped. */
const CONTINUED = /^[\w-]+$/;
const MARK = /^swge?1\./;
const MARK_WITHIN = /swge?1\./;

/** @throws EnvelopeError as `parseGroupFile` */
function partsOf(text: string): Parts {
  let name = '';
  let group: Uint8Array | undefined;
  const parts: Part[] = [];
  let open: Part | undefined;
  let number = 0;
  for (const line of linesOf(text)) {
    number++;
    if (line.startsWith(EPOCH_PREFIX)) {
      open = { line: number, text: line };
      parts.push(open);
      if (parts.length > GROUP_EPOCHS_MAX) throw tooLarge(`${GROUP_EPOCHS_MAX} epochs`);
    } else if (line.startsWith(GROUP_ID_PREFIX)) {
      const named = idIn(number, line);
      if (group && !equal(group, named)) throw refused(number, 'This is the id of another group');
      group = named;
      open = undefined;
    } else if (open && CONTINUED.test(line)) {
      open.text += line;
    } else {
      open = undefined;
      if (line.startsWith(NAME_FIELD)) {
        if (parts.length === 0) name ||= groupName(line.slice(NAME_FIELD.length));
      } else if (MARK_WITHIN.test(line)) {
        // An epoch that is passed over would be one of which its reader does not know.
        throw refused(number, 'Ids and epochs begin their lines');
      }
    }
  }
  if (parts.length === 0) throw new EnvelopeError('BAD_ENVELOPE', 'It has no epoch of a group');
  return { name, group, parts };
}

/** The lines, without what mail programs put at their beginnings and between their letters. */
function* linesOf(text: string): Generator<string, undefined> {
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(start, end).replace(/[\u00ad\u200b\ufeff]/g, '');
    yield line.replace(/^[>\s]+/, '').trimEnd();
    start = end + 1;
  }
}

function idIn(line: number, text: string): Uint8Array {
  try {
    return parseGroupId(text);
  } catch (error) {
    throw error instanceof EnvelopeError ? refused(line, 'This is no id of a group') : error;
  }
}

const refused = (line: number, why: string) => inLine(line, 'BAD_ENVELOPE', why);

const inLine = (line: number, code: EnvelopeErrorCode, why: string) =>
  new EnvelopeError(code, `Line ${line}: ${why}`);

const tooLarge = (most: string) =>
  new EnvelopeError('TOO_LARGE', `A group file has at most ${most}`);
