import { browser } from '../browser.ts';

/** In CSS pixels, of the window with its frame. */
const MAX_HEIGHT = 860;
/** Between the window and the end of the screen. */
const MARGIN = 24;

/**
 * Makes this window as high as what is in it, as far as the screen has room. It never becomes lower: that would undo what
 * the user did to it. Does nothing where the page is in a tab, which has the size that the browser gives it.
 *
 * @param content the element that holds the whole page
 */
export async function fitWindow(content: Element): Promise<void> {
  const { windows } = browser;
  const { id, type } = (await windows?.getCurrent()) ?? {};
  if (!windows || id === undefined || type !== 'popup') return;
  new ResizeObserver(() => {
    const wanted = Math.ceil(content.getBoundingClientRect().height) + outerHeight - innerHeight;
    const room = screen.availHeight - Math.max(0, screenY) - MARGIN;
    const height = Math.min(wanted, MAX_HEIGHT, room);
    if (height > outerHeight) void windows.update(id, { height });
  }).observe(content);
}
