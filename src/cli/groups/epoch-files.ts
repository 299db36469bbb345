/* Reads epochs of groups (docs/format.md section 3.9) from files, and opens groups with them. */
import { equal } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { parseEpochText, type Epoch } from '../../format/groups/epoch.ts';
import { EPOCH_PREFIX, groupIdText, groupOf, parseGroupId } from '../../format/groups/group-id.ts';
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
  /** Texts, "swge1.…", or files with such texts. */
  readonly epochs: readonly string[];
  /** "swp1.…" of admins' keys whose words were compared: the oldest epoch may be one that they signed. */
  readonly trust: readonly string[];
}

/** An epoch of any group, of which only the form was checked. */
export interface ReadEpoch {
  readonly text: string;
  readonly epoch: Epoch;
}

/** 1,024 epochs of small groups, or 150 of 128 members. */
const EPOCHS_FILE_BYTES_MAX = 2 ** 26;

/**
 * Reads epochs.
 *
 * @returns those of all groups, in the order in which they are given
 * @throws CommandError for a file that cannot be read, and for a text that is not an epoch, with its place
 */
export async function readEpochs(
  { epochs }: Pick<EpochSource, 'epochs'>,
  standardInput: StandardInput,
): Promise<ReadEpoch[]> {
  const read: ReadEpoch[] = [];
  for (const each of epochs) {
    if (each.startsWith(EPOCH_PREFIX)) read.push(await readEpoch(each, '--epochs'));
    else read.push(...(await readEpochsIn(each, standardInput)));
  }
  return read;
}

async function readEpochsIn(path: string, standardInput: StandardInput): Promise<ReadEpoch[]> {
  const bytes = await wholeFile(path, EPOCHS_FILE_BYTES_MAX, standardInput);
  const read: ReadEpoch[] = [];
  for (const [at, line] of new TextDecoder().decode(bytes).split(/\r?\n/).entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    read.push(await readEpoch(text, `${nameOf(path)}, line ${at + 1}`));
  }
  if (read.length > 0) return read;
  throw new CommandError(EXIT.badInput, `${nameOf(path)} has no epoch of a group`);
}

async function readEpoch(text: string, place: string): Promise<ReadEpoch> {
  try {
    return { text, epoch: await parseEpochText(text) };
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new CommandError(EXIT.badInput, `${place}: ${error.message}`);
  }
}

/**
 * Checks the epochs of one group, and opens their keys.
 *
 * @param id "swg1.…"
 * @param epochs of any groups; the others are left aside
 * @throws CommandError for an epoch that is forged or missing
 */
export async function groupWith(
  id: string,
  epochs: readonly ReadEpoch[],
  identities: readonly Identity[],
  { trust }: Pick<EpochSource, 'trust'>,
): Promise<Group> {
  const texts = epochsOf(id, epochs).map(({ text }) => text);
  if (texts.length === 0) {
    const words = `No epoch of the group ${id} is given: give its epochs with --epochs FILE`;
    throw new CommandError(EXIT.notVerified, words);
  }
  return inGroupWords(id, () =>
    openGroup({ id, epochs: texts, identities, trusted: trust.map(checkedAdminKey) }),
  );
}

/** Those of one group. @throws CommandError for what is not the id of a group */
export function epochsOf(id: string, epochs: readonly ReadEpoch[]): ReadEpoch[] {
  let group: Uint8Array;
  try {
    group = parseGroupId(id);
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new CommandError(EXIT.badInput, 'Not "swg1." and the id of a group, 49 characters');
  }
  return epochs.filter(({ epoch }) => equal(groupOf(epoch), group));
}

/** Says of which group the epochs are refused. @throws CommandError in place of EnvelopeError */
export async function inGroupWords<T>(id: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    const exitCode = error.code === 'NEEDS_KEY' ? EXIT.notVerified : EXIT.badInput;
    throw new CommandError(exitCode, `Group ${id}: ${error.message}`);
  }
}

/**
 * What opens a message as a member of the groups that it is for, one for each.
 *
 * @returns identities, whose keys the caller wipes
 * @throws CommandError as `readEpochs` and `groupWith`, of those groups alone
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
  const epochs = await readEpochs(source, standardInput);
  const known = ids.filter((id) => epochsOf(id, epochs).length > 0);
  // Without a key of any epoch, it says of a message to a group that the epoch is missing.
  if (known.length === 0) return [groupRecipientOf([])];
  const groups: Identity[] = [];
  for (const id of known) {
    groups.push((await groupWith(id, epochs, identities, source)).identity());
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

/** The id of the group of which all these epochs are. @throws CommandError if they are of several */
export function oneGroupOf(epochs: readonly ReadEpoch[]): string {
  const [id, ...others] = new Set(epochs.map(({ epoch }) => groupIdText(groupOf(epoch))));
  if (others.length === 0) return id!;
  const words = 'These epochs are of several groups: give those of one';
  throw new CommandError(EXIT.badInput, words);
}
