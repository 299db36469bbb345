/*
 * Reads the key of a message from a key file, or from a backup of the key store, where the header key
 * id of the message identifies it.
 */
import { equal } from '../crypto/bytes.ts';
import type { Identity } from '../format/keys/data-key.ts';
import { NAMED_KEY_RECIPIENT, recipientTypeOf } from '../format/recipients/table.ts';
import { findMessageKey } from '../keys/backup/key-set.ts';
import { generationKeys } from '../keys/ring/user-key.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { readBackup } from './backup-file.ts';
import type { BackupSource } from './backup-file.ts';
import { readKeyFile } from './key-file.ts';

export type { BackupSource } from './backup-file.ts';

/** A key file, or a backup with its passphrase. */
export type KeySource = { readonly keyFile: string } | BackupSource;

/**
 * Reads the named key of a message.
 *
 * @returns 32 bytes, which the caller wipes
 * @throws CommandError; VaultError of a backup that does not open
 */
export async function readKey(source: KeySource, headerKeyId: Uint8Array): Promise<Uint8Array> {
  if ('keyFile' in source) return fromKeyFile(source.keyFile, headerKeyId);
  const { keys } = await readBackup(source);
  const found = findMessageKey(keys, headerKeyId);
  if (found !== undefined) return found.key;
  const words = `The backup ${source.backup} does not hold the key that this message names`;
  throw new CommandError(EXIT.cannotOpen, words);
}

/**
 * Reads the identities for a message with recipients: the key of a key file, or all sharing keys of a
 * backup and the named key of the header.
 *
 * @returns identities, whose keys the caller wipes
 * @throws CommandError; VaultError of a backup that does not open
 */
export async function readIdentities(
  source: KeySource,
  headerKeyId: Uint8Array,
): Promise<readonly Identity[]> {
  if ('keyFile' in source) {
    const { key, algorithm, keyId } = await readKeyFile(source.keyFile);
    if (algorithm !== undefined) return [{ type: recipientTypeOf(algorithm), key }];
    return [{ type: NAMED_KEY_RECIPIENT, key: matching(source.keyFile, key, keyId, headerKeyId) }];
  }
  const { keys } = await readBackup(source);
  const named = findMessageKey(keys, headerKeyId);
  const sharing = [...keys.userKeys.values()].filter(({ kind }) => kind === 'sharing');
  return [
    ...(named ? [{ type: NAMED_KEY_RECIPIENT, key: named.key }] : []),
    ...sharing.flatMap(({ value }) =>
      generationKeys(value).map(({ key }) => ({
        type: recipientTypeOf(value.algorithm),
        key,
      })),
    ),
  ];
}

async function fromKeyFile(path: string, headerKeyId: Uint8Array): Promise<Uint8Array> {
  const { key, keyId, algorithm } = await readKeyFile(path);
  if (algorithm === undefined) return matching(path, key, keyId, headerKeyId);
  const words = `${path} holds an identity, but this message has no recipients`;
  throw new CommandError(EXIT.cannotOpen, words);
}

/** @returns the key, if the message names it or the file does not say which one it is */
function matching(
  path: string,
  key: Uint8Array,
  keyId: Uint8Array | undefined,
  headerKeyId: Uint8Array,
): Uint8Array {
  if (keyId === undefined || equal(keyId, headerKeyId)) return key;
  const words = `The key in ${path} is not the one this message names in its header`;
  throw new CommandError(EXIT.cannotOpen, words);
}
