import type { Caller, Channel } from '../channel.ts';

/**
 * The lines that callers hold open at this moment. A frame that is at work has one, and hears over
 * it of a change sooner than in any other way; to all others there is nothing to tell here.
 */
export class ConnectedChannels {
  readonly #lines = new Set<Channel>();

  add(line: Channel): void {
    this.#lines.add(line);
    line.onClose(() => this.#lines.delete(line));
  }

  tell(message: unknown, concerns: (caller: Caller) => boolean): void {
    for (const line of this.#lines) if (concerns(line.peer)) line.send(message);
  }
}
