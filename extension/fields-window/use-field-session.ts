import { useRef, useState } from 'preact/hooks';
import type { FieldVisit } from '../../src/rpc/methods/ui-fields.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { useVisitEnvironment } from './environment.ts';

interface ShownVisit {
  readonly visit: FieldVisit | undefined;
  readonly error: unknown;
  /** After an act of the person that has changed what the window is about. */
  readonly replace: (visit: FieldVisit) => void;
}

/**
 * What this window is about. It stays as it was when the person acted: what the page does with its
 * field meanwhile changes nothing under the hand of who reads or writes here.
 */
export function useVisit(): ShownVisit {
  const { visitId } = useVisitEnvironment();
  const { data, error } = useQuery('ui.visit', { visitId });
  const first = useRef<FieldVisit>();
  const [replaced, replace] = useState<FieldVisit>();
  // A form that is tried again may be stopped for another reason.
  first.current = data?.kind === 'stopped' ? data : (first.current ?? data);
  const visit = replaced ?? first.current;
  return { visit, error: visit ? undefined : error, replace };
}
