import { armorCandidates } from '../../src/format/wire/find-armor.ts';
import type { FieldName } from '../../src/rpc/methods/guard.ts';
import type { InspectedField, FieldSessionKind } from '../../src/rpc/methods/ui-fields.ts';
import { labelOfField, nameOfField } from './auto-seal/field-name.ts';
import { findSealed, FOUND_MAX, sealedIn, type FoundText } from './find/find-sealed.ts';
import { onlyRun } from './find/sealed-runs.ts';
import { unreachableOrigin } from './find/focused.ts';
import type { InsertOutcome, Place } from './insert/field.ts';
import { isProtected } from './policy.ts';
import { isTextControl, type TextControl } from './text-control.ts';

/** What one user action refers to, kept for the window that it opened. */
export interface Visited {
  readonly kind: FieldSessionKind;
  readonly field: Element | undefined;
  readonly found: readonly (readonly string[])[];
  /**
   * The field's text, if it was one sealed text and nothing else: an edit replaces it, and nothing that
   * the field holds later.
   */
  readonly edited?: string | undefined;
}

/** State that survives a second injection into the same document. */
export interface FieldState {
  readonly sessions: Map<string, Visited>;
  /** The text at the mark that was pressed last. */
  marked: readonly string[] | undefined;
  /** The text control that holds it. */
  markedField?: TextControl | undefined;
  /** Absent on sites without always-sealed fields. */
  editors?: EditorAccess;
}

/** The editors in the place of always-sealed fields. */
export interface EditorAccess {
  /** Whether there is one for a field. */
  has(field: Element): boolean;
  /** Shows a text for which the field's value stands. */
  show(field: Element, text: string): void;
}

/**
 * Reading and writing fields of every kind. Only `fields.js` has it, which a user action injects:
 * `marks.js` runs in every page of enabled sites and never needs a field.
 */
export interface FieldAccess {
  fieldAt(document: Document): Element | undefined;
  isPlain(field: Element): boolean;
  readText(field: Element): string;
  limitOf(field: Element): number | null;
  insertText(field: Element, text: string, place: Place): Promise<InsertOutcome>;
}

/** What an earlier injection into the same document left: a FieldScript, perhaps of older code. */
export type EarlierScript = Partial<Pick<FieldScript, 'state' | 'access'>>;

/**
 * The calls that the background makes to a frame after a user action. The script listens to no event
 * and has no key. It reads the page, and it writes text that is sealed already.
 */
export class FieldScript {
  readonly state: FieldState;
  readonly access: FieldAccess | undefined;

  /**
   * @param access absent in `marks.js`; then that of the earlier injection is used, if it has one
   * @param earlier whose sessions go on in this one
   */
  constructor(earlier: EarlierScript = {}, access: FieldAccess | undefined = earlier.access) {
    this.state = earlier.state ?? { sessions: new Map(), marked: undefined };
    this.access = access;
  }

  /** Remembers the field that has the focus, and the sealed texts that the action refers to. */
  begin(sessionId: string, kind: FieldSessionKind): InspectedField {
    const field = this.access?.fieldAt(document);
    const found = kind === 'open' ? this.#meantTexts(field) : [];
    const edited = kind === 'open' ? this.#onlySealed(field, found) : undefined;
    this.state.sessions.set(sessionId, { kind, field, found, edited });
    return this.report(sessionId)!;
  }

  /** The same for the text at the mark that was pressed. */
  beginMarked(sessionId: string): InspectedField {
    const { marked, markedField: field } = this.state;
    const found = marked ? [marked] : [];
    const isOnly = field !== undefined && onlyRun(field.value) === marked?.join('');
    const edited = isOnly ? field.value : undefined;
    this.state.sessions.set(sessionId, { kind: 'open', field, found, edited });
    return this.report(sessionId)!;
  }

  /** The present state of the session's field; null in a document that has no such session. */
  report(sessionId: string): InspectedField | null {
    const session = this.state.sessions.get(sessionId);
    if (!session) return null;
    const { field, kind, found, edited } = session;
    const blockedFrame = field ? null : unreachableOrigin(document);
    const editable = edited !== undefined && this.access !== undefined;
    const inPlace = this.#isInPlace(session);
    const rest = { blockedFrame, found, editable, inPlace, name: null, unmarkable: null };
    if (!field?.isConnected) return { ...rest, field: 'none', text: '', limit: null };
    if (isProtected(field)) return { ...rest, field: 'protected', text: '', limit: null };
    const text = kind === 'seal' ? this.#read(field) : '';
    const limit = this.access?.limitOf(field) ?? null;
    // A script without access knows the fields of editors alone, which are plain.
    const isPlain = this.access?.isPlain(field) ?? isTextControl(field);
    const name = isPlain ? calledName(field) : null;
    const unmarkable = name ? null : isPlain ? 'unnamed' : 'editor';
    return { ...rest, field: 'there', text, limit, name, unmarkable };
  }

  /** Inserts sealed text into the session's field. */
  async insert(sessionId: string, text: string): Promise<InsertOutcome> {
    const { field, kind, edited } = this.state.sessions.get(sessionId) ?? {};
    if (!field?.isConnected || !this.access) return { inserted: false, reason: 'gone' };
    if (isProtected(field)) return { inserted: false, reason: 'forbidden' };
    if (kind === 'open' && this.#read(field) !== edited) {
      return { inserted: false, reason: 'changed' };
    }
    return this.access.insertText(field, text, kind === 'write' ? 'selection' : 'all');
  }

  /** Shows the opened text of the session's field in its editor. @returns false where that is not possible any more */
  show(sessionId: string, text: string): boolean {
    const session = this.state.sessions.get(sessionId);
    if (!session?.field || !this.#isInPlace(session)) return false;
    this.state.editors!.show(session.field, text);
    return true;
  }

  #isInPlace({ field, edited }: Visited): boolean {
    if (!field?.isConnected || !isTextControl(field) || edited === undefined) return false;
    return field.value === edited && this.state.editors?.has(field) === true;
  }

  /** The text of a field that holds one sealed text, without line breaks, and nothing else. */
  #onlySealed(
    field: Element | undefined,
    found: readonly (readonly string[])[],
  ): string | undefined {
    if (!field || isProtected(field)) return undefined;
    const text = this.#read(field);
    const only = onlyRun(text);
    if (only === undefined) return undefined;
    return found.length === 1 && found[0]!.join('') === only ? text : undefined;
  }

  /** Sealed texts in the selection; else in the focused field; else in the whole page. */
  #meantTexts(field: Element | undefined): readonly (readonly string[])[] {
    const inPage = () => findSealed(document).found;
    const selected = selectedTexts(field, inPage);
    if (selected.length > 0) return selected.slice(0, FOUND_MAX);
    const inField = sealedIn(field && !isProtected(field) ? this.#read(field) : '');
    if (inField.length > 0) return inField.slice(0, FOUND_MAX);
    return inPage().map(({ pieces }) => pieces);
  }

  #read(field: Element): string {
    return this.access?.readText(field) ?? '';
  }
}

/** The name of a field, with what the page calls it. */
function calledName(field: Element): FieldName | null {
  const name = nameOfField(field);
  const label = name && labelOfField(field as TextControl);
  return name && label !== undefined && label !== null ? { ...name, label } : name;
}

/** What is selected as text lacks the borders of elements, which may stand for characters of a sealed text. */
function selectedTexts(
  field: Element | undefined,
  inPage: () => readonly FoundText[],
): readonly (readonly string[])[] {
  if (field && isTextControl(field) && !isProtected(field)) {
    return sealedIn(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0));
  }
  const selection = document.getSelection();
  const asText = sealedIn(selection?.toString() ?? '');
  if (!selection || asText.every(isWhole)) return asText;
  const selected = inPage().filter(({ at }) => selection.containsNode(at.node, true));
  return selected.length > 0 ? selected.map(({ pieces }) => pieces) : asText;
}

function isWhole(pieces: readonly string[]): boolean {
  return armorCandidates(pieces).some(({ beyond }) => beyond === 0);
}
