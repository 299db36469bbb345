// A thread of 200 posts: 25 elements each, one sealed text of 400 characters, every fourth cut by elements.
const { document: page, PerformanceObserver } = globalThis;
const main = page.querySelector('main');
const shifts = [];
globalThis.shifts = shifts;
globalThis.nodes = () => page.querySelectorAll('*').length;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
for (let post = 0; post < 200; post++) {
  const article = page.createElement('article');
  let sealed = 'sw1.';
  for (let i = 0; i < 400; i++) sealed += letters[(post * 31 + i * 17 + ((i * i) >> 3)) % 64];
  for (let i = 0; i < 20; i++) {
    const span = page.createElement('span');
    span.textContent = `Words ${i} of the post number ${post}, as people write them. `;
    article.append(span);
  }
  const text = page.createElement('p');
  if (post % 4 === 0) {
    text.append(sealed.slice(0, 76), page.createElement('br'), sealed.slice(76, 152));
    const rest = page.createElement('b');
    rest.textContent = sealed.slice(152);
    text.append(rest);
  } else text.append(sealed, page.createElement('br'), page.createElement('i'));
  article.append(text);
  main.append(article);
}
if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
  const note = (list) => shifts.push(...list.getEntries().map(({ value }) => value));
  new PerformanceObserver(note).observe({ type: 'layout-shift' });
}
