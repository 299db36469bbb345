import { useEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment } from '../ui/environment/environment.ts';
import type {
  AbsentEngine,
  EngineList,
  FromWorker,
  ToWorker,
} from '../ui/environment/self-test-protocol.ts';

/** The engines that work in this browser, and the others with their reasons. */
export interface FoundEngines {
  readonly list: EngineList;
  readonly absent: readonly AbsentEngine[];
}

/**
 * Asks the self-test's worker, once it is wanted.
 *
 * @param cards whether the user has switched the graphics card on; else nothing is asked of it
 * @returns undefined until the worker has answered
 */
export function useEngineList(isWanted: boolean, cards: boolean): FoundEngines | undefined {
  const { startSelfTestWorker } = useEnvironment();
  const [found, setFound] = useState<FoundEngines & { readonly cards: boolean }>();
  const absent = useRef<AbsentEngine[]>([]);
  const isKnown = found?.cards === cards;
  useEffect(() => {
    if (!isWanted || isKnown) return undefined;
    const worker = startSelfTestWorker();
    absent.current = [];
    worker.addEventListener('message', ({ data }) => {
      const message = data as FromWorker;
      if (message.type === 'absent') absent.current.push(message);
      if (message.type === 'engines') setFound({ list: message, absent: absent.current, cards });
    });
    worker.postMessage({ type: 'engines', cards } satisfies ToWorker);
    return () => worker.terminate();
  }, [isWanted, isKnown, cards]);
  return found;
}
