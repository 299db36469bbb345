import { useEffect, useState } from 'preact/hooks';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { EntropyState } from '../../ui/environment/ui-client.ts';

/** The state of the random generator, which events on this page change while it is shown. */
export function useEntropy(): { state: EntropyState | undefined; error: unknown } {
  const { ui, entropy } = useEnvironment();
  const [state, setState] = useState<EntropyState>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let wanted = true;
    const show = (next: EntropyState) => wanted && setState(next);
    const stop = entropy.watch(show);
    ui.call('ui.entropy', {}).then(show, (problem: unknown) => wanted && setError(problem));
    return () => {
      wanted = false;
      stop();
    };
  }, [ui, entropy]);
  return { state, error };
}
