import { useRef } from 'preact/hooks';
import type { FieldVisit } from '../../src/rpc/surface-fields.ts';
import { useQuery } from '../ui/use-query.ts';
import { useVisitEnvironment } from './environment.ts';

interface ShownVisit {
  readonly visit: FieldVisit | undefined;
  readonly error: unknown;
}

/**
 * What this window is about. It stays as it was when the person acted: what the page does with its
 * field meanwhile changes nothing under the hand of who reads or writes here.
 */
export function useVisit(): ShownVisit {
  const { visitId } = useVisitEnvironment();
  const { data, error } = useQuery('ui.visit', { visitId });
  const first = useRef<FieldVisit>();
  // A form that is tried again may be stopped for another reason.
  first.current = data?.kind === 'stopped' ? data : (first.current ?? data);
  return { visit: first.current, error: first.current ? undefined : error };
}
