/* How the search of the site ranks what it finds, and what it shows of it. */
import MiniSearch from 'minisearch';
import type { Audience } from '../pages.ts';

/** A section of a page, which search finds. */
export interface Found {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  readonly audience: Audience;
}

/** A section that was found, with the words of it that were looked for, in lower case. */
export interface Hit {
  readonly section: Found;
  readonly terms: readonly string[];
}

/** A name of a program's: who looks for one is no reader of guides. */
const NAME = /\w[_.]\w|[a-z][A-Z]/;

/** Most of those who search do not write programs. */
const WEIGHTS: Readonly<Record<Audience, number>> = {
  people: 6,
  developers: 1.5,
  auditors: 1.25,
  project: 0.5,
};

/** Words that a question has and an answer need not have. */
const FILLERS = new Set(
  'a an and can do does how i in is it my of on or the this to what with'.split(' '),
);

/** Characters of an excerpt on each side of the word that was found. */
const AROUND = 80;

/** @returns what finds the sections that have all of the words, else those that have some, the best first */
export function searchOver(sections: readonly Found[]): (words: string) => readonly Hit[] {
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return (words) => {
    const asked = words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const telling = asked.filter((word) => !FILLERS.has(word));
    const query = (telling.length > 0 ? telling : asked).join(' ');
    if (query === '') return [];
    const boostDocument = (id: unknown) =>
      NAME.test(words) ? 1 : WEIGHTS[sections[id as number]!.audience];
    const all = index.search(query, { combineWith: 'AND', boostDocument });
    const results =
      all.length > 0 ? all : index.search(query, { combineWith: 'OR', boostDocument });
    return results.map(({ id, terms }) => ({ section: sections[id as number]!, terms }));
  };
}

/** The text around the first of the words, in whole words: what stands before it, itself, and what stands after it. */
export function excerptOf(
  text: string,
  terms: readonly string[],
): readonly [before: string, word: string, after: string] {
  const line = text.replace(/\s+/g, ' ').trim();
  const lower = line.toLowerCase();
  const found = terms
    .map((term) => ({ length: term.length, at: lower.indexOf(term) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const { at, length } = found[0] ?? { at: 0, length: 0 };
  const from = at <= AROUND ? 0 : wordStart(line, at - AROUND, at);
  const to = wordEnd(line, at + length + AROUND, at + length);
  const before = `${from > 0 ? '… ' : ''}${line.slice(from, at)}`;
  const after = `${line.slice(at + length, to)}${to < line.length ? ' …' : ''}`;
  return [before, line.slice(at, at + length), after];
}

/** Where the first word after `from` begins; where there is none before `at`, the word that holds `at`. */
function wordStart(line: string, from: number, at: number): number {
  const space = line.indexOf(' ', from);
  return (space >= 0 && space < at ? space : line.lastIndexOf(' ', at)) + 1;
}

/** Where the last word before `to` ends; where there is none after `at`, the word that holds `at`. */
function wordEnd(line: string, to: number, at: number): number {
  if (to >= line.length) return line.length;
  const space = line.lastIndexOf(' ', to);
  if (space >= at) return space;
  const next = line.indexOf(' ', at);
  return next < 0 ? line.length : next;
}
