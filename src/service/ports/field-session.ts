import type { StopReason } from '../../rpc/methods/guard.ts';
import type {
  FieldInsertOutcome,
  InspectedField,
  FieldSessionKind,
} from '../../rpc/methods/ui-fields.ts';

/** One action of the user on a field or a page, by a menu, a key or the popup, and its window. */
export interface FieldSession {
  readonly id: string;
  /** `stopped`: not an action of the user; a form was not sent, and the window says so. */
  readonly kind: FieldSessionKind | 'stopped';
  /** Serialised, of the frame, as its own document has it; null for an opaque one, or none. */
  readonly origin: string | null;
  /** The same, as its window was opened: what is written is kept for it. */
  readonly begunOn: string | null;
  /**
   * Origin of a frame that holds the field and cannot be reached without a permission, by its address
   * in the page: the window may ask the user for that permission, once.
   */
  readonly blockedFrame: string | null;
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
  /** Examines the tab and opens a window for it. */
  begin(place: { readonly tabId: number }, kind: FieldSessionKind): Promise<void>;
  find(sessionId: string): Promise<FieldSession | undefined>;
  /** The field as it is now; undefined if the page is gone or cannot be reached. */
  look(session: FieldSession): Promise<InspectedField | undefined>;
  insert(session: FieldSession, text: string): Promise<FieldInsertOutcome>;
  /** Shows an opened text in the editor of the field, which holds it sealed. @returns whether it did */
  show(session: FieldSession, text: string): Promise<boolean>;
  /** Looks at the tab again, with what the user has permitted since. @returns the session as it is now */
  reach(session: FieldSession): Promise<FieldSession>;
  /** Gives that permission back. */
  giveBack(session: FieldSession): Promise<void>;
  /** Shows the user a window: one for each tab, however often the page tries. */
  showStopped(form: StoppedForm): Promise<void>;
}
