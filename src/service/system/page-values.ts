import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';

interface Deps {
  readonly pageValues: SessionStore;
}

/** The methods by which the extension's own pages store what outlives the browser. */
export function pageValueMethods({
  pageValues,
}: Deps): Pick<Implementations, 'ui.pageValue' | 'ui.setPageValue'> {
  return {
    async 'ui.pageValue'({ name }) {
      const value = await pageValues.get(name);
      return { json: value === undefined ? null : JSON.stringify(value) };
    },
    async 'ui.setPageValue'({ name, json }) {
      await pageValues.set(name, parsed(json));
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
