import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { useEnvironment } from '../environment/environment.ts';
import type { UiMethod } from '../environment/ui-client.ts';

/** The latest answer, and the error of the latest call where that has failed. */
export interface Query<T> {
  /** Stays beside an error: the view of an answer may hold a form, or what is shown only once. */
  readonly data: T | undefined;
  readonly error: unknown;
  /** Settles when what it has read is shown. */
  readonly reload: () => Promise<void>;
}

/**
 * Whether neither an answer nor an error is there. A view shows nothing to press meanwhile, because the answer would
 * move it while a user is about to press.
 */
export const isPending = ({ data, error }: Query<unknown>): boolean =>
  data === undefined && error === undefined;

interface Shown<T> {
  readonly data?: T;
  /** The parameters that it is the answer to. */
  readonly key?: string;
  readonly error?: unknown;
}

/** The view of a locked vault takes the place of what is shown, which stays until then. */
const isOfLock = (error: unknown): boolean =>
  error instanceof SealwrightError && error.code === 'LOCKED';

/**
 * Calls a `ui.*` method when the view appears, on `reload`, after changes in the background and
 * when the window gets the focus. `params` may be a new object on every render: equal JSON is
 * equal.
 */
export function useQuery<M extends UiMethod>(method: M, params: ParamsOf<M>): Query<ResultOf<M>> {
  const { ui } = useEnvironment();
  const [state, setState] = useState<Shown<ResultOf<M>>>({});
  const lastRequest = useRef(0);
  const shown = useRef(0);
  const latest = useRef(params);
  latest.current = params;
  const key = JSON.stringify(params);
  const reload = useCallback(async () => {
    const turn = ++lastRequest.current;
    // A slow older answer is dropped. One that comes before those of later requests is shown: who awaits it goes on with
    // what it says.
    const isNewer = () => {
      if (turn <= shown.current) return false;
      shown.current = turn;
      return true;
    };
    try {
      const data = await ui.call(method, latest.current);
      if (isNewer()) setState({ data, key });
    } catch (error) {
      if (!isNewer()) return;
      setState((before) => {
        if (isOfLock(error) && before.data) return before;
        return before.key === key ? { ...before, error } : { error };
      });
    }
  }, [ui, method, key]);
  useEffect(() => {
    const refresh = () => void reload();
    refresh();
    window.addEventListener('focus', refresh);
    const unsubscribe = ui.onChange(refresh);
    return () => {
      shown.current = lastRequest.current; // answers to other parameters
      unsubscribe();
      window.removeEventListener('focus', refresh);
    };
  }, [ui, reload]);
  return { data: state.data, error: state.error, reload };
}
