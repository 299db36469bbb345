import { Trash2 } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';

interface RemovableRowProps {
  /** The class of the row. */
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  /** On the button, and on that which confirms. */
  readonly label: string;
  readonly question: string;
  /** Announced once it is removed. */
  readonly removed: string;
  readonly remove: () => Promise<unknown>;
  readonly onRemoved: () => Promise<void>;
}

/** Something that a site has in the vault, and a button that removes it after a question. */
export function RemovableRow(props: RemovableRowProps) {
  const { name, title, hint, label, question, removed, remove, onRemoved } = props;
  const announce = useAnnounce();
  const action = useAction();
  const confirmed = () =>
    action.run(async () => {
      await remove();
      announce(removed);
      focusTitle();
      await onRemoved();
    });
  return (
    <div class={`row ${name}`}>
      <div class="row-main">
        <p class="row-title">{title}</p>
        <p class="row-detail">{hint}</p>
        <ErrorBanner error={action.error} />
      </div>
      <ConfirmButton
        label={label}
        describe={`${label}: ${title}`}
        question={question}
        confirm={label}
        busy={action.busy}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onConfirm={confirmed}
      />
    </div>
  );
}
