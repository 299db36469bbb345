/*
 * `sealwright group`: makes a group, changes it by its next epoch, and shows its epochs in words. Group files are public: they
 * go to standard output, or to a file that all may read.
 */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { equal, fromBase64url, wipe } from '../../crypto/bytes.ts';
import {
  GROUP_NAME_MAX,
  groupFileText,
  groupName,
  type GroupFileContent,
} from '../../format/groups/group-file.ts';
import { MEMBER_KEY } from '../../format/groups/group-id.ts';
import {
  createGroup,
  type GroupAdmin,
  type NewMember,
} from '../../format/groups/sharing-groups.ts';
import { identityOf, type SharingIdentity } from '../../format/recipients/sharing.ts';
import { parsePublicKey, publicKeyText } from '../../format/wire/public-key.ts';
import type { GROUP_ACTIONS } from '../commands.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { nameOf, textFile } from '../input.ts';
import type { StandardInput } from '../input.ts';
import { publicKeysOf, readKeyFile } from '../key-source.ts';
import { writeFileText } from '../message-target.ts';
import type { Printer } from '../message-target.ts';
import { groupWith, inPlace, oneGroupOf, readGroupFiles } from './epoch-files.ts';
import type { EpochSource } from './epoch-files.ts';
import { groupInWords } from './group-words.ts';

/** The parameters of `sealwright group`. */
export interface GroupArguments extends EpochSource {
  readonly action: (typeof GROUP_ACTIONS)[number];
  /** What the group is called in its file; undefined: as in the file that is given. */
  readonly name: string | undefined;
  /** New members: public keys, each with the key of an admin after a space, or files with one member in each line. */
  readonly add: readonly string[];
  /** Public keys of members, or files with one in each line. */
  readonly remove: readonly string[];
  /** Whether new members get the keys of older epochs. */
  readonly oldKeys: boolean;
  /** Of the identity of the one who makes the group, or who gives old keys. */
  readonly keyFile: string | undefined;
  /** Of the admin's private key; undefined for `show`. */
  readonly adminKey: string | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
}

/** Standard output and standard error. */
type Outputs = Printer & {
  complain(words: string): Promise<void>;
  readonly input: StandardInput;
};

/** Carries out one action. @throws CommandError */
export async function groupCommand(parameters: GroupArguments, outputs: Outputs): Promise<void> {
  if (parameters.action === 'show') {
    return outputs.print(await groupInWords(parameters, outputs.input));
  }
  const admin = await adminOf(parameters.adminKey!, outputs.input);
  const { name, out, force } = parameters;
  if (name !== undefined && (name === '' || groupName(name) !== name)) throw badName();
  const made = await (parameters.action === 'create' ? created : changed)(
    parameters,
    admin,
    outputs.input,
  ).catch(inWords);
  const text = groupFileText({ ...made, name: name ?? made.name });
  await (out === undefined ? outputs.print(text) : writeFileText(text, out, force, 0o666));
  await outputs.complain(`Send this file to all members of the group ${made.id}\n`);
}

const badName = () =>
  new CommandError(EXIT.usage, `--name: one line of at most ${GROUP_NAME_MAX} characters`);

async function created(
  { add, keyFile }: GroupArguments,
  admin: GroupAdmin,
  input: StandardInput,
): Promise<GroupFileContent> {
  const { publicKey, key } = await memberOf(keyFile!, input);
  wipe(key);
  const adminKey = publicKeyText({ type: 'Ed25519', bytes: admin.publicKey });
  const members = [{ publicKey, adminKey }, ...(await newMembers(add, input))];
  const { id, epoch } = await createGroup(members, admin);
  return { name: '', id, epochs: [epoch] };
}

async function changed(
  { add, remove, oldKeys, keyFile, ...source }: GroupArguments,
  admin: GroupAdmin,
  input: StandardInput,
): Promise<GroupFileContent> {
  const files = await readGroupFiles(source, input);
  const id = oneGroupOf(files);
  const identities = keyFile === undefined ? [] : [await memberOf(keyFile, input)];
  try {
    const group = await groupWith(id, files, identities, source);
    const change = {
      add: await newMembers(add, input),
      remove: (await publicKeysOf('--remove', remove, input)).map(([, text]) => text),
      giveOldKeys: oldKeys,
    };
    const isAdmin = group.members.some(
      ({ adminKey }) => adminKey && equal(parsePublicKey(adminKey).bytes, admin.publicKey),
    );
    if (!isAdmin) throw notAdmin();
    const epoch = await inPlace(`Group ${id}`, () => group.change(change, admin));
    const name = files.find((file) => file.name !== '')?.name ?? '';
    return { name, id, epochs: [...group.epochs, epoch] };
  } finally {
    wipe(...identities.map(({ key }) => key));
  }
}

const notAdmin = () =>
  new CommandError(EXIT.notVerified, 'The key of --admin-key is not of an admin of the group');

/** What the library says of members, in a message of the command. */
function inWords(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  throw new CommandError(EXIT.badInput, `The group cannot be so: ${error.message}`);
}

async function newMembers(add: readonly string[], input: StandardInput): Promise<NewMember[]> {
  return (await publicKeysOf('--add', add, input)).map(([place, line]) => {
    const [publicKey, adminKey, ...others] = line.split(/\s+/);
    if (others.length > 0) {
      const words = `${place}: a member has a public key and, as an admin, one of Ed25519`;
      throw new CommandError(EXIT.badInput, words);
    }
    return { publicKey: publicKey!, ...(adminKey !== undefined && { adminKey }) };
  });
}

/** The identity of a member. @throws CommandError for a named key, and an identity that cannot be a member's */
export async function memberOf(path: string, input: StandardInput): Promise<SharingIdentity> {
  const { key, algorithm } = await readKeyFile(path, input);
  if (algorithm === MEMBER_KEY.name) return identityOf(algorithm, key);
  const words = `${nameOf(path)} does not hold the identity of a member, which is of X-Wing`;
  throw new CommandError(EXIT.badInput, words);
}

/** @param path of a private key of Ed25519, PKCS #8 in PEM (RFC 8410) */
async function adminOf(path: string, input: StandardInput): Promise<GroupAdmin> {
  const text = await textFile(path, input);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    // Its message may quote the file.
    throw notAdminKey(path);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw notAdminKey(path);
  return {
    publicKey: rawPublicKey(key),
    sign: (bytes) => Promise.resolve(new Uint8Array(sign(null, bytes, key))),
  };
}

/** The public half of a key of Ed25519, 32 bytes. */
export function rawPublicKey(privateKey: KeyObject): Uint8Array<ArrayBuffer> {
  return fromBase64url(createPublicKey(privateKey).export({ format: 'jwk' }).x!);
}

const notAdminKey = (path: string) =>
  new CommandError(EXIT.badInput, `${nameOf(path)}: not a private key of Ed25519 in PEM`);
