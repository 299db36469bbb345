import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';

interface ShownOnRequestProps<T> {
  readonly label: string;
  /** The accessible name, which says of which key. */
  readonly named: string;
  readonly icon: ComponentChildren;
  readonly class: string;
  /** Fetches the value. */
  readonly fetch: () => Promise<T>;
  /** What stands beside the button, and stays: the other actions of the row. */
  readonly beside: ComponentChildren;
  /** Renders the value. */
  readonly children: (shown: T) => ComponentChildren;
}

/** A button that fetches a value, which then stands below the row instead of the button. */
export function ShownOnRequest<T>(props: ShownOnRequestProps<T>) {
  const action = useAction();
  const [shown, setShown] = useState<{ readonly value: T }>();
  const show = () =>
    action.run(async () => {
      setShown({ value: await props.fetch() });
    });
  return (
    <>
      <div class="row-actions">
        {!shown && (
          <Button
            variant="quiet"
            class={props.class}
            busy={action.busy}
            icon={props.icon}
            aria-label={props.named}
            onClick={show}
          >
            {props.label}
          </Button>
        )}
        {props.beside}
      </div>
      <ErrorBanner error={action.error} />
      {shown && <div class="stack public-key">{props.children(shown.value)}</div>}
    </>
  );
}
