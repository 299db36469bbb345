import type { Tabs } from 'webextension-polyfill';
import { PING } from '../../../src/rpc/envelope.ts';
import {
  isNamed,
  type DocumentPlace,
  type Documents,
} from '../../../src/service/subtle/documents.ts';

/** A frozen tab receives messages and does not answer, although its documents still exist. */
const ANSWER_WITHIN_MS = 1_000;

/** Looks for the content script of a document by a message that the script ignores. */
export class OpenDocuments implements Documents {
  readonly #tabs: Pick<Tabs.Static, 'sendMessage'>;

  constructor(tabs: Pick<Tabs.Static, 'sendMessage'>) {
    this.#tabs = tabs;
  }

  async isOpen(place: DocumentPlace): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frozen = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), ANSWER_WITHIN_MS);
    });
    const isOpen = await Promise.race([this.#hasContentScript(place), frozen]);
    clearTimeout(timer);
    return isOpen;
  }

  async #hasContentScript({ documentId, tabId, frameId }: DocumentPlace): Promise<boolean> {
    const target = isNamed(documentId) ? { documentId } : { frameId };
    return this.#tabs.sendMessage(tabId, PING, target as Tabs.SendMessageOptionsType).then(
      () => true,
      () => false,
    );
  }
}
