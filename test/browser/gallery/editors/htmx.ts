import htmx from 'htmx.org';
import type { Mount } from '../editor.ts';

/** The server draws the field with what it was sent. */
export const mountRedrawn: Mount = (place) => {
  place.innerHTML = '<div id="place"><textarea name="message"></textarea></div>';
  const target = place.querySelector('#place')!;
  const field = () => target.querySelector('textarea')!;
  const swaps = ['innerHTML', 'innerMorph'] as const;
  const draw = (round: number, message: string) => {
    const swap = swaps[round % swaps.length]!;
    return htmx.ajax('POST', '/echo', { target, swap, values: { message } });
  };
  return {
    value: () => field().value,
    redraw: (round) => draw(round, field().value),
    clear: () => void draw(0, ''),
  };
};
