import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Ellipsis } from 'lucide-preact';
import { Question } from './confirm-button.tsx';

/** One action of a menu. */
export interface MenuItem {
  /** Names it among the items of its menu, and stands in the element's `data-action`. */
  readonly name: string;
  readonly label: string;
  readonly icon: ComponentChildren;
  readonly onChoose: () => void;
  /** What is asked first, where the effect cannot be undone. */
  readonly ask?: {
    readonly question: string;
    /** Label of the button that does it. */
    readonly confirm: string;
  };
}

/** Selects the button that opens a menu. */
export const MENU_BUTTON = '[aria-haspopup="menu"]';

interface RowMenuProps {
  /** The accessible name, which says of which row. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Shows a spinner and opens no menu. */
  readonly busy?: boolean;
}

/**
 * A button that opens a menu with the actions of a row, by the pattern "menu button" of the ARIA Authoring Practices:
 * arrow keys, Home, End and first letters move in it, Escape and Tab close it. The focus returns to the button before an
 * action begins; a question takes the place of both.
 */
export function RowMenu({ label, items, busy = false }: RowMenuProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  /** The index of the item that takes the focus as the menu appears; undefined while it is closed. */
  const [entry, setEntry] = useState<number>();
  const [asked, ask] = useState<MenuItem>();
  const wasAsked = useRef(false);
  const isOpen = entry !== undefined;
  const entries = () => [...place.current!.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const focusButton = () => place.current?.querySelector('button')?.focus();
  useLayoutEffect(() => {
    if (entry === undefined) return;
    place.current?.querySelector('[role="menu"]')?.scrollIntoView({ block: 'nearest' });
    entries()[entry]?.focus();
  }, [entry]);
  useLayoutEffect(() => {
    if (wasAsked.current && !asked) focusButton();
    wasAsked.current = asked !== undefined;
  }, [asked]);
  if (asked?.ask) {
    const answer = (isConfirmed: boolean) => {
      ask(undefined);
      if (isConfirmed) asked.onChoose();
    };
    return <Question {...asked.ask} onAnswer={answer} />;
  }
  const close = () => {
    setEntry(undefined);
    focusButton();
  };
  const choose = (item: MenuItem) => {
    close();
    if (item.ask) ask(item);
    else item.onChoose();
  };
  const onKey = (event: KeyboardEvent) => {
    const next = isOpen ? targetOf(event, entries()) : OPENING_KEYS[event.key]?.(items.length);
    if (event.key === 'Escape' && isOpen) close();
    else if (next === undefined || busy) return;
    else if (isOpen) entries()[next]?.focus();
    else setEntry(next);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="menu-place"
      ref={place}
      onKeyDown={onKey}
      onFocusOut={({ relatedTarget }) => {
        if (!place.current?.contains(relatedTarget as Node | null)) setEntry(undefined);
      }}
    >
      <button
        type="button"
        class="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-disabled={busy}
        onClick={() => {
          if (!busy) setEntry(isOpen ? undefined : 0);
        }}
      >
        {busy ? (
          <span class="spinner" aria-hidden="true" />
        ) : (
          <Ellipsis size={18} aria-hidden="true" />
        )}
      </button>
      {isOpen && (
        <div class="menu" role="menu" id={id} aria-label={label}>
          {items.map((item) => (
            <button
              key={item.name}
              type="button"
              class="menu-item"
              role="menuitem"
              tabIndex={-1}
              data-action={item.name}
              onClick={() => choose(item)}
            >
              {item.icon}
              <span>{item.label}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** The keys that open the menu, beside those that press any button, with the item that takes the focus. */
const OPENING_KEYS: Readonly<Record<string, (count: number) => number>> = {
  ArrowDown: () => 0,
  ArrowUp: (count) => count - 1,
};

/** @returns the index of the item to which a key moves the focus; undefined for other keys */
function targetOf(
  { key, ctrlKey, altKey, metaKey }: KeyboardEvent,
  entries: readonly HTMLElement[],
): number | undefined {
  const current = entries.indexOf(document.activeElement as HTMLElement);
  const count = entries.length;
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (current - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key.length > 1 || key === ' ' || ctrlKey || altKey || metaKey) return undefined;
  const letter = key.toLocaleLowerCase();
  const after = entries.map((_, step) => (current + 1 + step) % count);
  return after.find((at) => entries[at]!.textContent.trim().toLocaleLowerCase().startsWith(letter));
}
