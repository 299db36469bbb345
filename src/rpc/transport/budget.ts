/**
 * A limit on bytes held at once. Claims that do not fit wait in a queue. A claim always fits when
 * nothing else is held, so no claim waits because of its own size.
 */
export class Budget {
  readonly #limitBytes: number;
  readonly #whole: Budget | undefined;
  #waiting: Ticket[] = [];
  #heldBytes = 0;

  /** @param whole a larger budget that this one is part of: bytes held here are held there too */
  constructor(limitBytes: number, whole?: Budget) {
    this.#limitBytes = limitBytes;
    this.#whole = whole;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** A claim to a number of bytes. It holds nothing until it is entered. */
  claim(bytes: number): Claim {
    const outer = this.#whole?.claim(bytes);
    const ticket: Ticket = { bytes, admit: () => undefined };
    let state: 'new' | 'waiting' | 'held' | 'left' = 'new';
    const enter = (go: () => void): void => {
      state = 'waiting';
      ticket.admit = () => {
        state = 'held';
        if (outer) outer.enter(go);
        else go();
      };
      this.#waiting.push(ticket);
      this.#admit();
    };
    const leave = (): void => {
      const before = state;
      state = 'left';
      if (before === 'held') this.#heldBytes -= bytes;
      else if (before === 'waiting') this.#waiting = this.#waiting.filter((one) => one !== ticket);
      outer?.leave();
      this.#admit();
    };
    return { enter, leave };
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#heldBytes += next.bytes;
      next.admit();
    }
  }

  #fits(bytes: number): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.#limitBytes;
  }
}

interface Ticket {
  readonly bytes: number;
  admit: () => void;
}

/** A place in the queue of a budget. */
export interface Claim {
  /** Calls `go` when the bytes fit: at once, or when others have left. May be called once. */
  enter(go: () => void): void;
  /** Gives the bytes back, or gives up waiting for them. A second call does nothing. */
  leave(): void;
}
