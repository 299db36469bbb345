/**
 * Runs in a page: what no view may do at any width, language or colour. It overflows sideways, it scrolls
 * although all that it shows would fit, or it hides a control: below another, outside of what can be scrolled
 * to, or with its words over its edge; or a name begins elsewhere than the lines of the view, or a message takes its direction from a name. Empty: nothing of that. Leaves the page scrolled to its top.
 *
 * @param view another window of the same origin, such as a popup
 */
export function layoutFaults(view: Window & typeof globalThis = window): string[] {
  const { document: page } = view;
  const root = page.documentElement;
  // Methods: functions that have a name get a helper from tsx that the page lacks.
  const of = {
    name(element: Element): string {
      const words = (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 30);
      return `${element.tagName.toLowerCase()}${element.id && `#${element.id}`} “${words}”`;
    },
    isShown(element: Element): boolean {
      const { width, height } = element.getBoundingClientRect();
      const isDrawn = element.checkVisibility({ visibilityProperty: true });
      return isDrawn && width > 1 && height > 1 && element.closest('[aria-hidden="true"]') === null;
    },
    /** The lowest edge of what is drawn in it, with the padding of what holds it, from its own top. */
    contentHeight(scroller: Element, scrolled: number): number {
      const top = scroller === root ? 0 : scroller.getBoundingClientRect().top;
      const drawn = [...scroller.querySelectorAll('*')].filter(
        (element) => element.childElementCount === 0 && of.isShown(element),
      );
      const bottoms = drawn.map((element) => {
        let { bottom } = element.getBoundingClientRect();
        for (let up = element.parentElement; up && up !== scroller; up = up.parentElement) {
          bottom += Number.parseFloat(view.getComputedStyle(up).paddingBlockEnd) || 0;
        }
        return bottom;
      });
      const own = Number.parseFloat(view.getComputedStyle(scroller).paddingBlockEnd) || 0;
      return Math.max(0, ...bottoms) + own - top + scrolled;
    },
    /** What lies over the middle of a control that was scrolled into sight. */
    cover(control: Element): Element | null {
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = control.getClientRects()[0]!;
      const found = page.elementFromPoint(left + width / 2, top + height / 2);
      return found && (control.contains(found) || found.contains(control)) ? null : found;
    },
    /** Whether the scrolled-to middle of a control is inside the window. */
    isInside(control: Element): boolean {
      const { left, top, width, height } = control.getClientRects()[0]!;
      const [x, y] = [left + width / 2, top + height / 2];
      return x >= 0 && x <= view.innerWidth && y >= 0 && y <= view.innerHeight;
    },
  };
  const faults: string[] = [];

  const isRightToLeft = root.dir === 'rtl';
  for (const named of page.querySelectorAll('bdi, .code-line')) {
    if (!of.isShown(named)) continue;
    // Words of the page's language with a name in them, which they isolate: the name would decide their direction.
    if (/[\u2066-\u2069]/.test(named.textContent)) {
      faults.push(`${of.name(named)} has the direction of a name, and is a message`);
    }
    if (view.getComputedStyle(named).display === 'inline') continue;
    const words = page.createRange();
    words.selectNodeContents(named);
    const [line, box] = [words.getClientRects()[0], named.getBoundingClientRect()];
    const gap = !line ? 0 : isRightToLeft ? box.right - line.right : line.left - box.left;
    if (gap > 1) faults.push(`${of.name(named)} begins ${Math.round(gap)} px inside of its line`);
  }

  const sideways = root.scrollWidth - root.clientWidth;
  if (sideways > 0) faults.push(`scrolls sideways by ${sideways} px`);
  const scrollers = [...page.querySelectorAll('*')].filter((element) => {
    if (element === root || element === page.body) return false;
    return /auto|scroll/.test(view.getComputedStyle(element).overflow) && of.isShown(element);
  });
  for (const scroller of scrollers) {
    const isText = scroller.matches('textarea, input, select, pre');
    const isStrip = scroller.closest('nav') !== null;
    const over = scroller.scrollWidth - scroller.clientWidth;
    if (over > 0 && !isText && !isStrip) faults.push(`${of.name(scroller)} scrolls sideways`);
  }
  for (const scroller of [root, ...scrollers.filter((one) => !one.matches('textarea, input'))]) {
    const over = scroller.scrollHeight - scroller.clientHeight;
    if (over <= 0 || scroller.closest('nav') !== null) continue;
    const needed = of.contentHeight(
      scroller,
      scroller === root ? view.scrollY : scroller.scrollTop,
    );
    // Where it ends at the very edge, a part of a pixel decides.
    if (needed + 1 <= scroller.clientHeight) {
      faults.push(
        `${of.name(scroller)} scrolls by ${over} px for ${Math.round(needed)} px of content`,
      );
    }
  }

  const dialog = page.querySelector('dialog[open]');
  const controls = (dialog ?? page).querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  for (const control of [...controls].filter((one) => of.isShown(one))) {
    const cover = of.cover(control);
    if (cover) faults.push(`${of.name(control)} is below ${of.name(cover)}`);
    else if (!of.isInside(control)) faults.push(`${of.name(control)} cannot be scrolled to`);
    const isButton = control.matches('a, button, summary');
    if (isButton && control.scrollWidth > control.clientWidth + 1 && control.clientWidth > 0) {
      faults.push(`the words of ${of.name(control)} are wider than it is`);
    }
  }
  view.scrollTo({ top: 0, behavior: 'instant' });
  for (const scroller of scrollers) scroller.scrollTop = 0;
  return faults;
}

/** Where something is in the window: from its left, its right and its top. */
export type Places = Readonly<Record<string, readonly [left: number, right: number, top: number]>>;

/**
 * Runs in a page: where that is which all tabs of popup and manager share. From the heading, its start alone:
 * its words differ.
 */
export function sharedPlaces(): Places {
  scrollTo({ top: 0, behavior: 'instant' });
  const places: Record<string, [number, number, number]> = {};
  for (const element of document.querySelectorAll('.top > *, nav, nav.tabs > *, #view-title')) {
    const { left, right, top } = element.getBoundingClientRect();
    const isTitle = element.id === 'view-title';
    const isRightToLeft = document.documentElement.dir === 'rtl';
    const name = element.id || (element.getAttribute('class') ?? '') || element.tagName;
    const start = isRightToLeft ? right : left;
    places[name] = isTitle ? [start, start, top] : [left, right, top];
  }
  return places;
}

/** What moved by more than a pixel between two tabs. */
export function shifts(from: Places, to: Places): string[] {
  return Object.entries(from).flatMap(([name, place]) => {
    const now = to[name];
    if (!now) return [`${name} is gone`];
    const by = Math.max(...place.map((value, i) => Math.abs(value - now[i]!)));
    return by > 1 ? [`${name} moves by ${by.toFixed(1)} px`] : [];
  });
}
