/*
 * Sealed files and texts, which the manager opens and seals with the keys of one message each; those
 * that other tools encrypted; and identities of age, which open some of them.
 */
import {
  MAX_AGE_HEAD_BYTES,
  MAX_BLOB_BYTES,
  MAX_CONTEXT_BYTES,
  MAX_ID_CHARACTERS,
  MAX_LABEL_CHARACTERS,
  MAX_PREFIX_BYTES,
  MAX_PUBLIC_KEY_CHARACTERS,
  MAX_RECIPIENTS,
  MAX_SEALED_BLOB_BYTES,
  MAX_FILE_BYTES,
} from '../limits.ts';
import { MESSAGE_KEYS } from './bulk.ts';
import { CONTACT_SHAPES, GROUP_SHAPES } from './ui-contacts.ts';
import { MAX_FIELD_BYTES } from './ui-fields.ts';
import {
  array,
  boolean,
  bytes,
  integer,
  literal,
  nullable,
  object,
  optional,
  string,
  union,
} from '../validate.ts';
import type { Infer } from '../validate.ts';

/** Texts are sealed as those of fields are. */
export const MAX_SEALED_TEXT_BYTES = MAX_FIELD_BYTES;

/** Recipients of one age file: the head of hybrid ones stays below its limit. */
const MAX_AGE_RECIPIENTS = 100;

/** A file of identities, encrypted or not. */
export const MAX_IDENTITIES_BYTES = 64 * 1024;

const passphrase = optional(string(1024, 1));
const id = string(MAX_ID_CHARACTERS, 1);

/** A key of the vault, by what a person knows it by. */
const namedKey = object({ kind: string(4096), label: string(4096), guest: boolean });

/** As the sender gave them (src/format/recipients/attributes.ts): they may be anything. */
const fileAttributes = object({ name: string(765, 1), type: string(255) });

const releasedOpening = object({
  ...MESSAGE_KEYS,
  chunksOffset: integer(0, MAX_PREFIX_BYTES),
  /** The site that it was sealed for; null: for none, or it is not known. */
  origin: nullable(string(4096)),
  /** The key of the vault that opens it; null: a passphrase does. */
  openedBy: nullable(namedKey),
  /** It has recipients: anyone who has the public key may have made it. */
  shared: boolean,
  /** What the file was called when it was sealed, if it says so. */
  file: nullable(fileAttributes),
});

const releasedSealing = object({ ...MESSAGE_KEYS, prefix: bytes(MAX_PREFIX_BYTES) });

const opened = object({
  format: literal('sjcl', 'weave'),
  contents: bytes(MAX_FILE_BYTES),
  /**
   * `forgeable`: anyone with access to the file may have changed it (OCB2, Weave). `weak`: whose
   * passphrase costs little to guess (SJCL).
   */
  trust: literal('whole', 'weak', 'forgeable'),
});

/** Of one age file: the payload is opened and sealed where the file is. */
const payloadKey = bytes(32);

/** A key of a sync service. `text`: a JSON Web Key, keys by their scopes, or { keys_jwe, private_jwk }. */
const syncKeySource = union(
  '{ syncKey, account }, { accountKey } or { text }',
  object({ syncKey: string(200, 1), account: string(320, 1) }),
  object({ accountKey: string(200, 1) }),
  object({ text: string(64 * 1024, 1) }),
);

const openingOf = {
  head: bytes(MAX_PREFIX_BYTES),
  context: optional(bytes(MAX_CONTEXT_BYTES)),
  origin: optional(string(1024, 1)),
};

/** Parameters and results of the methods for files. */
export const FILE_SHAPES = {
  /**
   * `head`: the message up to its first chunk, or more. `totalBytes`: of the whole message; absent
   * where its end is not known. `context`: what the site bound it to. `origin`: of the site, for a
   * shared message whose site is not known. `passphrase`: for a message that needs one.
   */
  releaseOpening: object({
    ...openingOf,
    passphrase,
    totalBytes: optional(integer(0, MAX_SEALED_BLOB_BYTES)),
  }),
  releasedOpening,
  /**
   * Who sealed a message that was opened; null if that is not proven. `signed`: null if it is not signed for others to
   * check. `digest`: of its contents.
   */
  senderOf: object({ ...openingOf, digest: bytes(32) }),
  sender: object({
    sender: nullable(CONTACT_SHAPES.sender),
    signed: nullable(CONTACT_SHAPES.signed),
  }),
  /** For a key of the user, for contacts, or both; or for those who know a passphrase. `digest`: of the contents. `file`: absent for a text. */
  releaseSealing: object({
    ref: optional(id),
    contacts: optional(array(id, MAX_RECIPIENTS, 1)),
    /** Ids of groups that are kept. */
    groups: optional(array(GROUP_SHAPES.groupId, MAX_RECIPIENTS, 1)),
    passphrase,
    /** A signing key of the user, Ed25519, that signs for others to check; with contacts. */
    signer: optional(id),
    digest: bytes(32),
    file: optional(fileAttributes),
    totalBytes: integer(0, MAX_BLOB_BYTES),
  }),
  releasedSealing,
  opening: object({ file: bytes(MAX_FILE_BYTES), passphrase }),
  opened,
  /** `head`: the header of an age file, and the nonce after it. */
  ageOpening: object({ head: bytes(MAX_AGE_HEAD_BYTES), passphrase, totalBytes: integer(0) }),
  /** `openedBy`: the key of the vault that opens it; null: a passphrase does. */
  ageOpened: object({ key: payloadKey, openedBy: nullable(namedKey) }),
  ageSealing: object({
    recipients: array(string(MAX_PUBLIC_KEY_CHARACTERS, 1), MAX_AGE_RECIPIENTS, 1),
    totalBytes: integer(0, MAX_BLOB_BYTES),
  }),
  ageSealed: object({ head: bytes(MAX_AGE_HEAD_BYTES), key: payloadKey }),
  sealing: object({ text: bytes(MAX_SEALED_TEXT_BYTES), ref: id }),
  identities: object({
    label: string(MAX_LABEL_CHARACTERS, 1),
    file: bytes(MAX_IDENTITIES_BYTES),
    passphrase,
  }),
  syncKeySource,
} as const;

/** What the background gives out for the owner to open one sealed file. */
export type ReleasedOpening = Infer<typeof releasedOpening>;

/** What the background gives out for the owner to seal one file. */
export type ReleasedSealing = Infer<typeof releasedSealing>;

/** The contents of a file that a passphrase opened, and how far they can be trusted. */
export type OpenedFile = Infer<typeof opened>;
