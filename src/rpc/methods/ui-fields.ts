/*
 * Fields of pages, as the extension's own windows see them: what the user asked for in a tab (a field
 * session), what the page contains there, and sealing and opening it. Texts are UTF-8.
 */
import { CONTACT_SHAPES, GROUP_SHAPES } from './ui-contacts.ts';
import { fieldName, fieldNames, stopReason } from './guard.ts';
import type { FieldName } from './guard.ts';
import { MAX_ID_CHARACTERS, MAX_RECIPIENTS } from '../limits.ts';
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
} from '../validate.ts';
import type { Infer } from '../validate.ts';

/** The text of a field: 1 MiB. */
export const MAX_FIELD_BYTES = 2 ** 20;

/** The same sealed and armored, padded and with all recipients, as runs of characters and breaks. */
export const MAX_FOUND_BYTES = 2 * MAX_FIELD_BYTES;

/** Messages that one text of a page may be (src/format/wire/find-armor.ts). */
export const MAX_CANDIDATES = 16;

/** Sealed texts of one page that are shown together. */
export const MAX_FOUND = 200;

const id = string(MAX_ID_CHARACTERS, 1);
const text = string(4096);
const kind = literal('write', 'seal', 'open');
const origin = string(4096, 1);
const pattern = string(2048, 1);

/**
 * A field that cannot be marked as always sealed: an `editor` processes input in its own way, and an
 * `unnamed` field cannot be recognised later.
 */
const unmarkable = literal('editor', 'unnamed');
/** Why a field cannot be marked as always sealed. */
export type Unmarkable = Infer<typeof unmarkable>;

const fieldSession = object({
  kind: literal('write', 'seal', 'open', 'stopped'),
  /** Of the frame; null for an opaque one. */
  origin: nullable(text),
  /** A frame without access, for which the window may ask the user once. */
  blockedFrame: nullable(object({ origin: text, pattern })),
  /** `protected`: a field that is never sealed; `gone`: the page has left, or is out of reach. */
  field: literal('there', 'none', 'protected', 'gone'),
  /** The field's text, where it is to be sealed; or the draft for this site. */
  text: bytes(MAX_FIELD_BYTES),
  /** Characters that the field takes. */
  limit: nullable(integer(0)),
  /** Sealed texts; parts of one are separated by line feeds. */
  found: array(bytes(MAX_FOUND_BYTES), MAX_FOUND),
  /** Whether the field holds that one sealed text and nothing else, so that it can be replaced. */
  editable: boolean,
  /** Whether it is in an always-sealed field, whose editor can show it opened (extension/fields/editor). */
  inPlace: boolean,
  /** The key that is offered first on this site. */
  ref: nullable(id),
  /** Whether the field is always sealed; null where that cannot be. */
  always: nullable(object({ field: fieldName, on: boolean })),
  /** The site's pattern and the field, where it could be if the site was enabled. */
  enabling: nullable(object({ pattern, field: fieldName })),
  /** Why it cannot be, on a site that is enabled. */
  never: nullable(unmarkable),
  /** Why a form was not sent. */
  reason: nullable(stopReason),
});

/** The result of the injected script (extension/fields/insert). */
const insertOutcome = object({
  inserted: boolean,
  reason: optional(
    literal('refused', 'altered', 'too-long', 'read-only', 'gone', 'changed', 'forbidden'),
  ),
  limit: optional(integer(0)),
  /** The field's former text, where it has another one now. */
  former: optional(string(MAX_FIELD_BYTES)),
});

/** A text of a page, and what the window has read in it: the likely messages first. */
const sealed = {
  sessionId: id,
  found: bytes(MAX_FOUND_BYTES),
  candidates: array(
    object({
      sealed: bytes(MAX_FOUND_BYTES),
      /** Other characters follow it without a break. */
      isFollowed: boolean,
    }),
    MAX_CANDIDATES,
  ),
};

const opened = object({
  text: bytes(MAX_FIELD_BYTES),
  /** `ref` of a key of the user's that seals texts; null of another. No key at all: a passphrase opened it. */
  key: nullable(object({ kind: text, label: text, ref: nullable(id) })),
  /** For which site it was sealed; null where the message does not say. */
  origin: nullable(text),
  /** Opened as a recipient: anyone could have sealed it. */
  shared: boolean,
  /** Who sealed it for the user; null if that is not proven. */
  sender: nullable(CONTACT_SHAPES.sender),
  /** Null if it is not signed for others to check. */
  signed: nullable(CONTACT_SHAPES.signed),
  /** What was written to replace it, '' if nothing; and the name of this sealed text for drafts. */
  draft: object({ edited: id, text: bytes(MAX_FIELD_BYTES) }),
});

/** Parameters and results of the methods for fields of pages. */
export const FIELD_SHAPES = {
  settingsOf: object({ origin, pattern }),
  settings: object({ marks: boolean, ref: nullable(id), alwaysSealed: fieldNames }),
  alwaysSealing: object({ origin, field: fieldName, on: boolean }),
  offering: object({ origin, ref: nullable(id) }),
  marking: object({ pattern, on: boolean }),
  begun: object({ tabId: integer(0), kind }),
  visited: object({ sessionId: id }),
  visit: fieldSession,
  sealing: object({
    sessionId: id,
    text: bytes(MAX_FIELD_BYTES),
    /** The key to seal with; with contacts, a key by which the user can read the text too. */
    ref: optional(id),
    contacts: optional(array(id, MAX_RECIPIENTS, 1)),
    /** Ids of groups that are kept. */
    groups: optional(array(GROUP_SHAPES.groupId, MAX_RECIPIENTS, 1)),
    /** A signing key of the user, Ed25519, that signs for others to check; with contacts. */
    signer: optional(id),
  }),
  drafting: object({
    sessionId: id,
    text: bytes(MAX_FIELD_BYTES),
    /** The sealed text that this one is to replace, as `opened.draft` names it. */
    edited: optional(id),
    /** Whether that text cannot be replaced any more: the draft becomes a new text of the site. */
    detached: optional(boolean),
  }),
  /** False if the vault did not store it: the window has to keep it. */
  drafted: object({ kept: boolean }),
  /** The message, which the window writes as web armor. */
  sealed: object({ sealed: bytes(MAX_FOUND_BYTES) }),
  inserting: object({ sessionId: id, armored: bytes(MAX_FOUND_BYTES) }),
  insertOutcome,
  /** `passphrase`: for a text that needs one. */
  opening: object({ ...sealed, passphrase: optional(string(1024, 1)) }),
  showing: object(sealed),
  /** False where the field or its editor is gone, or holds another text. */
  shownInField: object({ shown: boolean }),
  opened,
} as const;

/** What a window is shown about the field or the page that it was opened for. */
export type UiFieldSession = Infer<typeof fieldSession>;
/** What the user wants to do with the field or the page. */
export type FieldSessionKind = Infer<typeof kind>;
/** The settings for the fields of one site. */
export type FieldSettings = Infer<typeof FIELD_SHAPES.settings>;
/** Whether a sealed text was inserted, and why not. */
export type FieldInsertOutcome = Infer<typeof insertOutcome>;
/** A message that a text may be. */
export type SealedCandidate = Infer<typeof FIELD_SHAPES.showing>['candidates'][number];
/** The text of a sealed field, its key and its site. */
export type OpenedField = Infer<typeof opened>;

/** What the injected script found in the page. The page controls all of it. */
export interface InspectedField {
  readonly field: 'there' | 'none' | 'protected';
  readonly text: string;
  readonly limit: number | null;
  /** The attribute by which the field is recognised later; null if it has none. */
  readonly name: FieldName | null;
  /** Why it has none, if it can be read and written. */
  readonly unmarkable: Unmarkable | null;
  /** The origin of the focused frame, if the script has no access to it. */
  readonly blockedFrame: string | null;
  /** Sealed texts, each in its parts. */
  readonly found: readonly (readonly string[])[];
  /**
   * Whether the field holds the one sealed text that was found and nothing else. Absent in the answers
   * of a script that a former version left in the page.
   */
  readonly editable?: boolean;
  /** Whether that field has an editor (extension/fields/editor). Absent as well. */
  readonly inPlace?: boolean;
}
