import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { KeyLabelField, type KeyLabel } from '../../ui/components/forms/key-label.tsx';
import type { Action } from '../../ui/hooks/use-action.ts';

interface ImportCardProps {
  /** Prefix of the ids of its elements. */
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly label: KeyLabel;
  readonly action: Action;
  readonly icon: ComponentChildren;
  readonly onSubmit: () => void;
  /** The fields from which the key is read. */
  readonly children: ComponentChildren;
}

/**
 * The frame of a form that imports a key: folded at first, with the fields `children`, a name and a
 * button.
 */
export function ImportCard(props: ImportCardProps) {
  const { id, title, lead, label, action, icon, onSubmit, children } = props;
  const text = useText();
  return (
    <details class="card">
      <summary id={`${id}-title`}>{title}</summary>
      <form
        class="stack"
        aria-labelledby={`${id}-title`}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <p class="muted">{lead}</p>
        {children}
        <KeyLabelField id={`${id}-label`} label={label} />
        <ErrorBanner error={action.error} />
        <Button id={`${id}-now`} type="submit" busy={action.busy} icon={icon}>
          {text.t('importKey')}
        </Button>
      </form>
    </details>
  );
}
