/** One document that has session keys, as the browser names it. */
export interface DocumentPlace {
  readonly documentId: string;
  readonly tabId: number;
  readonly frameId: number;
}

/** The contract for asking whether a document still exists. */
export interface Documents {
  /** Whether the document is still there, to be served; true where that is unknown. */
  isOpen(document: DocumentPlace): Promise<boolean>;
}

/** Where the browser names no documents, runtime-channel-caller.ts calls them by tab and frame. */
export function isNamed(documentId: string): boolean {
  return !documentId.includes('/');
}
