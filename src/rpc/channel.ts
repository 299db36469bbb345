/**
 * The peer of a channel, according to the browser. It is a fact of the connection: no field of a
 * message ever identifies a caller.
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
 * An open channel to one peer. Messages arrive whole, once and in order until it closes; messages
 * sent just before the close may be lost. `send` on a closed channel does nothing. Bytes inside a
 * message are Uint8Arrays at both ends; an implementation may transfer those that it is given.
 */
export interface Channel {
  readonly peer: Caller;
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, whichever side closes; immediately if the channel is closed already. */
  onClose(listener: () => void): void;
  close(): void;
}
