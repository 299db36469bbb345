import { renderStreamMessage } from '@hotwired/turbo';
import type { Mount } from '../editor.ts';

/** The server draws the field with what it was sent, by Turbo Streams. */
export const mountRedrawn: Mount = (place) => {
  place.innerHTML = '<div id="place"><textarea name="message"></textarea></div>';
  const field = () => place.querySelector('textarea')!;
  return {
    value: () => field().value,
    redraw: async (round) => {
      const body = new URLSearchParams({ message: field().value });
      const answer = await fetch('/echo', { method: 'POST', body });
      const method = ['', 'method="morph"'][round % 2]!;
      renderStreamMessage(`<turbo-stream action="update" target="place" ${method}>
        <template>${await answer.text()}</template>
      </turbo-stream>`);
    },
    clear: () => {
      field().defaultValue = '';
      field().form!.reset();
    },
  };
};
