/**
 * Takes the focus to the view's heading. For actions that remove the very button that started
 * them: the focus would fall out of the page, and a keyboard user would begin at its top.
 */
export function focusTitle(): void {
  document.getElementById('view-title')?.focus({ preventScroll: true });
}
