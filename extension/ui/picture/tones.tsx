import type { MessageKey } from '../text/i18n.ts';

/** Colours to tell things apart by, beside their names; ui.css has each for light and dark. */
export const TONES = {
  red: 'toneRed',
  orange: 'toneOrange',
  yellow: 'toneYellow',
  green: 'toneGreen',
  teal: 'toneTeal',
  blue: 'toneBlue',
  purple: 'tonePurple',
  grey: 'toneGrey',
} as const satisfies Record<string, MessageKey>;

export type Tone = keyof typeof TONES;

export const TONE_NAMES = Object.keys(TONES) as readonly Tone[];

export const isTone = (value: unknown): value is Tone =>
  typeof value === 'string' && Object.hasOwn(TONES, value);

/** A key's colour beside its name; nothing for a key without a colour. */
export function ToneDot({ tone }: { readonly tone: string }) {
  return isTone(tone) ? <span class="tone-dot" data-tone={tone} aria-hidden="true" /> : null;
}
