import { judgeFrame } from './frame-policy.ts';
import type { FrameVerdict, PageCaller } from './frame-policy.ts';

/** What was judged of a frame, for as long as its line lives: a caller is a fact that does not change. */
export class FrameVerdicts {
  readonly #known = new WeakMap<PageCaller, FrameVerdict>();

  of(caller: PageCaller): FrameVerdict {
    const known = this.#known.get(caller);
    if (known) return known;
    const verdict = judgeFrame(caller);
    this.#known.set(caller, verdict);
    return verdict;
  }
}
