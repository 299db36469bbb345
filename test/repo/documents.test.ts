import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { repositoryFiles } from './repository.ts';

/*
 * Links and paths in Markdown documents. A path is any text that begins with a folder of the repository. A file name in
 * backticks (`page-api.ts`) must be the end of some file's path. The build's and downloads' folders are not looked at.
 */
const FOLDERS = 'src|extension|lab|test|docs|bench|scripts|site|examples|_locales';
const PATH = new RegExp(`(?<![\\w./-])(?:${FOLDERS})/[\\w./*{},-]*[\\w*}/]`, 'g');
const LINK = /\]\((?!https?:|mailto:)([^)#\s]+)(?:#[\w-]+)?\)/g;
const FILE_NAME = /`((?:[\w{},-]+\/)*[\w.{},-]+\.(?:tsx?|mjs|py))`/g;

/** Names that documents give as an example of a file that does not exist yet. */
const EXAMPLES = /\bNAME\b|…/;

const files = repositoryFiles(/./);
const documents = files
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** `a/{b,c}.ts` names `a/b.ts` and `a/c.ts`. */
function expandBraces(path: string): string[] {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path);
  if (!found) return [path];
  const [, before, choices, after] = found;
  return choices!.split(',').flatMap((choice) => expandBraces(`${before}${choice}${after}`));
}

function matchesPattern(path: string): boolean {
  const source = path
    .replace(/[.+]/g, '\\$&')
    .replace(/\*\*\//g, '§')
    .replace(/\*/g, '[^/]*')
    .replace(/§/g, '(?:.*/)?');
  const pattern = new RegExp(`^${source}`);
  return files.some((file) => pattern.test(file));
}

function isThere(path: string): boolean {
  return expandBraces(path).every((one) =>
    one.includes('*') ? matchesPattern(one) : existsSync(one) || matchesPattern(`${one}.*`),
  );
}

function missing(pattern: RegExp, exists: (name: string, document: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(pattern), ([whole, name]) => name ?? whole)
      .filter((name) => !EXAMPLES.test(name) && !exists(name, path))
      .map((name) => `${path}: ${name}`),
  );
}

describe('the Markdown documents', () => {
  it('link to files that exist', () => {
    const wrong = missing(LINK, (target, document) => existsSync(join(dirname(document), target)));
    expect(wrong).to.deep.equal([]);
  });

  it('name paths that exist', () => {
    expect(missing(PATH, isThere)).to.deep.equal([]);
  });

  it('name files that exist somewhere', () => {
    const wrong = missing(FILE_NAME, (name) =>
      expandBraces(name).every((one) => files.some((file) => `/${file}`.endsWith(`/${one}`))),
    );
    expect(wrong).to.deep.equal([]);
  });
});
