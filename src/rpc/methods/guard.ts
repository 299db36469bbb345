/*
 * The rows for the script that seals marked fields before a form is sent (extension/fields/auto-seal),
 * on sites where the user marked fields as always sealed. Pages cannot call them. Texts are UTF-8.
 */
import { MAX_FIELD_NAME_CHARACTERS } from '../limits.ts';
import { none, page } from './page.ts';
import { array, bytes, literal, object, optional, string } from '../validate.ts';
import type { Infer } from '../validate.ts';

/** A field, recognised on every load of the page by an attribute that the site gave it. */
export const fieldName = object({
  tag: literal('input', 'textarea'),
  by: literal('name', 'id', 'aria-label', 'placeholder'),
  value: string(MAX_FIELD_NAME_CHARACTERS, 1),
  /** What the page calls it, when it was marked: for lists that the user reads. Absent where it has no label. */
  label: optional(string(MAX_FIELD_NAME_CHARACTERS, 1)),
});
/** A field of a form, named by an attribute that the site gave it. */
export type FieldName = Infer<typeof fieldName>;

/** Marked fields of one site. */
export const MAX_FIELD_NAMES = 100;
/** At most `MAX_FIELD_NAMES` fields of one site. */
export const fieldNames = array(fieldName, MAX_FIELD_NAMES);

/** The text of a field: 1 MiB. */
export const MAX_GUARDED_BYTES = 2 ** 20;

/**
 * Why a form was not sent: the vault is `locked`; there is `no-key` for this site, or not any more; the
 * field is too short for a sealed text, or its page did not take it; it holds more than can be sealed.
 */
export const stopReason = literal('locked', 'no-key', 'too-long', 'refused', 'too-large', 'failed');
/** Why a form was not sent. */
export type StopReason = Infer<typeof stopReason>;

/** For the user, in every frame and window; no page gets it. */
const FOR_USER = { frames: 'any', inPrivateWindows: true, uncounted: true } as const;

/** The rows for the script that seals marked fields before a form is sent. */
export const GUARD_METHODS = Object.freeze({
  /** The fields of the caller's origin that are always sealed. */
  guardedFields: page('nothing', 'pure', none, object({ fields: fieldNames }), FOR_USER),
  /** With the key that is offered first for the caller's origin. */
  sealGuarded: page(
    'nothing',
    'pure',
    object({ text: bytes(MAX_GUARDED_BYTES) }),
    object({ sealed: bytes(2 * MAX_GUARDED_BYTES) }),
    FOR_USER,
  ),
  /** Opens a window that tells the user that a form was not sent. */
  formStopped: page('nothing', 'effect', object({ reason: stopReason }), none, FOR_USER),
});
