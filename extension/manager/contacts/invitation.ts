import { PUBLIC_KEY_PREFIX, parsePublicKey } from '../../../src/format/wire/public-key.ts';
import { KEY_PAIR_TYPES, isKeyPairName } from '../../../src/format/wire/recipient-table.ts';
import { plainName, utf8Text } from '../../ui/text/plain-text.ts';

/** What a contact card or an invitation says: they are the same text, in a file or in a message. */
export interface Invitation {
  /** What its sender wants to be called; '' if it does not say. */
  readonly name: string;
  /** "swp1.…", of a sharing key. */
  readonly publicKey: string;
}

/** Far more than a card has, and less than is worth reading of a file that is none. */
const CARD_BYTES_MAX = 64 * 1024;

/** Characters of each kind of public key for sharing: other text may follow it without a space. */
const LENGTHS = KEY_PAIR_TYPES.map(
  ({ publicKeyBytes }) => PUBLIC_KEY_PREFIX.length + Math.ceil(((1 + publicKeyBytes) * 4) / 3),
);

/** Without what mail programs put between the lines of a long word, and around it. */
export const unbroken = (text: string): string => text.replace(/[\s>\u00ad\u200b\ufeff]+/g, '');

/** In English in all languages: readers look for it. Within a line: a text may have a million empty ones. */
const NAME = /^(?:>|[^\S\n])*Name:[^\S\n]*(\S.*)$/m;

/** @param lead what the reader is to do, in the user's language */
export function invitationText({ name, publicKey }: Invitation, lead: string): string {
  return [lead, '', ...(name === '' ? [] : [`Name: ${name}`]), publicKey, ''].join('\n');
}

/** Finds the first public key for sharing in a text, and the name beside it. */
export function invitationIn(text: string): Invitation | undefined {
  const at = text.indexOf(PUBLIC_KEY_PREFIX);
  if (at < 0) return undefined;
  const rest = unbroken(text.slice(at));
  const publicKey = LENGTHS.map((length) => rest.slice(0, length)).find(isSharingKey);
  if (publicKey === undefined) return undefined;
  const [, name = ''] = NAME.exec(text.slice(0, at)) ?? [];
  return { name: plainName(name), publicKey };
}

function isSharingKey(text: string): boolean {
  try {
    return isKeyPairName(parsePublicKey(text).type);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The same in a file; undefined for any other file. */
export async function invitationInFile(file: Blob): Promise<Invitation | undefined> {
  if (file.size > CARD_BYTES_MAX) return undefined;
  try {
    const text = utf8Text(new Uint8Array(await file.arrayBuffer()));
    return text === undefined ? undefined : invitationIn(text);
  } catch {
    return undefined; // what cannot be read is refused by the form that takes files
  }
}
