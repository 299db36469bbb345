import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { declaredNames, repositoryFiles, wordsOf } from '../repository.ts';

/*
 * Names use the words of docs/glossary.md. These words once stood for something that has a common term, and are not to come
 * back, alone or as a part of a name: in declared identifiers, file names, npm commands and Markdown headings. A phrase counts
 * where its words follow each other, as in `keptLine` and `kept-line.ts`.
 */
const REPLACED: Readonly<Record<string, string>> = {
  flight: 'in-flight call',
  flights: 'in-flight calls',
  companion: 'piggybacked write',
  companions: 'piggybacked writes',
  wish: 'request',
  wishes: 'requests',
  visit: 'field session',
  visits: 'field sessions',
  'drawn ahead': 'buffered random',
  releases: 'message key quota',
  breathe: 'yield',
  shelf: 'shard',
  shelves: 'shards',
  'under grant': 'authorize',
  noted: 'annotations',
  survey: 'lost vault',
  'proven damage': 'lost vault',
  'set aside': 'lost vault',
  tombstone: 'vault marker',
  'kept line': 'reconnecting channel',
  'waiting line': 'deferred channel',
  'open lines': 'connected channels',
  'lane methods': 'content methods',
  'page lane': 'page connection',
  'content lane': 'content connection',
  'bundled channel': 'batching channel',
  'pieced channel': 'chunking channel',
  'packed channel': 'byte list',
  gate: 'unlock, admission',
  lent: 'temporary permission',
  loan: 'temporary permission',
  took: 'verify insert, duration',
  'held acts': 'resume actions',
  door: 'checked, API',
  doors: 'APIs',
  face: 'API, view',
  faces: 'APIs, views',
  floor: 'layer, minimum',
  floors: 'layers, minimums',
  house: 'Sealwright',
  storm: 'stress test',
  storms: 'stress tests',
};

interface NameRule {
  /** Words that follow each other in the name. */
  readonly phrase: string;
  /** Whether only a name of these words and no others is meant. */
  readonly isWholeName?: true;
  /** Files in which the exception holds; default: all. */
  readonly files?: RegExp;
  readonly reason: string;
}

/** Names that may have such a word. */
const EXCEPTIONS: readonly NameRule[] = [
  {
    phrase: 'in flight',
    reason: 'the common term for a call that has begun and has no answer yet',
  },
  { phrase: 'floor log', reason: 'the mathematical function floor' },
  { phrase: 'floor', isWholeName: true, reason: 'the mathematical function floor' },
  {
    phrase: 'visit',
    isWholeName: true,
    files: /^(test\/repo|src\/rpc\/transport)\//,
    reason: 'the usual name of a function that walks a tree',
  },
  {
    phrase: 'wish',
    isWholeName: true,
    files: /^src\/service\/consent\//,
    reason: 'a property of stored prompts',
  },
  {
    phrase: 'gate',
    isWholeName: true,
    files: /^test\/engine\/wasm\/generator\/aes\//,
    reason: 'a logic gate of a circuit',
  },
  { phrase: 'door open', reason: 'an icon of lucide' },
  { phrase: 'took ms', reason: 'a field in results of ui methods' },
  { phrase: 'set aside', reason: "stored names of a lost vault's remains begin with it" },
];

/** Replaced words that count only as a whole name: `releases`, not `releasesLock`. */
const WHOLE_NAMES: ReadonlySet<string> = new Set(['releases']);

/** ` a b c ` has ` b c `: words are compared as text between blanks. */
const spaced = (words: readonly string[]): string => ` ${words.join(' ')} `;

function replacedWord(name: string, path = ''): string | undefined {
  let words = spaced(wordsOf(name));
  for (const { phrase, isWholeName, files } of EXCEPTIONS) {
    if (files && !files.test(path)) continue;
    if (!isWholeName || words === ` ${phrase} `) words = words.replaceAll(` ${phrase} `, ' ');
  }
  return Object.keys(REPLACED).find((word) =>
    WHOLE_NAMES.has(word) ? words === ` ${word} ` : words.includes(` ${word} `),
  );
}

function complaints(where: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const word = replacedWord(name, where);
    return word === undefined ? [] : [`${where}: ${name} (${word}: ${REPLACED[word]!})`];
  });
}

const CODE = /^(src|extension|test|bench|scripts|site)\/.*\.(tsx?|m?js)$/;

/** Words of ours that someone who begins meets before the first sealed text. */
const MAX_FIRST_WORDS = 8;

describe('docs/client.md', () => {
  it(`has at most ${MAX_FIRST_WORDS} terms of the glossary before the first sealed text, and says what they mean`, () => {
    const terms = Array.from(
      readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([^|]+) \|/gm),
      ([, term]) => term!,
    )
      .flatMap((cell) => cell.split(', '))
      .filter((term) => term !== 'term' && !term.startsWith('-'));
    expect(terms).to.include.members(['capability', 'seal', 'grant', 'vault']);
    const [first] = readFileSync('docs/client.md', 'utf8').split('## What is in the package');
    expect(first).to.include('sealText');
    // `capabilities` is the plural.
    const isIn = (term: string) =>
      new RegExp(`\\b${term.replace(/y$/, '(y|ies)')}(s|ed)?\\b`, 'i').test(first!);
    const met = terms.filter(isIn);
    expect(met, met.join(', ')).to.have.length.at.most(MAX_FIRST_WORDS);
    for (const term of ['connect', 'purpose', 'capabilities', 'seal', 'open', 'context']) {
      expect(first).to.match(new RegExp(`\\*\\*${term}\\*\\*: `, 'i'));
    }
  });
});

describe('names', () => {
  it('that the code declares have no replaced words', () => {
    const wrong = repositoryFiles(CODE).flatMap((path) =>
      complaints(path, declaredNames(path, readFileSync(path, 'utf8'))),
    );
    expect(wrong.length, `\n${wrong.join('\n')}\n`).to.equal(0);
  });

  it('of files and folders have no replaced words', () => {
    const paths = repositoryFiles(/^(src|extension|test|bench|scripts|site|docs|examples)\//);
    const names = new Set(paths.flatMap((path) => path.split('/')));
    const wrong = complaints('file', [...names]);
    expect(wrong.length, `\n${wrong.join('\n')}\n`).to.equal(0);
  });

  it('of npm commands have no replaced words', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Record<string, string>;
    };
    expect(complaints('package.json', Object.keys(scripts))).to.deep.equal([]);
  });

  it('that head sections of documents have no replaced words', () => {
    const wrong = repositoryFiles(/\.md$/).flatMap((path) =>
      complaints(path, readFileSync(path, 'utf8').match(/^#+ .*$/gm) ?? []),
    );
    expect(wrong.length, `\n${wrong.join('\n')}\n`).to.equal(0);
  });

  it('with these words in them are found, and the exceptions are not', () => {
    for (const name of ['openKeptLine', 'KEPT_LINE', 'kept-line.ts', 'floorOf', '#visit']) {
      expect(replacedWord(name), name).to.not.equal(undefined);
    }
    for (const name of ['inFlightCalls', 'floor', 'floorLog2', 'DoorOpen', 'releasesLock']) {
      expect(replacedWord(name), name).to.equal(undefined);
    }
  });
});
