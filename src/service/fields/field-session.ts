import type { StopReason } from '../../rpc/methods/guard.ts';
import type { FieldInsertOutcome, VisitedField, VisitKind } from '../../rpc/methods/ui-fields.ts';

/** What a person asked to be done with a field or a page, by a menu, a key or the popup. */
export interface FieldSession {
  readonly id: string;
  /** `stopped`: nobody asked; a form was not sent, and its user is to know. */
  readonly kind: VisitKind | 'stopped';
  /** Serialised, of the frame, as its own document has it; null for an opaque one, or none. */
  readonly origin: string | null;
  /** The same, as its window was opened: what is written is kept for it. */
  readonly begunOn: string | null;
  /**
   * Of a frame that was meant and is out of reach, by its address in the page: the window may ask the
   * user to let us in, once.
   */
  readonly beyond: string | null;
  readonly incognito: boolean;
  /** Why the form was not sent. */
  readonly reason?: StopReason;
}

/** A form that was not sent. */
export interface StoppedForm extends Pick<FieldSession, 'origin' | 'incognito'> {
  readonly tabId: number;
  readonly reason: StopReason;
}

/**
 * The contract for reaching into a tab for one act of a person. `extension/platform` implements it
 * with what the browser gives for that act (activeTab); nothing stays in the page beyond it.
 */
export interface FieldSessions {
  /** Looks at the tab and opens a window about what is there. */
  begin(place: { readonly tabId: number }, kind: VisitKind): Promise<void>;
  find(visitId: string): Promise<FieldSession | undefined>;
  /** Undefined where the page has gone, or is out of reach. */
  look(session: FieldSession): Promise<VisitedField | undefined>;
  insert(session: FieldSession, text: string): Promise<FieldInsertOutcome>;
  /** Looks at the tab again, with what the user has permitted since. @returns the visit as it is now */
  reach(session: FieldSession): Promise<FieldSession>;
  /** Gives that permission back. */
  giveBack(session: FieldSession): Promise<void>;
  /** Tells the user in a window of ours: one for each tab, however often the page tries. */
  showStopped(form: StoppedForm): Promise<void>;
}
