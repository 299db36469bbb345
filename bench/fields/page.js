// A thread of 200 posts: 25 elements each, one text as long as a sealed one, every fourth cut by elements.
const { document: page, PerformanceObserver } = globalThis;
const main = page.querySelector('main');
const shifts = [];
globalThis.shifts = shifts;
globalThis.nodes = () => page.querySelectorAll('*').length;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
// Header of a padded text of a field, and the length of one of 200 characters.
const [header, length] = ['9VNXTQEBBAI', 406];
for (let post = 0; post < 200; post++) {
  const article = page.createElement('article');
  let sealed = `sw1.${header}`;
  for (let i = header.length; i < length - 1; i++)
    sealed += letters[(post * 31 + i * 17 + ((i * i) >> 3)) % 64];
  sealed += 'A'; // no unused bits
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
