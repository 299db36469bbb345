interface Seen {
  readonly isTrusted?: boolean;
  readonly timeStamp?: number;
}

/** Of the browser's class, which Node lacks; `isTrusted` and the time are the browser's to set. */
export class FakePointerEvent extends Event {
  override readonly isTrusted: boolean;
  override readonly timeStamp: number;
  readonly screenX: number;
  readonly screenY: number;
  constructor(x: number, y: number, seen: Seen = {}) {
    super('pointermove');
    this.isTrusted = seen.isTrusted ?? true;
    this.timeStamp = seen.timeStamp ?? performance.now();
    this.screenX = x;
    this.screenY = y;
  }
}
