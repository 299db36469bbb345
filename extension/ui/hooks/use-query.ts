import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { useEnvironment } from '../environment/environment.ts';
import type { SurfaceMethod } from '../environment/ui-client.ts';

export interface Query<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly reload: () => Promise<void>;
}

/** The answer to a method, asked for when the view appears, on `reload`, on changes and on window focus. */
export function useQuery<M extends SurfaceMethod>(
  method: M,
  params: ParamsOf<M>,
): Query<ResultOf<M>> {
  const { surface } = useEnvironment();
  const [state, setState] = useState<{ data?: ResultOf<M>; error?: unknown }>({});
  const asked = useRef(0);
  const latest = useRef(params);
  latest.current = params;
  const key = JSON.stringify(params);
  const reload = useCallback(async () => {
    const turn = ++asked.current;
    const isLatest = () => turn === asked.current; // a slow old answer must not win
    try {
      const data = await surface.call(method, latest.current);
      if (isLatest()) setState({ data });
    } catch (error) {
      if (isLatest()) setState({ error });
    }
  }, [surface, method, key]);
  useEffect(() => {
    const refresh = () => void reload();
    refresh();
    window.addEventListener('focus', refresh);
    const unsubscribe = surface.onChange(refresh);
    return () => {
      asked.current++;
      unsubscribe();
      window.removeEventListener('focus', refresh);
    };
  }, [surface, reload]);
  return { data: state.data, error: state.error, reload };
}
