import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { repositoryFiles } from '../repository.ts';

/*
 * Links and paths in Markdown documents, and in comments of code. A path is any text that begins with a folder of the repository. A file name in
 * backticks (`page-api.ts`) must be the end of some file's path. The build's and downloads' folders are not looked at.
 */
const FOLDERS = 'src|extension|lab|test|docs|bench|scripts|site|examples|_locales';
const PATH = new RegExp(`(?<![\\w./-])(?:${FOLDERS})/[\\w./*{},-]*[\\w*}/]`, 'g');
const LINK = /\]\((?!https?:|mailto:)([^)#\s]+)(?:#[\w-]+)?\)/g;
const FILE_NAME = /`((?:[\w{},-]+\/)*[\w.{},-]+\.(?:tsx?|mjs|py))`/g;

/** In a comment: a file by its name, or by the end of its path. */
const COMMENTED = /(?<![\w./:*<-])((?:[\w-]+\/)*[\w-][\w.-]*\.(?:md|tsx?|mjs|py))\b(?![\w/*-])/g;

/** What comments name as an example, or what a command makes. */
const NOT_STORED = new Set([
  ...['x.ts', 'x.firefox.ts', 'a/b.ts', 'a/c.ts', 'test/a.test.ts', 'kept-line.ts'],
  ...['child.mjs', 'artifacts/nightly.md', 'src/library/format.md'],
]);

/** Names that documents give as an example of a file that does not exist yet. */
const EXAMPLES = /\bNAME\b|…/;

const files = repositoryFiles(/./);
const documents = files
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const sources = files.filter((path) => /\.(?:tsx?|mjs|js)$/.test(path));

/** The text of all comments of a file. */
function commentsOf(path: string): string {
  const text = readFileSync(path, 'utf8');
  const comments: string[] = [];
  const seen = new Set<number>();
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const collect = (ranges: readonly ts.CommentRange[] = []): void => {
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      comments.push(text.slice(pos, end));
    }
  };
  const walk = (node: ts.Node): void => {
    collect(ts.getLeadingCommentRanges(text, node.getFullStart()));
    collect(ts.getTrailingCommentRanges(text, node.getEnd()));
    node.getChildren(source).forEach(walk);
  };
  walk(source);
  return comments.join('\n');
}

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

describe('the comments of code', () => {
  const comments = sources.map((path) => ({ path, text: commentsOf(path) }));
  const paths = files.map((path) => `/${path}`);

  it('name files that exist, and none beside the repository', () => {
    const wrong = comments.flatMap(({ path, text }) =>
      [
        ...Array.from(text.matchAll(COMMENTED), ([, name]) => name!).filter(
          (name) => !NOT_STORED.has(name) && !paths.some((one) => one.endsWith(`/${name}`)),
        ),
        ...(text.match(/\.\.\/shared\b|\bshared\/(?:design|contract|vectors|classical)\b/g) ?? []),
      ].map((name) => `${path}: ${name}`),
    );
    expect(wrong).to.deep.equal([]);
  });
});
