import { concat, u16be, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { RandomSource } from '../../random/contract.ts';
import { VaultError } from '../values/errors.ts';
import { PASSWORD_SALT_BYTES, preparePassphrase } from '../../format/passphrase.ts';
import type { PassphraseKdf } from '../../format/passphrase.ts';
import {
  encodeParameters,
  isAccepted,
  isTooCostly,
  kdfOf,
  parseParameters,
  passphraseKey,
  type PassphraseCost,
} from '../unlock/passphrase-kdf.ts';

/*
 * A backup file, version 1:
 *
 *     53 57 42 4B ("SWBK") ‖ version 01 ‖ KDF u8 ‖ length u16 ‖ parameters ‖ sealed message
 *
 * KDF and parameters are those of a passphrase slot (passphrase-kdf.ts). They give the 32-byte key of the
 * sealed message (docs/format.md). Its purpose is "backup" (5), its header key id is random, and its
 * associated data is "SWM1 backup" ‖ 00 ‖ all that stands before it. It is padded.
 *
 * Like a slot, a file commits to its passphrase: no file opens under two.
 */
const MAGIC = Uint8Array.of(0x53, 0x57, 0x42, 0x4b);
const VERSION = 1;
const FIXED_BYTES = MAGIC.length + 1 + 1 + 2;

/** The longest file that is read, in bytes. The keys of a vault are far smaller. */
export const BACKUP_MAX_BYTES = 16 * 2 ** 20;

/** Whether a file begins as a backup does. @param head the first bytes of the file, 4 or more */
export function isBackup(head: Uint8Array): boolean {
  return MAGIC.every((byte, i) => head[i] === byte);
}

/** What seals a backup. */
export interface SealBackupDeps {
  readonly derive: PassphraseKdf;
  readonly random: RandomSource;
  readonly cost: PassphraseCost;
}

/**
 * Seals contents as a backup file.
 *
 * @throws RangeError, TypeError for a passphrase that preparePassphrase refuses, or a cost outside
 *   the accepted limits
 */
export async function sealBackup(
  contents: Uint8Array,
  passphrase: string,
  { derive, random, cost }: SealBackupDeps,
): Promise<Uint8Array> {
  if (!isAccepted(cost)) throw new RangeError('cost: outside the accepted parameters');
  const parameters = { cost, salt: random.bytes(PASSWORD_SALT_BYTES) };
  const head = encodeHead(kdfOf(cost), encodeParameters(parameters));
  const key = await keyFrom(preparePassphrase(passphrase), parameters, derive);
  try {
    const context = { purpose: 'backup', associatedData: associatedData(head), pad: true } as const;
    const message = await sealMessage(
      { key, keyId: random.bytes(16), salt: random.bytes(24), ...context },
      contents,
    );
    return concat(head, message);
  } finally {
    wipe(key);
  }
}

/**
 * Opens a backup file.
 *
 * @returns the contents; the caller wipes them
 * @throws VaultError BAD_BACKUP where this is not a backup file, NEWER for one of a later version,
 *   TOO_COSTLY, before any work, for one whose passphrase costs more than ARGON2ID_MAX,
 *   WRONG_PASSPHRASE where the passphrase does not open it, or it was altered: the two cannot be
 *   distinguished
 */
export async function openBackup(
  file: Uint8Array,
  passphrase: string,
  derive: PassphraseKdf,
): Promise<Uint8Array> {
  const { head, parameters, message } = parse(file);
  const key = await keyFrom(prepare(passphrase), parameters, derive);
  try {
    const context = { purpose: 'backup', associatedData: associatedData(head) } as const;
    return await openMessage({ key, ...context }, message);
  } catch (error) {
    if (error instanceof AuthenticationError) throw new VaultError('WRONG_PASSPHRASE');
    if (error instanceof EnvelopeError) throw new VaultError('BAD_BACKUP');
    throw error;
  } finally {
    wipe(key);
  }
}

function parse(file: Uint8Array) {
  const isOurs = isBackup(file) && file.length >= FIXED_BYTES;
  if (!isOurs || file.length > BACKUP_MAX_BYTES) throw new VaultError('BAD_BACKUP');
  if (file[4] !== VERSION) throw new VaultError(file[4]! > VERSION ? 'NEWER' : 'BAD_BACKUP');
  const end = FIXED_BYTES + ((file[6]! << 8) | file[7]!);
  const stored = file.subarray(FIXED_BYTES, end);
  if (isTooCostly(file[5]!, stored)) throw new VaultError('TOO_COSTLY');
  const parameters = parseParameters(file[5]!, stored);
  if (parameters === undefined) throw new VaultError('BAD_BACKUP');
  return { head: file.subarray(0, end), parameters, message: file.subarray(end) };
}

function encodeHead(kdf: number, parameters: Uint8Array): Uint8Array {
  return concat(MAGIC, Uint8Array.of(VERSION, kdf), u16be(parameters.length), parameters);
}

const associatedData = (head: Uint8Array) => concat(utf8('SWM1 backup\0'), head);

async function keyFrom(
  prepared: Uint8Array,
  parameters: { readonly cost: PassphraseCost; readonly salt: Uint8Array },
  derive: PassphraseKdf,
): Promise<Uint8Array> {
  try {
    return await passphraseKey(prepared, parameters, derive);
  } finally {
    wipe(prepared);
  }
}

/** A passphrase that cannot be prepared is a wrong one. */
function prepare(passphrase: string): Uint8Array {
  try {
    return preparePassphrase(passphrase);
  } catch (error) {
    const isRefused = error instanceof RangeError || error instanceof TypeError;
    throw isRefused ? new VaultError('WRONG_PASSPHRASE') : error;
  }
}
