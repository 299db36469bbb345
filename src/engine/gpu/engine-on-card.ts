import type { Awaitable, CardOptions, Engine, EngineName, Probe } from '../contract.ts';
import { CardUntilFault, type Card } from './card.ts';
import { gpuAlgorithms } from './modes.ts';

/**
 * An engine whose probe opens a card, and which ends with it.
 *
 * @param open gives the card, or the reason why the browser has no usable one; calls `end` with the reason when the browser
 *   takes the card away
 */
export function engineOnCard(
  name: EngineName,
  { beside }: CardOptions,
  open: (end: (reason: string) => void) => Awaitable<Card | string>,
): Engine {
  let card: CardUntilFault | undefined;
  let ended: string | undefined;
  const end = (reason: string): void => {
    ended ??= reason;
    card?.end(reason);
  };
  return {
    name,
    probe: async (): Promise<Probe> => {
      const opened = await open(end);
      if (typeof opened === 'string') return { available: false, reason: opened };
      card = new CardUntilFault(opened);
      // Closed or lost before it was here.
      if (ended !== undefined) card.end(ended);
      return { available: true, algorithms: gpuAlgorithms(card, beside) };
    },
    fault: () => card?.fault,
    close: () => end('closed'),
  };
}
