import type { Tabs } from 'webextension-polyfill';
import { PING } from '../../../src/rpc/envelope.ts';
import {
  isNamed,
  type DocumentPlace,
  type Documents,
} from '../../../src/service/subtle/documents.ts';

/** A frozen tab takes messages and does not answer: its documents are still there. */
const PATIENCE_MS = 1_000;

/** Asks for the content script of a document, by a message that it passes over. */
export class OpenDocuments implements Documents {
  readonly #tabs: Pick<Tabs.Static, 'sendMessage'>;

  constructor(tabs: Pick<Tabs.Static, 'sendMessage'>) {
    this.#tabs = tabs;
  }

  async isOpen(place: DocumentPlace): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), PATIENCE_MS);
    });
    const isOpen = await Promise.race([this.#isReached(place), patience]);
    clearTimeout(timer);
    return isOpen;
  }

  async #isReached({ documentId, tabId, frameId }: DocumentPlace): Promise<boolean> {
    const target = isNamed(documentId) ? { documentId } : { frameId };
    return this.#tabs.sendMessage(tabId, PING, target as Tabs.SendMessageOptionsType).then(
      () => true,
      () => false,
    );
  }
}
