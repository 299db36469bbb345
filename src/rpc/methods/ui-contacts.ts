/*
 * Contacts, as the extension's own pages see them: other people's public keys, and what is compared
 * to verify them.
 */
import { MAX_ID_CHARACTERS, MAX_LABEL_CHARACTERS, MAX_PUBLIC_KEY_CHARACTERS } from '../limits.ts';
import { array, boolean, bytes, integer, nullable, object, optional, string } from '../validate.ts';
import type { Infer } from '../validate.ts';

/** A text of 1 MiB, each byte of which JSON may write in six characters, a context of 64 KiB, and the rest. */
const MAX_PROOF_BYTES = 8 * 2 ** 20;

const id = string(MAX_ID_CHARACTERS, 1);
const name = string(MAX_LABEL_CHARACTERS, 1);
const publicKey = string(MAX_PUBLIC_KEY_CHARACTERS, 1);
const time = integer(0);

/** docs/format.md section 3.4: of two keys, the one with the lower digest comes first. */
const verification = {
  digest: string(64, 64),
  words: array(integer(0, 7775), 6, 6),
  digits: array(string(5, 5), 5, 5),
};

const contact = object({
  id,
  name: string(4096),
  publicKey,
  created: time,
  verified: nullable(time),
  ...verification,
});
/** Who sealed a message, as it proves to the user. `name` null: the user. `verified`: when the words were compared. */
const sender = object({ name: nullable(string(4096)), verified: nullable(time) });
/**
 * A signature that others can check, verified. `publicKey`: "swp1.…", which signed; `proof`: docs/format.md section 3.8,
 * as a file; of a field it holds the text.
 */
const signed = object({ publicKey, proof: bytes(MAX_PROOF_BYTES) });
const ownSharingKey = object({ ref: id, label: string(4096), publicKey, ...verification });

/** Parameters and results of the methods for contacts. */
export const CONTACT_SHAPES = {
  contact,
  /** More than can be added by hand, so that a restore omits none. */
  contacts: array(contact, 10_000),
  ownSharingKeys: array(ownSharingKey, 10_000),
  added: object({ name, publicKey }),
  changed: object({ id, name: optional(name), verified: optional(boolean) }),
  removed: object({ id }),
  sender,
  signed,
} as const;

/** Another person's public key, with what is compared to verify it. */
export type UiContact = Infer<typeof contact>;
/** The public key of one of the user's sharing keys, with what others compare. */
export type OwnSharingKey = Infer<typeof ownSharingKey>;
/** Who sealed a message. */
export type MessageSender = Infer<typeof sender>;
/** That a message is signed, and what proves it to others. */
export type MessageSigned = Infer<typeof signed>;
