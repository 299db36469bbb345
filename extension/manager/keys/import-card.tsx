import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { KeyLabelField, type KeyLabel } from '../../ui/components/key-label.tsx';
import type { Action } from '../../ui/hooks/use-action.ts';

interface ImportCardProps {
  /** Where the ids of what it shows begin. */
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly label: KeyLabel;
  readonly action: Action;
  readonly icon: ComponentChildren;
  readonly onSubmit: () => void;
  /** What the key is read from. */
  readonly children: ComponentChildren;
}

/** A key from elsewhere, on its way into the vault under a name; closed until somebody wants it. */
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
