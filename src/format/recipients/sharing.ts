/*
 * Sealing to sharing keys or with a passphrase, and opening with them, for programs without a vault: the options of
 * sealMessage, openMessage and the streams from public keys as text, from identities, and from passphrases.
 */
import { copyOf } from '../../crypto/bytes.ts';
import { checkBytes, checkOptions } from '../../crypto/errors.ts';
import { preparePassphrase } from '../passphrase.ts';
import type { Argon2idCost, PassphraseKdf } from '../passphrase.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { loadX25519 } from '../../engine/kem/x25519.ts';
import { loadWasmAt } from '../../engine/wasm/library-loader.ts';
import { ARGON2_MODULES } from '../../engine/wasm/module-scripts.ts';
import type { Identity, Recipient } from '../keys/data-key.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../native-crypto.ts';
import { keyFileText, parseKeyFile } from './key-file.ts';
import { parsePublicKey, publicKeyText } from '../wire/public-key.ts';
import { groupRecipient, groupRecipientOf } from './group-key.ts';
import { allKems } from './kems.ts';
import { PASSPHRASE_RECIPIENT, passphraseRecipient } from './passphrase.ts';
import type { RecipientTypes } from './recipient-type.ts';
import { recipientTypes } from './recipient-types.ts';
import {
  GROUP_RECIPIENT,
  KEY_PAIR_NAMES,
  NEW_KEY_PAIR,
  isKeyPairName,
  recipientTypeOf,
} from '../wire/recipient-table.ts';
import type { KeyPairName } from '../wire/recipient-table.ts';

const KEMS = allKems(loadX25519);

/** Argon2id by the fastest engine, for programs without a vault. Loaded at its first use: most seal to keys alone. */
export const derivePassphrase: PassphraseKdf = argon2idOnUse();

function argon2idOnUse(): PassphraseKdf {
  let loading: Promise<PassphraseKdf> | undefined;
  return async (passphrase, salt, cost) => {
    loading ??= import('../../engine/fastest-argon2id.ts').then(({ fastestArgon2id }) =>
      fastestArgon2id(loadWasmAt(ARGON2_MODULES)),
    );
    return (await loading)(passphrase, salt, cost);
  };
}

function typesOf(cost?: Argon2idCost): RecipientTypes {
  const deps = { crypto: NATIVE_CRYPTO, random: NATIVE_RANDOM };
  const passphrases = passphraseRecipient({ ...deps, derive: derivePassphrase, cost });
  return new Map([
    ...recipientTypes({ ...deps, kems: KEMS }),
    [PASSPHRASE_RECIPIENT, passphrases],
    [GROUP_RECIPIENT, groupRecipient(NATIVE_CRYPTO, NATIVE_RANDOM)],
  ]);
}

/** Every recipient type of the format: X25519, X-Wing, named keys, passphrases and groups. */
export const SHARING_TYPES: RecipientTypes = typesOf();

/** A key pair to which others seal. `type` and `key` are the secret half, as `identities` takes it. */
export interface SharingIdentity extends Identity {
  readonly algorithm: KeyPairName;
  /** 32 bytes, which open every message to this identity. */
  readonly key: Uint8Array<ArrayBuffer>;
  /** The public half, "swp1.…", to be given to those who seal. */
  readonly publicKey: string;
}

/**
 * Makes a key pair.
 *
 * @param algorithm default: X-Wing, as the extension makes
 * @throws RangeError for an unknown algorithm
 */
export async function generateIdentity(
  algorithm: KeyPairName = NEW_KEY_PAIR,
): Promise<SharingIdentity> {
  const { privateKeyBytes } = kemOf(algorithm);
  return identityOf(algorithm, NATIVE_RANDOM.bytes(privateKeyBytes));
}

/**
 * Derives the public half of a key pair.
 *
 * @param key the secret half, 32 bytes
 * @throws TypeError, RangeError for an unknown algorithm or another length
 */
export async function identityOf(
  algorithm: KeyPairName,
  key: Uint8Array,
): Promise<SharingIdentity> {
  const kem = kemOf(algorithm);
  checkBytes('key', key, kem.privateKeyBytes);
  const publicKey = publicKeyText({ type: algorithm, bytes: await kem.publicKey(key) });
  return { algorithm, type: recipientTypeOf(algorithm), key: copyOf(key), publicKey };
}

/** The key file of an identity, "sealwright-key/1". It contains the secret half. */
export function identityText({ algorithm, key, publicKey }: SharingIdentity): string {
  return keyFileText({ algorithm, key, publicKey });
}

/**
 * Reads the key file of an identity.
 *
 * @throws RangeError for any other text, and for the file of a named key; its message quotes nothing
 */
export async function parseIdentity(text: string): Promise<SharingIdentity> {
  const { algorithm, key } = parseKeyFile(text);
  if (algorithm !== undefined) return identityOf(algorithm, key);
  throw new RangeError('This key file has no "algorithm": it holds a named key, not an identity');
}

/** A group as `openGroup` gives it (groups/sharing-groups.ts). */
export interface OpenedGroup {
  /** "swg1.…" */
  readonly id: string;
  /**
   * The recipients to which a message to the group is sealed, one for almost every group.
   *
   * @throws EnvelopeError NEEDS_KEY where the caller is not a member now, and while admins have to join their changes
   */
  recipients(): readonly Recipient[];
  /** What opens messages to the group, of all epochs whose keys the caller has. */
  identity(): Identity;
}

/** Groups that a message is for. */
export interface WithGroups {
  readonly groups?: readonly OpenedGroup[] | undefined;
}

/** Options for sealing. */
export interface SealingTo {
  readonly recipients: readonly Recipient[];
  readonly recipientTypes: RecipientTypes;
}

/**
 * The options that seal to people: spread them into those of `sealMessage` and `sealStream`.
 *
 * @param publicKeys 1 to 16 texts: "swp1.…" of sharing keys, "swg1.…" of groups
 * @param options `groups`: those that are named, as `openGroup` gives them
 * @throws TypeError if one is not a string; RangeError if one is not the public key of a sharing key, with its
 *   place in the list, or a group that is not given; EnvelopeError NEEDS_KEY for a group that the caller cannot seal to
 *
 * @example
 * const sealed = await sealMessage({ purpose: 'page', origin, ...sealingTo([publicKey]) }, message);
 */
export function sealingTo(publicKeys: readonly string[], options: WithGroups = {}): SealingTo {
  if (!Array.isArray(publicKeys)) throw new TypeError('publicKeys must be an array of texts');
  checkOptions('options', options, { groups: true });
  const list: readonly string[] = publicKeys;
  const recipients = list.flatMap((text, index) => {
    const group = options.groups?.find(({ id }) => id === text);
    return group ? group.recipients() : [recipientOf(text, `publicKeys[${index}]`)];
  });
  return { recipients, recipientTypes: SHARING_TYPES };
}

/**
 * The options that seal with a passphrase, for people who have no key: spread them into those of `sealMessage` and
 * `sealStream`. The passphrase is the only recipient. An attacker who has the message can guess at it without end, so it must be
 * long: six random words of a list of 7,776 have 77 bits.
 *
 * @param passphrase 1 to 1,024 characters, prepared by RFC 8265 section 4.2
 * @param options `cost` of one guess: Argon2id's memory in KiB, passes and lanes (`parallelism`); default: 64 MiB, 3, 4. The
 *   derivation blocks its thread for about half a second: seal and open in a worker where a page must go on
 * @throws TypeError, RangeError for another passphrase; the message never quotes it. RangeError for a cost outside of 19 to 256
 *   MiB, 2 to 8 passes and 1 to 16 lanes
 *
 * @example
 * const sealed = await sealMessage({ purpose: 'stream', ...sealingWithPassphrase(words) }, file);
 */
export function sealingWithPassphrase(
  passphrase: string,
  options: { readonly cost?: Argon2idCost | undefined } = {},
): SealingTo {
  checkOptions('options', options, { cost: true });
  const recipientTypes = typesOf(options.cost);
  return { recipients: [passphraseOf(passphrase)], recipientTypes };
}

/** Options for opening, beside `accept: 'shared'`. */
export interface OpeningWith {
  readonly identities: readonly Identity[];
  readonly recipientTypes: RecipientTypes;
}

/**
 * The options that open what was sealed to these identities: spread them into those of `openMessage` and
 * `openStream`, beside `accept: 'shared'`, by which the caller says that anyone may have made the message.
 *
 * @param options `groups`: what was sealed to them is opened too. A message to a group of which the epoch is missing is
 *   EnvelopeError NEEDS_KEY
 *
 * @example
 * const options = { purpose: 'page', origin, accept: 'shared', ...openingWith([identity]) };
 * const message = await openMessage(options, sealed);
 */
export function openingWith(
  identities: readonly Identity[],
  options: WithGroups = {},
): OpeningWith {
  if (!Array.isArray(identities)) throw new TypeError('identities must be an array');
  checkOptions('options', options, { groups: true });
  const list: readonly Identity[] = identities;
  const ofGroups = (options.groups ?? []).map((group) => group.identity());
  // Without a group, an identity that has no epoch says of a message to one that it is missing.
  const groups = ofGroups.length > 0 ? ofGroups : [groupRecipientOf([])];
  return {
    identities: [...list.map(({ type, key }) => ({ type, key })), ...groups],
    recipientTypes: SHARING_TYPES,
  };
}

/**
 * The options that open what was sealed with a passphrase: spread them into those of `openMessage` and `openStream`, beside
 * `accept: 'shared'`, by which the caller says that everyone who has the passphrase may have made the message.
 *
 * @param passphrase as for `sealingWithPassphrase`
 * @throws TypeError, RangeError for what cannot be a passphrase. Opening throws EnvelopeError TOO_LARGE, before any work, for a
 *   message whose passphrase costs more than 256 MiB or 8 passes
 *
 * @example
 * const options = { purpose: 'stream', accept: 'shared', ...openingWithPassphrase(words) };
 * const file = await openMessage(options, sealed);
 */
export function openingWithPassphrase(passphrase: string): OpeningWith {
  return { identities: [passphraseOf(passphrase)], recipientTypes: SHARING_TYPES };
}

const passphraseOf = (passphrase: string): Recipient & Identity => ({
  type: PASSPHRASE_RECIPIENT,
  key: preparePassphrase(passphrase),
});

/**
 * The recipient that a public key is.
 *
 * @param name where the text stands, for the errors
 * @throws TypeError if it is not a string; RangeError if it is not the public key of a sharing key
 */
export function recipientOf(text: string, name: string): Recipient {
  if (typeof text !== 'string') throw new TypeError(`${name} must be a string`);
  const { type, bytes } = parsed(text, name);
  if (isKeyPairName(type)) return { type: recipientTypeOf(type), key: bytes };
  throw new RangeError(
    `${name}: this public key checks signatures (${type}); nothing is sealed to it`,
  );
}

function parsed(text: string, name: string): ReturnType<typeof parsePublicKey> {
  try {
    return parsePublicKey(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const words = `${name}: not "swp1." and canonical base64url of a public key`;
    throw new RangeError(words, { cause: error });
  }
}

function kemOf(algorithm: KeyPairName): Kem {
  if (isKeyPairName(algorithm)) return KEMS[algorithm];
  throw new RangeError(`algorithm must be one of ${KEY_PAIR_NAMES.join(', ')}`);
}
