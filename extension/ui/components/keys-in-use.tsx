import type { ComponentChildren } from 'preact';
import { useText } from '../environment/environment.ts';
import type { UiKey } from '../environment/ui-client.ts';
import type { Query } from '../hooks/use-query.ts';
import { ErrorBanner } from './banner.tsx';
import { Loading } from './loading.tsx';

interface KeysInUseProps {
  readonly keys: Query<readonly UiKey[]>;
  /** One key's row. */
  readonly children: (key: UiKey) => ComponentChildren;
}

/** The user's keys but for the archived ones. */
export function KeysInUse({ keys: { data, error }, children }: KeysInUseProps) {
  const text = useText();
  return (
    <>
      <p class="muted">{text.t('keysLead')}</p>
      <ErrorBanner error={error} />
      {!data && error === undefined && <Loading />}
      {data && (
        <ul class="rows" id="keys">
          {data.filter(({ archived }) => archived === null).map(children)}
        </ul>
      )}
    </>
  );
}
