import { useRef, useState } from 'preact/hooks';
import type { UiFieldSession } from '../../src/rpc/methods/ui-fields.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { useFieldSessionEnvironment } from './environment.ts';

/** The session to show, or why it cannot be shown. */
interface ShownFieldSession {
  readonly session: UiFieldSession | undefined;
  readonly error: unknown;
  /** Replaces the session, after the user gave access to a frame. */
  readonly replace: (session: UiFieldSession) => void;
}

/**
 * The field session that this window is about. It stays as it was when the user opened the window:
 * later changes of the page do not change what the user reads or writes here.
 */
export function useFieldSession(): ShownFieldSession {
  const { sessionId } = useFieldSessionEnvironment();
  const { data, error } = useQuery('ui.visit', { sessionId });
  const first = useRef<UiFieldSession>();
  const [replaced, replace] = useState<UiFieldSession>();
  // A form that the user sends again may be stopped for another reason.
  first.current = data?.kind === 'stopped' ? data : (first.current ?? data);
  const session = replaced ?? first.current;
  return { session, error: session ? undefined : error, replace };
}
