/* The page of search: looks through the sections of all pages, which the build has written to search.json. */
import MiniSearch from 'minisearch';

interface Found {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const MAX_RESULTS = 30;
/** Characters of the excerpt, on each side of the word that was found. */
const AROUND = 80;

const field = document.querySelector<HTMLInputElement>('.site-search input')!;
const list = document.querySelector<HTMLOListElement>('#search-results')!;
const status = document.querySelector<HTMLElement>('#search-status')!;

async function loadIndex(): Promise<{ index: MiniSearch; sections: readonly Found[] }> {
  const answer = await fetch(new URL('search.json', import.meta.url));
  const sections = (await answer.json()) as Found[];
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return { index, sections };
}

/** The text around the first word that was found, with that word marked. */
function excerpt(text: string, terms: readonly string[]): Node[] {
  const lower = text.toLowerCase();
  const places = terms.map((term) => ({ term, at: lower.indexOf(term) }));
  const first = places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0];
  if (!first) return [new Text(text.slice(0, 2 * AROUND))];
  const { term, at } = first;
  const begin = Math.max(0, at - AROUND);
  const mark = document.createElement('mark');
  mark.append(text.slice(at, at + term.length));
  const before = `${begin > 0 ? '… ' : ''}${text.slice(begin, at)}`;
  const after = text.slice(at + term.length, at + term.length + AROUND);
  return [new Text(before), mark, new Text(`${after} …`)];
}

function item({ href, page, heading, text }: Found, terms: readonly string[]): HTMLLIElement {
  const link = document.createElement('a');
  link.href = href;
  link.append(heading);
  const where = document.createElement('span');
  where.className = 'muted';
  where.append(heading === page ? '' : ` ${page}`);
  const words = document.createElement('p');
  words.append(...excerpt(text, terms));
  const found = document.createElement('li');
  found.append(link, where, words);
  return found;
}

const { index, sections } = await loadIndex();

function show(): void {
  const words = field.value.trim();
  const results = words === '' ? [] : index.search(words);
  const shown = results.slice(0, MAX_RESULTS);
  list.replaceChildren(...shown.map(({ id, terms }) => item(sections[id as number]!, terms)));
  if (words === '') status.textContent = 'Type words into the field above.';
  else if (results.length === 0) status.textContent = `Nothing found for “${words}”.`;
  else if (results.length === 1) status.textContent = 'One place.';
  else {
    const first = results.length > MAX_RESULTS ? `, the first ${MAX_RESULTS} of them here` : '';
    status.textContent = `${results.length} places${first}.`;
  }
}

field.value = new URLSearchParams(location.search).get('q') ?? '';
field.addEventListener('input', show);
show();
