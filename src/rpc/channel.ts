/**
 * Who is at the other end, as the browser says. It is a fact of the connection: no field of a
 * message is ever identity.
 */
export type Caller =
  | {
      readonly kind: 'page';
      /** `sender.origin`: never "null" or "file://". */
      readonly origin: string;
      /** Of the tab's top page; equal to `origin` in the top frame. */
      readonly topOrigin: string;
      readonly tabId: number;
      /** 0 for the top frame. */
      readonly frameId: number;
      /** One loaded document. Where the browser gives none: tab and frame. */
      readonly documentId: string;
      readonly incognito: boolean;
      /** Firefox's cookie store of the tab; null for the default one and where there are none. */
      readonly container: string | null;
    }
  | { readonly kind: 'surface'; readonly page: 'popup' | 'prompt' | 'manager' | 'fields' };

/**
 * An open line to one peer. Messages arrive whole, once and in order, until it closes; what was
 * sent just before may be lost then. `send` on a closed line does nothing. Bytes inside a message
 * are Uint8Arrays at both ends; an implementation may take over (transfer) those it is given.
 */
export interface Channel {
  readonly peer: Caller;
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, whichever side closes; at once if the line is closed already. */
  onClose(listener: () => void): void;
  close(): void;
}
