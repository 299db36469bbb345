import type { Medium } from '../../../src/keys/media/medium.ts';

/** What a browser's service keeps for all profiles. Each value is that of the last profile whose value was taken. */
export class Cloud {
  readonly items = new Map<string, string>();

  /** Loses items. */
  lose(isLost: (place: number) => boolean): void {
    for (const [place, name] of [...this.items.keys()].sort().entries()) {
      if (isLost(place)) this.items.delete(name);
    }
  }
}

/** A profile's copy of the cloud, which it changes at once and brings up to date later. */
export class Profile implements Medium {
  readonly #cloud: Cloud;
  readonly #items = new Map<string, string>();
  /** What the cloud had when this profile last looked, of the items that it has changed since. */
  readonly #changed = new Map<string, string | undefined>();
  /** Writes of this profile. */
  writes = 0;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
  }

  read(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map(this.#items));
  }

  write(name: string, text: string): Promise<void> {
    if (!this.#changed.has(name)) this.#changed.set(name, this.#items.get(name));
    this.#items.set(name, text);
    this.writes++;
    return Promise.resolve();
  }

  clear(): Promise<void> {
    for (const name of this.#items.keys()) this.#changed.set(name, this.#items.get(name));
    this.#items.clear();
    return Promise.resolve();
  }

  /**
   * Exchanges items with the cloud.
   *
   * @param isOwnKept of two values of one item, whether this profile's counts or the cloud's: Chromium and Firefox differ
   * @param isLate which items wait for another time
   */
  sync(isOwnKept = true, isLate: (place: number) => boolean = () => false): void {
    const names = new Set([...this.#items.keys(), ...this.#cloud.items.keys()]);
    for (const [place, name] of [...names].sort().entries()) {
      if (isLate(place)) continue;
      const theirs = this.#cloud.items.get(name);
      const isConflict = this.#changed.has(name) && this.#changed.get(name) !== theirs;
      if (this.#changed.has(name) && (isOwnKept || !isConflict)) {
        const own = this.#items.get(name);
        if (own === undefined) this.#cloud.items.delete(name);
        else this.#cloud.items.set(name, own);
      } else if (theirs === undefined) this.#items.delete(name);
      else this.#items.set(name, theirs);
      this.#changed.delete(name);
    }
  }
}
