import type { ComponentChildren } from 'preact';
import type { LucideIcon } from 'lucide-preact';
import { Button } from './buttons/button.tsx';

interface EmptyStateProps {
  readonly id: string;
  readonly icon: LucideIcon;
  /** One line: what is missing, and how it comes. */
  readonly children: ComponentChildren;
  /** What leads on from here. */
  readonly action: string;
  readonly onAction: () => void;
}

/** In the place of a list that has nothing in it: an icon, one line, and one button that leads on. */
export function EmptyState({ id, icon: Icon, children, action, onAction }: EmptyStateProps) {
  return (
    <div class="empty-state" id={id}>
      <span class="empty-icon">
        <Icon size={32} strokeWidth={1.5} aria-hidden="true" />
      </span>
      <p role="status">{children}</p>
      <Button id={`${id}-on`} onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}
