import { isTone } from './tones.ts';

/** A key's colour beside its name; nothing for a key without one. */
export function ToneDot({ tone }: { readonly tone: string }) {
  return isTone(tone) ? <span class="tone-dot" data-tone={tone} aria-hidden="true" /> : null;
}
