import { useEffect, useState } from 'preact/hooks';
import type { OutputOf } from '../../src/rpc/workshop.ts';
import { useEnvironment } from '../ui/environment/environment.ts';

/** The engines that work in this browser, and the others with their reasons. */
export type FoundEngines = OutputOf<'selfTest.engines'>;

/**
 * Asks the engines, once they are wanted.
 *
 * @param cards whether the user has switched the graphics card on; else nothing is asked of it
 * @returns undefined until they have answered
 */
export function useEngineList(isWanted: boolean, cards: boolean): FoundEngines | undefined {
  const { workshop } = useEnvironment();
  const [found, setFound] = useState<FoundEngines & { readonly cards: boolean }>();
  const isKnown = found?.cards === cards;
  useEffect(() => {
    if (!isWanted || isKnown) return undefined;
    const closing = new AbortController();
    const input = { secrets: {}, params: { cards } };
    workshop.call('self-test', 'selfTest.engines', input, { signal: closing.signal }).then(
      (engines) => setFound({ ...engines, cards }),
      () => undefined, // asked again when the view is opened again
    );
    return () => closing.abort();
  }, [isWanted, isKnown, cards]);
  return found;
}
