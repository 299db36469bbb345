/* The script of every page. Without it, only the key "/" is missing. */

const search = document.querySelector<HTMLInputElement>('.site-search input')!;

addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
});

/** What scrolls sideways can be reached by keys; what does not, is no stop for them. */
const watch = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    target.toggleAttribute('data-scrolls', target.scrollWidth > target.clientWidth);
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});
for (const scroller of document.querySelectorAll('.scroll')) watch.observe(scroller);
