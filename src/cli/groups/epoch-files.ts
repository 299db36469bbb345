/* Reads group files (docs/format.md section 3.10), and opens groups with their epochs. */
import { EnvelopeError } from '../../format/errors.ts';
import { epochText } from '../../format/groups/epoch.ts';
import {
  GROUP_FILE_BYTES_MAX,
  parseGroupFile,
  type GroupFile,
} from '../../format/groups/group-file.ts';
import { EPOCH_PREFIX, groupIdText, parseGroupId } from '../../format/groups/group-id.ts';
import { openGroup, type Group } from '../../format/groups/sharing-groups.ts';
import type { Identity } from '../../format/keys/data-key.ts';
import { epochNamesIn, groupRecipientOf } from '../../format/recipients/group-key.ts';
import { parsePublicKey } from '../../format/wire/public-key.ts';
import type { RecipientEntry } from '../../format/wire/recipients.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { nameOf, wholeFile } from '../input.ts';
import type { StandardInput } from '../input.ts';

/** Where epochs come from, and by what they are taken. */
export interface EpochSource {
  /** Epochs, "swge1.…", or group files. */
  readonly epochs: readonly string[];
  /** "swp1.…" of admins' keys whose words were compared: the oldest epoch may be one that they signed. */
  readonly trust: readonly string[];
}

/**
 * Reads group files and single epochs.
 *
 * @returns those of all groups, in the order in which they are given
 * @throws CommandError for a file that cannot be read, and for what is not a group file, with its place
 */
export async function readGroupFiles(
  { epochs }: Pick<EpochSource, 'epochs'>,
  standardInput: StandardInput,
): Promise<GroupFile[]> {
  const read: GroupFile[] = [];
  for (const each of epochs) {
    const isEpoch = each.startsWith(EPOCH_PREFIX);
    const text = isEpoch ? each : await textOf(each, standardInput);
    read.push(await inPlace(isEpoch ? '--epochs' : nameOf(each), () => parseGroupFile(text)));
  }
  return read;
}

async function textOf(path: string, standardInput: StandardInput): Promise<string> {
  return new TextDecoder().decode(await wholeFile(path, GROUP_FILE_BYTES_MAX, standardInput));
}

/**
 * Checks the epochs of one group, and opens their keys.
 *
 * @param id "swg1.…"
 * @param files of any groups; the others are left aside
 * @throws CommandError for an epoch that is forged or missing
 */
export async function groupWith(
  id: string,
  files: readonly GroupFile[],
  identities: readonly Identity[],
  { trust }: Pick<EpochSource, 'trust'>,
): Promise<Group> {
  const texts = epochsOf(id, files);
  if (texts.length === 0) {
    const words = `No epoch of the group ${id} is given: give its group file with --epochs FILE`;
    throw new CommandError(EXIT.notVerified, words);
  }
  return inPlace(`Group ${id}`, () =>
    openGroup({ id, epochs: texts, identities, trusted: trust.map(checkedAdminKey) }),
  );
}

/** The epochs of one group, as text. @throws CommandError for what is not the id of a group */
export function epochsOf(id: string, files: readonly GroupFile[]): string[] {
  try {
    parseGroupId(id);
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new CommandError(EXIT.badInput, 'Not "swg1." and the id of a group, 49 characters');
  }
  return files.flatMap((file) => (file.id === id ? file.epochs.map(epochText) : []));
}

/** Says where what is refused stands, or of which group it is. @throws CommandError in place of EnvelopeError */
export async function inPlace<T>(place: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    const exitCode = error.code === 'NEEDS_KEY' ? EXIT.notVerified : EXIT.badInput;
    throw new CommandError(exitCode, `${place}: ${error.message}`);
  }
}

/**
 * What opens a message as a member of the groups that it is for, one for each.
 *
 * @returns identities, whose keys the caller wipes
 * @throws CommandError as `readGroupFiles` and `groupWith`, of those groups alone
 */
export async function groupIdentities(
  entries: readonly RecipientEntry[],
  identities: readonly Identity[],
  source: EpochSource,
  standardInput: StandardInput,
): Promise<Identity[]> {
  const named = epochNamesIn(entries).map(({ group }) => groupIdText(group));
  const ids = [...new Set(named)];
  if (ids.length === 0) return [];
  const files = await readGroupFiles(source, standardInput);
  const known = ids.filter((id) => files.some((file) => file.id === id));
  // Without a key of any epoch, it says of a message to a group that the epoch is missing.
  if (known.length === 0) return [groupRecipientOf([])];
  const groups: Identity[] = [];
  for (const id of known) {
    groups.push((await groupWith(id, files, identities, source)).identity());
  }
  return groups;
}

/** The public key of an admin as text. @throws CommandError for any other text */
export function checkedAdminKey(text: string): string {
  try {
    if (parsePublicKey(text).type === 'Ed25519') return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new CommandError(EXIT.badInput, '--trust: this is not a public key of Ed25519');
}

/** The id of the group of which all these files are. @throws CommandError if they are of several */
export function oneGroupOf(files: readonly GroupFile[]): string {
  const [id, ...others] = new Set(files.map((file) => file.id));
  if (others.length === 0) return id!;
  const words = 'These epochs are of several groups: give those of one';
  throw new CommandError(EXIT.badInput, words);
}
