import type { ComponentChildren } from 'preact';

/*
 * The drawings of the guide, in the colours of the page: a browser's window each. They say nothing that the
 * text beside them does not.
 */

/** Words that can be read, as lines. */
function Words({ x, y, widths }: { x: number; y: number; widths: readonly number[] }) {
  return (
    <g class="scene-words">
      {widths.map((width, line) => (
        <rect key={line} x={x} y={y + line * 10} width={width} height="4" rx="2" />
      ))}
    </g>
  );
}

/** Sealed text: all of its characters look alike. */
function Sealed({ x, y, columns }: { x: number; y: number; columns: number }) {
  const dots = Array.from({ length: columns * 3 }, (_, i) => i);
  return (
    <g class="scene-sealed">
      {dots.map((i) => (
        <circle
          key={i}
          cx={x + (i % columns) * 8}
          cy={y + Math.floor(i / columns) * 10 + 2}
          r="2.25"
        />
      ))}
    </g>
  );
}

/** The button in the browser's toolbar. */
function ToolbarButton() {
  return (
    <g class="scene-accent">
      <circle cx="182" cy="16" r="11" class="scene-halo" />
      <circle cx="182" cy="16" r="6" />
    </g>
  );
}

/** A browser's window, with its address and what is in it. */
function Window({ children }: { children: ComponentChildren }) {
  return (
    <svg class="scene mirror" viewBox="0 0 208 112" aria-hidden="true">
      <rect class="scene-window" x="1" y="1" width="206" height="110" rx="8" />
      <path class="scene-edge" d="M1 31 H207" />
      <rect class="scene-address" x="12" y="10" width="146" height="12" rx="6" />
      {children}
    </svg>
  );
}

/** The popup below its button, with the button that enables the site. */
export function SiteScene() {
  return (
    <Window>
      <Words x={14} y={46} widths={[64, 80, 48, 72]} />
      <ToolbarButton />
      <rect class="scene-window" x="112" y="36" width="84" height="66" rx="6" />
      <Words x={122} y={46} widths={[52, 36]} />
      <rect class="scene-primary" x="122" y="74" width="64" height="16" rx="5" />
    </Window>
  );
}

/** A field whose text is in Sealwright's own window, and sealed in the page. */
export function SealScene() {
  return (
    <Window>
      <ToolbarButton />
      <rect class="scene-field" x="12" y="44" width="112" height="56" rx="6" />
      <Sealed x={24} y={60} columns={12} />
      <rect class="scene-window" x="104" y="54" width="92" height="50" rx="6" />
      <Words x={114} y={66} widths={[64, 48]} />
      <rect class="scene-primary" x="114" y="88" width="40" height="8" rx="4" />
    </Window>
  );
}

/** A page with sealed text, and the window that shows what it says. */
export function OpenScene() {
  return (
    <Window>
      <ToolbarButton />
      <Sealed x={18} y={46} columns={10} />
      <Sealed x={18} y={80} columns={10} />
      <rect class="scene-window" x="96" y="44" width="100" height="58" rx="6" />
      <Words x={108} y={56} widths={[70, 56, 64, 40]} />
    </Window>
  );
}
