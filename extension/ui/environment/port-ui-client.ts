import { MethodClient, type ClientDeps } from '../../../src/rpc/client/method-client.ts';
import type { ParamsOf, ResultOf, UiMethod } from '../../../src/rpc/methods/methods.ts';
import { UI_METHODS } from '../../../src/rpc/methods/ui.ts';
import type { UiClient } from './ui-client.ts';

/** What the client needs of its page. */
interface PageDeps extends ClientDeps {
  /** Calls the listener after changes in the background. */
  readonly onShownState: (listener: () => void) => void;
}

/** The client of the real background, over a port that opens when a call is made. */
export class PortUiClient implements UiClient {
  readonly #client: MethodClient<typeof UI_METHODS>;
  readonly #listeners = new Set<() => void>();

  constructor(deps: PageDeps) {
    this.#client = new MethodClient(UI_METHODS, deps);
    deps.onShownState(() => this.#listeners.forEach((listener) => listener()));
  }

  call<M extends UiMethod>(
    method: M,
    params: ParamsOf<M>,
    signal?: AbortSignal,
  ): Promise<ResultOf<M>> {
    return this.#client.call(method, params, { signal });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
