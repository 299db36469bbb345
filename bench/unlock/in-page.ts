/* Run in the popup's page, by their text: they may name nothing outside themselves. */

/** What one unlock was like for the person before the screen. */
export interface Watched {
  /** From the click on "Unlock" to the open vault's view. */
  readonly unlockMs: number;
  /** The longest time between two frames in between: so long did nothing move and no key act. */
  readonly longestFrameMs: number;
}

interface Watch {
  clickedAt?: number;
  openedAt?: number;
  longestFrameMs: number;
}

/** To be called before the click. */
export function watchUnlock(): void {
  const holder = globalThis as unknown as { watch?: Watch };
  const watch: Watch = { longestFrameMs: 0 };
  holder.watch = watch;
  const clicked = (event: Event) => {
    const isUnlock = (event.target as Element).closest('#unlock') !== null;
    if (isUnlock) watch.clickedAt ??= performance.now();
  };
  document.addEventListener('click', clicked, { capture: true });
  const observer = new MutationObserver(() => {
    if (document.querySelector('#nav-site') === null) return;
    watch.openedAt = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
  let last = 0;
  const frame = (): void => {
    const now = performance.now();
    if (last > 0 && watch.clickedAt !== undefined) {
      watch.longestFrameMs = Math.max(watch.longestFrameMs, now - last);
    }
    last = now;
    if (watch.openedAt === undefined) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

export function watched(): Watched {
  const { watch } = globalThis as unknown as { watch: Watch };
  return { unlockMs: watch.openedAt! - watch.clickedAt!, longestFrameMs: watch.longestFrameMs };
}

/** From a click on "Cancel" until the passphrase can be typed again, ms. */
export async function cancelled(): Promise<number> {
  const before = performance.now();
  document.querySelector<HTMLElement>('#cancel-unlock')!.click();
  while (document.querySelector('#cancel-unlock') !== null) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return performance.now() - before;
}

/** From a click on "Open" in the manager to the opened contents of a file, ms. */
export async function openedFile(): Promise<number> {
  const before = performance.now();
  document.querySelector<HTMLElement>('#open-file-now')!.click();
  while (document.querySelector('#save-opened') === null) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return performance.now() - before;
}

/** What the last derivation cost ("65536 5 4": memory in KiB, passes, lanes), and how long it took. */
export async function lastDerivation(): Promise<readonly [cost: string, ms: number]> {
  interface Area {
    get(key: string): Promise<Record<string, [string, number][]>>;
  }
  const { browser: one, chrome: two } = globalThis as unknown as Record<
    string,
    { storage: { session: Area } } | undefined
  >;
  const times = 'derivation times';
  return (await (one ?? two)!.storage.session.get(times))[times]![0]!;
}
