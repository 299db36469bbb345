import { useRef, useState } from 'preact/hooks';
import type { FieldVisit } from '../../src/rpc/methods/ui-fields.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { useFieldSessionEnvironment } from './environment.ts';

interface ShownFieldSession {
  readonly session: FieldVisit | undefined;
  readonly error: unknown;
  /** After an act of the person that has changed what the window is about. */
  readonly replace: (session: FieldVisit) => void;
}

/**
 * What this window is about. It stays as it was when the person acted: what the page does with its
 * field meanwhile changes nothing under the hand of who reads or writes here.
 */
export function useFieldSession(): ShownFieldSession {
  const { sessionId } = useFieldSessionEnvironment();
  const { data, error } = useQuery('ui.visit', { visitId: sessionId });
  const first = useRef<FieldVisit>();
  const [replaced, replace] = useState<FieldVisit>();
  // A form that is tried again may be stopped for another reason.
  first.current = data?.kind === 'stopped' ? data : (first.current ?? data);
  const session = replaced ?? first.current;
  return { session, error: session ? undefined : error, replace };
}
