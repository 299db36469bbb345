/*
 * Reads the keys of messages: from a key file, "sealwright-key/1" (docs/format.md section 11), from a backup of the key
 * store, where the header key id of the message identifies the key, or from the file of a passphrase.
 */
import { equal, toBase64url } from '../crypto/bytes.ts';
import { preparePassphrase } from '../format/passphrase.ts';
import type { Identity } from '../format/keys/data-key.ts';
import { NAMED_KEY_RECIPIENT, recipientTypeOf } from '../format/wire/recipient-table.ts';
import { parseKeyFile } from '../format/recipients/key-file.ts';
import { PASSPHRASE_RECIPIENT } from '../format/recipients/passphrase.ts';
import type { KeyFile } from '../format/recipients/key-file.ts';
import { derivePassphrase } from '../format/recipients/sharing.ts';
import { GROUP_ID_PREFIX } from '../format/groups/group-id.ts';
import { PUBLIC_KEY_PREFIX } from '../format/wire/public-key.ts';
import { parseContents } from '../keys/backup/backup-contents.ts';
import type { BackupContents } from '../keys/backup/backup-contents.ts';
import { BACKUP_MAX_BYTES, openBackup } from '../keys/backup/backup-file.ts';
import { headerKeyIdsOf, messageKey, type KeySet } from '../keys/backup/key-set.ts';
import { generationKeys } from '../keys/ring/user-key.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { nameOf, textFile, wholeFile } from './input.ts';
import type { StandardInput } from './input.ts';

/** Paths of a backup and of its passphrase. */
export interface BackupSource {
  readonly backup: string;
  /** A file whose first line is the passphrase. Other users could read it on the command line. */
  readonly passphraseFile: string;
}

/** A file whose first line is the passphrase of a message. */
export interface PassphraseSource {
  readonly messagePassphraseFile: string;
}

/** A file with identities of age, one in each line. */
export interface AgeIdentitySource {
  readonly identityFile: string;
}

/** A key file, a backup with its passphrase, or a message's passphrase. */
export type MessageKeySource = { readonly keyFile: string } | BackupSource | PassphraseSource;

/** The same, or what opens files of age alone. */
export type KeySource = MessageKeySource | AgeIdentitySource;

/**
 * Reads the named key of a message.
 *
 * @returns 32 bytes, which the caller wipes
 * @throws CommandError; VaultError of a backup that does not open
 */
export async function readKey(
  source: MessageKeySource,
  headerKeyId: Uint8Array,
  standardInput: StandardInput,
): Promise<Uint8Array> {
  if ('keyFile' in source) return fromKeyFile(source.keyFile, headerKeyId, standardInput);
  if ('messagePassphraseFile' in source) {
    const words = 'This message was not sealed with a passphrase: give the key with --key-file';
    throw new CommandError(EXIT.usage, words);
  }
  const { keys } = await readBackup(source, standardInput);
  const found = namedKey(keys, headerKeyId);
  if (found !== undefined) return found;
  const words = `The backup ${source.backup} does not hold the key that this message names`;
  throw new CommandError(EXIT.notVerified, words);
}

/**
 * Reads the identities for a message with recipients: the key of a key file, a passphrase, or all sharing keys of
 * a backup and the named key of the header.
 *
 * @returns identities, whose keys the caller wipes
 * @throws CommandError; VaultError of a backup that does not open
 */
export async function readIdentities(
  source: MessageKeySource,
  headerKeyId: Uint8Array,
  standardInput: StandardInput,
): Promise<readonly Identity[]> {
  if ('keyFile' in source) {
    const { key, algorithm, keyId } = await readKeyFile(source.keyFile, standardInput);
    if (algorithm !== undefined) return [{ type: recipientTypeOf(algorithm), key }];
    return [{ type: NAMED_KEY_RECIPIENT, key: matching(source.keyFile, key, keyId, headerKeyId) }];
  }
  if ('messagePassphraseFile' in source) {
    return [await passphraseRecipientOf(source.messagePassphraseFile, standardInput)];
  }
  const { keys } = await readBackup(source, standardInput);
  const named = namedKey(keys, headerKeyId);
  const sharing = [...keys.userKeys.values()].filter(({ kind }) => kind === 'sharing');
  return [
    ...(named ? [{ type: NAMED_KEY_RECIPIENT, key: named }] : []),
    ...sharing.flatMap(({ value }) =>
      generationKeys(value).map(({ key }) => ({
        type: recipientTypeOf(value.algorithm),
        key,
      })),
    ),
  ];
}

/** The key that a message names, which the caller wipes; undefined where the backup lacks it. @param headerKeyId 16 bytes */
function namedKey(keys: KeySet, headerKeyId: Uint8Array): Uint8Array | undefined {
  const wanted = toBase64url(headerKeyId);
  for (const use of keys.uses.values()) {
    const entry = headerKeyIdsOf(use).find(({ id }) => id === wanted);
    const key = entry && messageKey(keys, use, entry);
    if (key !== undefined) return key;
  }
  return undefined;
}

/**
 * The passphrase in the first line of a file, as the recipient of a message and as the identity that opens it.
 *
 * @returns prepared bytes, which the caller wipes
 * @throws CommandError; its message quotes nothing of the file
 */
export async function passphraseRecipientOf(
  path: string,
  standardInput: StandardInput,
): Promise<Identity> {
  try {
    const key = preparePassphrase(await firstLineOf(path, standardInput));
    return { type: PASSPHRASE_RECIPIENT, key };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new CommandError(EXIT.badInput, `${nameOf(path)}: ${error.message}`);
  }
}

/** Reads a key file. @throws CommandError; its message contains nothing from the file */
export async function readKeyFile(path: string, standardInput: StandardInput): Promise<KeyFile> {
  const text = await textFile(path, standardInput);
  try {
    return parseKeyFile(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(EXIT.badInput, `${nameOf(path)}: ${error.message}`);
  }
}

/** Opens a backup. @throws CommandError; VaultError BAD_BACKUP, NEWER, WRONG_PASSPHRASE */
export async function readBackup(
  { backup, passphraseFile }: BackupSource,
  standardInput: StandardInput,
): Promise<BackupContents> {
  const passphrase = await firstLineOf(passphraseFile, standardInput);
  const file = await wholeFile(backup, BACKUP_MAX_BYTES, standardInput);
  return parseContents(await openBackup(file, passphrase, derivePassphrase));
}

/** The first line of a file. @throws CommandError */
export async function firstLineOf(path: string, standardInput: StandardInput): Promise<string> {
  const [line = ''] = (await textFile(path, standardInput)).split(/\r?\n/, 1);
  return line;
}

async function fromKeyFile(
  path: string,
  headerKeyId: Uint8Array,
  standardInput: StandardInput,
): Promise<Uint8Array> {
  const { key, keyId, algorithm } = await readKeyFile(path, standardInput);
  if (algorithm === undefined) return matching(path, key, keyId, headerKeyId);
  const words = `${nameOf(path)} holds an identity, but this message has no recipients`;
  throw new CommandError(EXIT.notVerified, words);
}

/** @returns the key, if the message names it or the file does not say which one it is */
function matching(
  path: string,
  key: Uint8Array,
  keyId: Uint8Array | undefined,
  headerKeyId: Uint8Array,
): Uint8Array {
  if (keyId === undefined || equal(keyId, headerKeyId)) return key;
  const words = `The key in ${nameOf(path)} is not the one this message names in its header`;
  throw new CommandError(EXIT.notVerified, words);
}

/** The beginning of every recipient of age. */
export const AGE_RECIPIENT_PREFIX = 'age1';

const KEY_PREFIXES = [PUBLIC_KEY_PREFIX, GROUP_ID_PREFIX, AGE_RECIPIENT_PREFIX];

/** A text, after the words that say where it stands. */
export type PlacedText = readonly [place: string, text: string];

/**
 * The public keys, and the ids of groups, that an option names, or that are in the lines of the files that it names.
 *
 * @throws CommandError for a file that cannot be read, or has no such line
 */
export async function publicKeysOf(
  option: string,
  values: readonly string[],
  standardInput: StandardInput,
): Promise<readonly PlacedText[]> {
  const found: PlacedText[] = [];
  for (const text of values) {
    const isKey = KEY_PREFIXES.some((prefix) => text.startsWith(prefix));
    found.push(...(isKey ? [[option, text] as const] : await publicKeysIn(text, standardInput)));
  }
  return found;
}

async function publicKeysIn(
  path: string,
  standardInput: StandardInput,
): Promise<readonly PlacedText[]> {
  const lines = (await textFile(path, standardInput)).split(/\r?\n/).map((line) => line.trim());
  const keys = lines.flatMap((line, at) =>
    line === '' || line.startsWith('#') ? [] : [[`${nameOf(path)}, line ${at + 1}`, line] as const],
  );
  if (keys.length > 0) return keys;
  throw new CommandError(EXIT.badInput, `${nameOf(path)} has no public key`);
}
