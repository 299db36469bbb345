import type { ComponentChildren } from 'preact';
import { useText } from '../environment/environment.ts';
import type { UiKey } from '../environment/ui-client.ts';
import { isPending, type Query } from '../hooks/use-query.ts';
import { ErrorBanner } from './banner.tsx';
import { Loading } from './loading.tsx';

interface KeysInUseProps {
  readonly keys: Query<readonly UiKey[]>;
  /** Renders the row of one key. */
  readonly row: (key: UiKey) => ComponentChildren;
  /** What is below the list, and appears with it. */
  readonly children: ComponentChildren;
}

/** The list of the user's keys without the archived ones, and what is below it. */
export function KeysInUse({ keys, row, children }: KeysInUseProps) {
  const text = useText();
  const { data, error } = keys;
  return (
    <>
      <p class="muted">{text.t('keysLead')}</p>
      <ErrorBanner error={error} />
      {data && (
        <ul class="rows" id="keys">
          {data.filter(({ archived }) => archived === null).map(row)}
        </ul>
      )}
      {isPending(keys) ? <Loading /> : children}
    </>
  );
}
