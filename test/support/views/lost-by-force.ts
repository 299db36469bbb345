/**
 * Runs in a page whose colours the user forces, and who wants no motion: what is current and looks
 * like its neighbours, and what moves all the same. Empty: nothing is lost.
 */
export function lostByForce(): string[] {
  const of = {
    // A method: functions that have a name get a helper from tsx that the page lacks.
    look(element: Element): string {
      const style = getComputedStyle(element);
      const { backgroundColor, borderTopColor, outlineStyle, textDecorationLine } = style;
      const page = getComputedStyle(document.body).backgroundColor;
      const background = /, 0\)$/.test(backgroundColor) ? page : backgroundColor;
      return [background, borderTopColor, outlineStyle, textDecorationLine].join();
    },
  };
  const lost = [...document.querySelectorAll('nav [aria-current]')].filter((element) => {
    const neighbours = ':is(a, button):not([aria-current])';
    const other = element.closest('nav')!.querySelector(neighbours);
    return other !== null && of.look(other) === of.look(element);
  });
  // A spinner turns on, slowly: it says that something is under way.
  const moving = document.getAnimations().filter((each) => {
    const duration = Number(each.effect!.getComputedTiming().duration);
    return duration > 0 && duration < 4_000;
  });
  return [
    ...lost.map((element) => `does not show as current: ${element.outerHTML.slice(0, 80)}`),
    ...moving.map((each) => `moves: ${String((each.effect as KeyframeEffect).target?.className)}`),
  ];
}
