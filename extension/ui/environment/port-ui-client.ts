import { MethodClient, type ClientDeps } from '../../../src/rpc/client/method-client.ts';
import type { ParamsOf, ResultOf, UiMethod } from '../../../src/rpc/methods/methods.ts';
import { UI_METHODS } from '../../../src/rpc/methods/ui.ts';
import type { UiClient } from './ui-client.ts';

/** The background as it really is: at the other end of a line that opens when there is work. */
export class PortUiClient implements UiClient {
  readonly #client: MethodClient<typeof UI_METHODS>;
  readonly #listeners = new Set<() => void>();

  constructor(deps: ClientDeps) {
    this.#client = new MethodClient(UI_METHODS, deps);
    this.#client.onEvent(() => this.#listeners.forEach((listener) => listener()));
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
