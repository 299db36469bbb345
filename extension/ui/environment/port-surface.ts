import { MethodClient, type ClientParts } from '../../../src/rpc/client/method-client.ts';
import type { ParamsOf, ResultOf, SurfaceMethod } from '../../../src/rpc/methods/methods.ts';
import { SURFACE_METHODS } from '../../../src/rpc/methods/ui.ts';
import type { Surface } from './surface.ts';

/** The background as it really is: at the other end of a line that opens when there is work. */
export class PortSurface implements Surface {
  readonly #client: MethodClient<typeof SURFACE_METHODS>;
  readonly #listeners = new Set<() => void>();

  constructor(parts: ClientParts) {
    this.#client = new MethodClient(SURFACE_METHODS, parts);
    this.#client.onEvent(() => this.#listeners.forEach((listener) => listener()));
  }

  call<M extends SurfaceMethod>(
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
