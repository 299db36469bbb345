import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { Toolbar } from './toolbar.ts';

/**
 * The contract for the extension's items in the browser's menus. `extension/platform/windows/menus.ts` implements it.
 * No call waits for it, and it never fails.
 */
export interface Menus {
  /** Names the items in the language that the preferences name now. */
  translate(): void;
}

interface Deps {
  readonly pageValues: SessionStore;
  /** Its words are in the language of the preferences. */
  readonly toolbar: Pick<Toolbar, 'start'>;
  readonly menus: Menus;
}

/** The methods by which the extension's own pages store what outlives the browser. */
export function pageValueMethods({
  pageValues,
  toolbar,
  menus,
}: Deps): Pick<Implementations, 'ui.pageValue' | 'ui.setPageValue'> {
  return {
    async 'ui.pageValue'({ name }) {
      const value = await pageValues.get(name);
      return { json: value === undefined ? null : JSON.stringify(value) };
    },
    async 'ui.setPageValue'({ name, json }) {
      await pageValues.set(name, parsed(json));
      if (name === 'preferences') {
        void toolbar.start();
        menus.translate();
      }
      return {};
    },
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new SealwrightError('INVALID_ARGUMENT', 'json: expected JSON');
  }
}
