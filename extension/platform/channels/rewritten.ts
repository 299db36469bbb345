/*
 * `document.open()` removes every listener from the window and the document, those of content scripts as
 * well, and every child of the document. Mutation observers stay.
 */
import { uncurry } from '../../../src/rpc/primordials.ts';
/* eslint-disable @typescript-eslint/unbound-method -- taking methods off their objects is this file's work */

const observe = uncurry(MutationObserver.prototype.observe);
const disconnect = uncurry(MutationObserver.prototype.disconnect);
const SafeObserver = MutationObserver;

/**
 * Calls back after the children of the document have changed, where listeners may have to be added again.
 * Adding the same listener twice has no effect. To be called in a script's first task.
 *
 * @returns ends it
 */
export function onRewritten(document: Node, addAgain: () => void): () => void {
  const observer = new SafeObserver(addAgain);
  observe(observer, document, { childList: true });
  return () => disconnect(observer);
}
