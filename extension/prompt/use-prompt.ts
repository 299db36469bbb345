import { useMemo, useRef } from 'preact/hooks';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { usePromptEnvironment } from './environment.ts';

export interface ShownPrompt {
  readonly prompt: UiPrompt | undefined;
  readonly error: unknown;
  readonly reload: () => Promise<void>;
}

/**
 * The request that this window is about. What is asked stays as it was first shown; only the
 * vault's state and the keys to choose from, which the user changes here, follow the background.
 */
export function usePrompt(): ShownPrompt {
  const { promptId } = usePromptEnvironment();
  const { data, error, reload } = useQuery('ui.prompt', { promptId });
  const first = useRef<UiPrompt>();
  first.current ??= data;
  const prompt = useMemo(
    () => first.current && data && { ...first.current, vault: data.vault, keys: data.keys },
    [data],
  );
  return { prompt, error, reload };
}
