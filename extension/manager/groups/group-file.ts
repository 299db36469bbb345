import { MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';
import {
  EPOCH_PREFIX,
  GROUP_ID_LENGTH,
  GROUP_ID_PREFIX,
} from '../../../src/format/groups/group-id.ts';
import { plainText } from '../../ui/text/plain-text.ts';

/** What a group file says. */
export interface GroupFile {
  /** What its sender calls the group; '' if it does not say. */
  readonly name: string;
  /** "swg1.…" */
  readonly id: string;
  /** "swge1.…" each, all from the first one on: a new member needs the whole chain. */
  readonly epochs: readonly string[];
}

/** What mail programs put between the lines of a long word. */
const BREAKS = /[\s>\u00ad\u200b\ufeff]+/g;

/** In English in all languages, as in a contact card: readers look for it. */
const NAME = /^[>\s]*Name:[^\S\n]*(\S.*)$/m;

/** The text of a group file, which is also sent in a message. */
export function groupFileText({ name, id, epochs }: GroupFile): string {
  return [`Name: ${plainText(name, MAX_LABEL_CHARACTERS)}`, '', id, ...epochs, ''].join('\n');
}

/** Finds the id and the epochs of a group in a text; undefined where it lacks one of them. They are not checked here. */
export function groupFileIn(text: string): GroupFile | undefined {
  const at = text.indexOf(GROUP_ID_PREFIX);
  if (at < 0) return undefined;
  const rest = text.slice(at).replace(BREAKS, '');
  const [, ...bodies] = rest.slice(GROUP_ID_LENGTH).split(EPOCH_PREFIX);
  if (bodies.length === 0) return undefined;
  const [, name = ''] = NAME.exec(text.slice(0, at)) ?? [];
  return {
    name: plainText(name, MAX_LABEL_CHARACTERS),
    id: rest.slice(0, GROUP_ID_LENGTH),
    epochs: bodies.map((body) => EPOCH_PREFIX + body),
  };
}
