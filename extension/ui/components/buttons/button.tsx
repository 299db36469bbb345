import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'disabled'> {
  readonly variant?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly icon?: ComponentChildren;
  /** Working on it: the button keeps its focus and its place, and does nothing. */
  readonly busy?: boolean;
  /** Cannot be used now. Stays focusable, so that a keyboard user finds it and hears why. */
  readonly unavailable?: boolean;
  readonly children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { variant = 'plain', icon, busy = false, unavailable = false, ...rest } = props;
  const { children, class: extra, onClick, ...attributes } = rest;
  const idle = !busy && !unavailable;
  return (
    <button
      type="button"
      {...attributes}
      class={`button button-${variant} ${typeof extra === 'string' ? extra : ''}`}
      aria-disabled={!idle}
      aria-busy={busy}
      onClick={(event) => {
        if (idle) onClick?.(event);
        else event.preventDefault();
      }}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon}
      <span>{children}</span>
    </button>
  );
}
