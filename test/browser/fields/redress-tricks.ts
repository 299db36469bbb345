/*
 * Ways to have a person press a mark without knowing it (T15 of docs/threats.md), as a page plays them right
 * before the press. Some cannot be kept from opening our window; it is all that they get.
 */

/** Of the window; null: where the mark was. */
type Place = readonly [number, number] | null;

export interface Trick {
  readonly trick: string;
  /** Whether the press may open our window: where the mark was pressed, though not seen as it is. */
  readonly opens: boolean;
  /** In the page, right before the press. @returns where to press, if not at the mark */
  readonly play: () => Place | Promise<Place>;
  /** The mark appears, or comes to stand under the press, right before it. */
  readonly arrives?: 'new' | 'moved';
}

export const TRICKS: readonly Trick[] = [
  {
    trick: 'makes them transparent',
    opens: true,
    play: () => {
      document.querySelector('sealwright-marks')!.setAttribute('style', 'opacity: 0 !important');
      return null;
    },
  },
  {
    trick: 'lays something over them',
    opens: false,
    play: () => {
      const cover = document.createElement('div');
      cover.style.cssText = 'position: fixed; inset: 0; z-index: 2147483647; background: #fff';
      document.documentElement.append(cover);
      return null;
    },
  },
  {
    trick: 'covers them from the top layer',
    opens: false,
    play: () => {
      const cover = document.createElement('dialog');
      cover.style.cssText = 'inset: 0; width: 100vw; height: 100vh; max-width: none; margin: 0';
      document.body.append(cover);
      cover.showModal();
      return null;
    },
  },
  {
    trick: 'clips them away',
    opens: false,
    play: () => {
      document.documentElement.style.clipPath = 'inset(0 0 0 100%)';
      return null;
    },
  },
  {
    trick: 'moves them under the press',
    opens: false,
    arrives: 'moved',
    play: async () => {
      document.body.style.cssText = 'transform: translateY(90px)';
      dispatchEvent(new Event('resize'));
      const frame = () => new Promise((resume) => requestAnimationFrame(resume));
      for (let i = 0; i < 3; i++) await frame(); // the mark has followed
      const range = document.createRange();
      const text = document.querySelector('#text')!.firstChild as Text;
      range.setStart(text, text.length - 1);
      range.setEnd(text, text.length);
      const { right, bottom } = range.getBoundingClientRect();
      return [right - 9, bottom - 9];
    },
  },
  {
    trick: 'races them for the top',
    opens: true,
    play: () => {
      const cover = document.createElement('div');
      cover.style.cssText = 'position: fixed; inset: 0; z-index: 2147483647; background: #fff';
      const swap = () => {
        if (cover.isConnected) cover.remove();
        else document.documentElement.append(cover);
        requestAnimationFrame(swap);
      };
      swap();
      return null;
    },
  },
  {
    trick: 'leaves a corner of them uncovered',
    opens: true,
    play: () => {
      const cover = document.createElement('div');
      cover.style.cssText =
        'position: fixed; inset: 0; z-index: 2147483647; background: #fff; ' +
        'clip-path: polygon(0 0, 100% 0, 100% 40px, 0 40px); pointer-events: auto';
      document.documentElement.append(cover);
      return null;
    },
  },
  {
    trick: 'paints over them and lets the press through',
    opens: true,
    play: () => {
      const cover = document.createElement('div');
      cover.style.cssText =
        'position: fixed; inset: 0; z-index: 2147483647; background: #fff; pointer-events: none';
      cover.textContent = 'Click here to win';
      document.documentElement.append(cover);
      return null;
    },
  },
  {
    trick: 'frames them in an invisible frame',
    opens: true,
    play: () => {
      const frame = document.createElement('iframe');
      frame.src = location.href;
      frame.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh; opacity: 0';
      document.body.append(frame);
      return null;
    },
  },
  {
    trick: 'draws marks of its own',
    opens: false,
    play: () => {
      document.querySelector('sealwright-marks')!.remove();
      const fake = document.createElement('sealwright-marks');
      fake.innerHTML = '<button style="position: fixed; inset: 0">Open sealed text</button>';
      document.documentElement.append(fake);
      fake.querySelector('button')!.click();
      return null;
    },
  },
  {
    trick: 'presses them by script',
    opens: false,
    play: () => {
      const host = document.querySelector('sealwright-marks') as HTMLElement;
      host.click();
      for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) {
        host.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
      }
      return [2, 2];
    },
  },
  {
    trick: 'has them appear where the user is about to press',
    opens: false,
    arrives: 'new',
    play: () => null,
  },
  {
    trick: 'scrolls them under the pointer',
    opens: false,
    arrives: 'moved',
    play: async () => {
      const text = document.querySelector<HTMLElement>('#text')!;
      text.style.cssText = 'block-size: 6em; overflow-y: scroll; padding-block-start: 4em';
      text.scrollTop = 10;
      const frame = () => new Promise((resume) => requestAnimationFrame(resume));
      for (let i = 0; i < 3; i++) await frame();
      const range = document.createRange();
      const node = text.firstChild as Text;
      range.setStart(node, node.length - 1);
      range.setEnd(node, node.length);
      const { right, bottom } = range.getBoundingClientRect();
      return [right - 9, bottom - 9];
    },
  },
];
