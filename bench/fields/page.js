// A thread of 200 posts: 25 elements each, one sealed text of 400 characters, every fourth cut by elements.
const { document, PerformanceObserver } = globalThis;
const main = document.querySelector('main');
const shifts = [];
globalThis.shifts = shifts;
globalThis.nodes = () => document.querySelectorAll('*').length;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
for (let post = 0; post < 200; post++) {
  const article = document.createElement('article');
  let sealed = 'sw1.';
  for (let i = 0; i < 400; i++) sealed += letters[(post * 31 + i * 17 + ((i * i) >> 3)) % 64];
  for (let i = 0; i < 20; i++) {
    const span = document.createElement('span');
    span.textContent = `Words ${i} of the post number ${post}, as people write them. `;
    article.append(span);
  }
  const text = document.createElement('p');
  if (post % 4 === 0) {
    text.append(sealed.slice(0, 76), document.createElement('br'), sealed.slice(76, 152));
    const rest = document.createElement('b');
    rest.textContent = sealed.slice(152);
    text.append(rest);
  } else text.append(sealed, document.createElement('br'), document.createElement('i'));
  article.append(text);
  main.append(article);
}
if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
  const note = (list) => shifts.push(...list.getEntries().map(({ value }) => value));
  new PerformanceObserver(note).observe({ type: 'layout-shift' });
}
