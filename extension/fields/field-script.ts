import type { VisitedField, VisitKind } from '../../src/rpc/methods/ui-fields.ts';
import { nameOfField } from './auto-seal/field-name.ts';
import { findSealed, FOUND_MAX, sealedIn } from './find/find-sealed.ts';
import { fieldAt, frameBeyond } from './insert/field-at.ts';
import { insertText } from './insert/insert-text.ts';
import type { InsertOutcome } from './insert/field.ts';
import { limitOf, readText } from './insert/field-of.ts';
import { isTextControl } from './insert/selection.ts';
import { isProtected } from './policy.ts';

/** What one act of a person was about, kept for its window. */
export interface Visited {
  readonly kind: VisitKind;
  readonly field: Element | undefined;
  readonly found: readonly (readonly string[])[];
}

/** What outlives a second injection into the same document. */
export interface FieldState {
  readonly visits: Map<string, Visited>;
  /** Of the mark that was pressed last. */
  marked: readonly string[] | undefined;
}

/**
 * What the background asks of a frame for one act of a person. It is injected by that act, listens to
 * nothing, and knows no key: it reads, and it writes what is sealed already.
 */
export class FieldScript {
  readonly state: FieldState;

  /** @param state of an earlier injection into this document */
  constructor(state: FieldState = { visits: new Map(), marked: undefined }) {
    this.state = state;
  }

  /** Remembers the field that has the focus, and the sealed texts that are meant. */
  begin(visitId: string, kind: VisitKind): VisitedField {
    const field = fieldAt(document);
    const found = kind === 'open' ? meantTexts(field) : [];
    this.state.visits.set(visitId, { kind, field, found });
    return this.told(visitId)!;
  }

  /** The same for the text at the mark that was pressed. */
  beginMarked(visitId: string): VisitedField {
    const { marked } = this.state;
    const found = marked ? [marked] : [];
    this.state.visits.set(visitId, { kind: 'open', field: undefined, found });
    return this.told(visitId)!;
  }

  /** As things stand now; null in a document that the visit was never about. */
  told(visitId: string): VisitedField | null {
    const visited = this.state.visits.get(visitId);
    if (!visited) return null;
    const { field, kind, found } = visited;
    const beyond = field ? null : frameBeyond(document);
    const rest = { origin: globalThis.origin, beyond, found, name: null, unmarkable: null };
    if (!field?.isConnected) return { ...rest, field: 'none', text: '', limit: null };
    if (isProtected(field)) return { ...rest, field: 'protected', text: '', limit: null };
    const text = kind === 'seal' ? readText(field) : '';
    const name = nameOfField(field);
    const unmarkable = name ? null : isTextControl(field) ? 'unnamed' : 'editor';
    return { ...rest, field: 'there', text, limit: limitOf(field), name, unmarkable };
  }

  async insert(visitId: string, text: string): Promise<InsertOutcome> {
    const visited = this.state.visits.get(visitId);
    if (!visited?.field) return { inserted: false, reason: 'gone' };
    if (isProtected(visited.field)) return { inserted: false, reason: 'forbidden' };
    return insertText(visited.field, text, visited.kind === 'seal' ? 'all' : 'selection');
  }
}

/** What is selected; else what the field in focus holds; else all of the page. */
function meantTexts(field: Element | undefined): readonly (readonly string[])[] {
  for (const text of [selectedText(field), field && !isProtected(field) ? readText(field) : '']) {
    const found = sealedIn(text);
    if (found.length > 0) return found.slice(0, FOUND_MAX);
  }
  return findSealed(document).found.map(({ pieces }) => pieces);
}

function selectedText(field: Element | undefined): string {
  if (field && isTextControl(field) && !isProtected(field)) {
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  }
  return document.getSelection()?.toString() ?? '';
}
