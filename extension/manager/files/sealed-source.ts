import { EnvelopeError } from '../../../src/format/errors.ts';
import { epochNamesIn } from '../../../src/format/recipients/group-key.ts';
import { ARMOR_PREFIX, ARMOR_TEXT_LENGTH_MAX, unarmor } from '../../../src/format/wire/armor.ts';
import { parsePrefix } from '../../../src/format/wire/envelope.ts';
import { armorCandidates } from '../../../src/format/wire/find-armor.ts';
import { hasMagic, type Header } from '../../../src/format/wire/header.ts';
import { isWebArmor } from '../../../src/format/wire/web-armor.ts';
import { MAX_FILE_BYTES, MAX_PREFIX_BYTES } from '../../../src/rpc/limits.ts';
import { isAge } from '../../../src/keys/ring/age.ts';
import { sealedRuns } from '../../fields/find/sealed-runs.ts';

/** A sealed message in a file or a text. */
export interface SealedSource {
  readonly header: Header;
  /** Whether it is for a group: which one is public. */
  readonly isForGroup: boolean;
  /** Its beginning, with all that stands before the chunks. */
  readonly head: Uint8Array;
  /**
   * The message: several where a text goes on after it, and only opening shows where it ends. The
   * longest is first.
   */
  readonly candidates: readonly Blob[];
}

/**
 * Finds the sealed message in a file: binary, as text, or in the middle of a text.
 *
 * @returns undefined for a file without a sealed message
 * @throws EnvelopeError if it begins as one and is damaged there, or is of another version
 */
export async function sealedSource(file: Blob): Promise<SealedSource | undefined> {
  const head = await bytesOf(file.slice(0, MAX_PREFIX_BYTES));
  if (hasMagic(head)) return { ...readHead(head), candidates: [file] };
  const candidates = await armoredIn(file, head);
  const [longest] = candidates;
  if (longest === undefined) return undefined;
  const start = await bytesOf(longest.slice(0, MAX_PREFIX_BYTES));
  return { ...readHead(start), candidates };
}

function readHead(head: Uint8Array): Omit<SealedSource, 'candidates'> {
  const { header, recipients } = parsePrefix(head);
  return { header, isForGroup: epochNamesIn(recipients.entries).length > 0, head };
}

/** Names of files that are opened rather than sealed. */
const OPENED_NAME = /\.(?:sealed|sealed\.txt|age|sjcl)$/i;

/** Whether a dropped file is one to open: by its beginning, or its name. Any other is one to seal. */
export async function looksSealed(file: File): Promise<boolean> {
  if (OPENED_NAME.test(file.name)) return true;
  try {
    const head = await bytesOf(file.slice(0, MAX_PREFIX_BYTES));
    const isOfSjcl = /^\s*\{.*"ct"/s.test(new TextDecoder().decode(head));
    return isAge(head) || isOfSjcl || (await isSealed(file));
  } catch {
    return false; // what cannot be read is refused where it is to be sealed
  }
}

async function isSealed(file: Blob): Promise<boolean> {
  try {
    return (await sealedSource(file)) !== undefined;
  } catch (error) {
    return error instanceof EnvelopeError;
  }
}

/** Bytes that no base64url text has are looked for first: a long file is then not read at all. */
async function armoredIn(file: Blob, head: Uint8Array): Promise<readonly Blob[]> {
  if (head.includes(0) || file.size > ARMOR_TEXT_LENGTH_MAX) return [];
  if (file.size <= MAX_FILE_BYTES) return inText(await file.text());
  // A longer file is read as a whole only if it looks like one message and nothing else.
  const start = new TextDecoder().decode(head.subarray(0, 64));
  return start.startsWith(ARMOR_PREFIX) || isWebArmor(start)
    ? [blobOf((await file.text()).trim())]
    : [];
}

/** Text of the first message that is found: e-mails and pages break it into lines. */
function inText(text: string): readonly Blob[] {
  const [run] = sealedRuns(text);
  if (!run) return [];
  const candidates = armorCandidates(run.pieces);
  if (candidates.length > 0) return candidates.map(({ text: armored }) => blobOf(armored));
  throw new EnvelopeError('BAD_ENVELOPE', 'The sealed text is cut off');
}

const blobOf = (armored: string): Blob => new Blob([unarmor(armored)]);

/** The bytes of a Blob that fits in memory. @throws DOMException if the file behind it cannot be read */
export async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
