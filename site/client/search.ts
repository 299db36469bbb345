/* The page of search: looks through the sections of all pages, which the build has written to search.json. */
import type { Audience } from '../pages.ts';
import { excerptOf, searchOver, type Found, type Hit } from './search-index.ts';

const MAX_RESULTS = 30;

/** As results say it. */
const AUDIENCES: Readonly<Record<Audience, string>> = {
  people: 'for users',
  developers: 'for developers',
  auditors: 'for auditors',
  project: 'about the project',
};

const field = document.querySelector<HTMLInputElement>('.site-search input')!;
const list = document.querySelector<HTMLOListElement>('#search-results')!;
const status = document.querySelector<HTMLElement>('#search-status')!;

async function loadSections(): Promise<readonly Found[]> {
  const answer = await fetch(new URL('search.json', import.meta.url));
  return (await answer.json()) as Found[];
}

function item({ section, terms }: Hit): HTMLLIElement {
  const { href, page, heading, text, audience } = section;
  const link = document.createElement('a');
  link.href = href;
  link.append(heading);
  const where = document.createElement('span');
  where.className = 'muted';
  where.append(` ${heading === page ? '' : `${page}, `}${AUDIENCES[audience]}`);
  const [before, word, after] = excerptOf(text, terms);
  const mark = document.createElement('mark');
  mark.append(word);
  const words = document.createElement('p');
  words.append(before, ...(word === '' ? [] : [mark]), after);
  const found = document.createElement('li');
  found.append(link, where, words);
  return found;
}

const find = searchOver(await loadSections());

function show(): void {
  const words = field.value.trim();
  const results = find(words);
  list.replaceChildren(...results.slice(0, MAX_RESULTS).map(item));
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
