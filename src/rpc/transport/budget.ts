/**
 * Bytes that several owners hold at once. One owner may hold all of them; beyond the limit, each of those
 * that hold some still has its share of further bytes, so that none takes another's.
 */
export class SharedBytes {
  readonly #limitBytes: number;
  readonly #sharesBytes: number;
  readonly #held = new Map<string, number>();
  #heldBytes = 0;

  /** @param sharesBytes of all shares together */
  constructor(limitBytes: number, sharesBytes = limitBytes) {
    this.#limitBytes = limitBytes;
    this.#sharesBytes = sharesBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  fits(owner: string, bytes: number): boolean {
    return this.#heldBytes + bytes <= this.#limitBytes || this.fitsShare(owner, bytes);
  }

  /** @param waiting owners that have a share beside those that hold some */
  fitsShare(owner: string, bytes: number, waiting: readonly string[] = []): boolean {
    const owners = new Set([...this.#held.keys(), owner, ...waiting]);
    return this.heldBy(owner) + bytes <= this.#sharesBytes / owners.size;
  }

  /** @param bytes negative to give them back */
  hold(owner: string, bytes: number): void {
    const own = this.heldBy(owner) + bytes;
    if (own > 0) this.#held.set(owner, own);
    else this.#held.delete(owner);
    this.#heldBytes += bytes;
  }
}

/** What a budget is part of, and whose parts it has. */
export interface BudgetOptions {
  /** A larger budget that this one is part of: bytes held here are held there too. */
  readonly whole?: Budget | undefined;
  /** To whom they count there: parts of other owners do not wait behind it for their shares. */
  readonly owner?: string;
  /** Of all owners of its parts. Absent: as many as the limit. */
  readonly sharesBytes?: number | undefined;
}

/**
 * A limit on bytes held at once. Claims that do not fit wait in a queue. A claim always fits when
 * nothing else is held, so no claim waits because of its own size.
 */
export class Budget {
  readonly #held: SharedBytes;
  readonly #whole: Budget | undefined;
  readonly #owner: string;
  #waiting: Ticket[] = [];

  constructor(limitBytes: number, { whole, owner = '', sharesBytes }: BudgetOptions = {}) {
    this.#held = new SharedBytes(limitBytes, sharesBytes);
    this.#whole = whole;
    this.#owner = owner;
  }

  get heldBytes(): number {
    return this.#held.heldBytes;
  }

  /** Whether a claim waits for bytes to be given back, here or in the whole. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0 || (this.#whole?.isAwaited ?? false);
  }

  /** A claim to a number of bytes. It holds nothing until it is entered. */
  claim(bytes: number, owner = ''): Claim {
    const outer = this.#whole?.claim(bytes, this.#owner);
    const ticket: Ticket = { owner, bytes, admit: () => undefined };
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
      if (before === 'held') this.#held.hold(owner, -bytes);
      else if (before === 'waiting') this.#waiting = this.#waiting.filter((one) => one !== ticket);
      outer?.leave();
      this.#admit();
    };
    return { enter, leave };
  }

  #admit(): void {
    for (let next = this.#admissible(); next; next = this.#admissible()) {
      const admitted = next;
      this.#waiting = this.#waiting.filter((one) => one !== admitted);
      this.#held.hold(next.owner, next.bytes);
      next.admit();
    }
  }

  /** The first, if it fits; else the first of an owner whose share has room for it, and which has none before it. */
  #admissible(): Ticket | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    if (this.heldBytes === 0 || this.#held.fits(first.owner, first.bytes)) return first;
    const firsts = new Map<string, Ticket>();
    for (const one of this.#waiting) if (!firsts.has(one.owner)) firsts.set(one.owner, one);
    const waiting = [...firsts.keys()];
    return [...firsts.values()].find(({ owner, bytes }) =>
      this.#held.fitsShare(owner, bytes, waiting),
    );
  }
}

interface Ticket {
  readonly owner: string;
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
