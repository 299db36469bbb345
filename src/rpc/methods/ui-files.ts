/*
 * Files and texts that other tools encrypted, or that the user sealed here earlier, as the manager
 * opens them; and identities of age, which open some of them.
 */
import { MAX_ID_CHARACTERS, MAX_LABEL_CHARACTERS } from '../limits.ts';
import { MAX_FIELD_BYTES, MAX_FOUND_BYTES } from './ui-fields.ts';
import { bytes, literal, nullable, object, optional, string } from '../validate.ts';
import type { Infer } from '../validate.ts';

/** Opened in one piece, in memory: 16 MiB. */
export const MAX_FILE_BYTES = 16 * 2 ** 20;

/** Texts are sealed as those of fields are. */
export const MAX_SEALED_TEXT_BYTES = MAX_FIELD_BYTES;

/** A file of identities, encrypted or not. */
export const MAX_IDENTITIES_BYTES = 64 * 1024;

const passphrase = optional(string(1024, 1));

const opened = object({
  format: literal('sjcl', 'weave', 'age', 'sealwright'),
  contents: bytes(MAX_FILE_BYTES),
  /**
   * `forgeable`: anyone with access to the file may have changed it (OCB2, Weave). `sender-unknown`:
   * anyone who has the public key may have made it.
   */
  trust: literal('whole', 'forgeable', 'sender-unknown'),
  /** The key of the vault that opened it; null: a passphrase did. */
  key: nullable(object({ kind: string(4096), label: string(4096) })),
});

/** Parameters and results of the methods for files. */
export const FILE_SHAPES = {
  opening: object({ file: bytes(MAX_FILE_BYTES), passphrase }),
  opened,
  sealing: object({ text: bytes(MAX_SEALED_TEXT_BYTES), ref: string(MAX_ID_CHARACTERS, 1) }),
  armored: object({ armored: bytes(MAX_FOUND_BYTES) }),
  identities: object({
    label: string(MAX_LABEL_CHARACTERS, 1),
    file: bytes(MAX_IDENTITIES_BYTES),
    passphrase,
  }),
} as const;

/** The contents of a file, and how far they can be trusted. */
export type OpenedFile = Infer<typeof opened>;
