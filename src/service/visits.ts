import type { FieldInsertOutcome, VisitedField, VisitKind } from '../rpc/surface-fields.ts';

/** What a person asked to be done with a field or a page, by a menu, a key or the popup. */
export interface Visit {
  readonly id: string;
  readonly kind: VisitKind;
  /** Serialised, of the frame, as its own document has it; null for an opaque one, or none. */
  readonly origin: string | null;
  readonly incognito: boolean;
}

/**
 * The contract for reaching into a tab for one act of a person. `extension/platform` implements it
 * with what the browser gives for that act (activeTab); nothing stays in the page beyond it.
 */
export interface Visits {
  /** Looks at the tab and opens a window about what is there. */
  begin(place: { readonly tabId: number }, kind: VisitKind): Promise<void>;
  find(visitId: string): Promise<Visit | undefined>;
  /** Undefined where the page has gone, or is out of reach. */
  look(visit: Visit): Promise<VisitedField | undefined>;
  insert(visit: Visit, text: string): Promise<FieldInsertOutcome>;
}
