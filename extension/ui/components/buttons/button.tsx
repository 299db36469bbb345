import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useText } from '../../environment/environment.ts';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'disabled'> {
  readonly variant?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly icon?: ComponentChildren;
  /** Shows a spinner and ignores clicks; the button keeps its focus and its place. */
  readonly busy?: boolean;
  /** Ignores clicks, but stays focusable, so that keyboard users find the button. */
  readonly unavailable?: boolean;
  readonly children: ComponentChildren;
}

/** A button with an optional icon. `variant` sets its look; other attributes go to the element. */
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

/**
 * Says that presses right after the window appeared do not count, once there was one, above the
 * buttons concerned. It stays afterwards, so that nothing blinks.
 */
export function ArmingHint({ wasEarly }: { readonly wasEarly: boolean }) {
  const text = useText();
  return (
    <p class="hint arming-hint" id="arming-hint" aria-live="polite">
      {wasEarly && text.t('armingPause')}
    </p>
  );
}
