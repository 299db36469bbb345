import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import type { Messages } from '../../extension/platform/windows/chosen-words.ts';

const messagesIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Messages;
/** The extension's, and those that only the Lab's page and open.html have. */
const english: Messages = {
  ...messagesIn('_locales/en/messages.json'),
  ...messagesIn('lab/_locales/en/messages.json'),
  ...messagesIn('open-page/_locales/en/messages.json'),
};
const manifest = readFileSync('manifest.json', 'utf8');

const files = ['extension', 'lab', 'open-page'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const sources = files
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, file: parse(path, readFileSync(path, 'utf8')) }));

/** The folders of views, and a table of titles. Elsewhere a string like 'open' does not have to be the key of a message. */
const VIEWS =
  /^(?:lab\/page\/|open-page\/|extension\/(?:(?:ui|views|popup|prompt|manager|fields-window)\/|platform\/windows\/toolbar-button))/;
/** Attributes that are shown or read aloud. */
const SPOKEN = /^(?:aria-(?:label|description|valuetext)|title|placeholder|alt|label)$/;

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

function walk(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => walk(child, look));
}

/** Keys of messages that a file passes to a method as a literal: `t('key')`, `plural('key', …)`. */
function requestedKeys(file: ts.SourceFile): string[] {
  const keys: string[] = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const key = node.arguments[0];
    if (!key || !ts.isStringLiteral(key)) return;
    const method = node.expression.name.text;
    if (method === 't' || method === 'getMessage') keys.push(key.text);
    if (method === 'plural') keys.push(`${key.text}_one`, `${key.text}_other`);
  });
  return keys;
}

/** All string literals of a file, because a key may reach `t` through a table. */
function literals(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
  });
  return found;
}

/** The string literals in an expression that can be (part of) its value. */
function stringsIn(node: ts.Node | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  }
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) {
    return stringsIn(node.expression);
  }
  if (ts.isConditionalExpression(node)) {
    return [node.whenTrue, node.whenFalse].flatMap(stringsIn);
  }
  return ts.isBinaryExpression(node) ? joinedStrings(node) : [];
}

/** The strings of operators such as `a + b` and `a && b`, but not of comparisons. */
function joinedStrings({ left, operatorToken, right }: ts.BinaryExpression): string[] {
  const joins = [
    ts.SyntaxKind.PlusToken,
    ts.SyntaxKind.BarBarToken,
    ts.SyntaxKind.QuestionQuestionToken,
    ts.SyntaxKind.AmpersandAmpersandToken,
  ];
  return joins.includes(operatorToken.kind) ? [left, right].flatMap(stringsIn) : [];
}

/** Texts in the code of a view that are not messages. */
function ownWords(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      found.push(...node.children.flatMap(stringsIn));
    } else if (ts.isJsxAttribute(node) && SPOKEN.test(node.name.getText())) {
      found.push(...stringsIn(node.initializer));
    }
  });
  return found.map((words) => words.trim()).filter((words) => /\p{L}/u.test(words));
}

describe('keys of messages in the code', () => {
  const fromManifest = Array.from(manifest.matchAll(/__MSG_(\w+)__/g), ([, key]) => key!);

  it('exist in the English messages', () => {
    const missing = sources
      .flatMap(({ path, file }) => requestedKeys(file).map((key) => ({ path, key })))
      .concat(fromManifest.map((key) => ({ path: 'manifest.json', key })))
      .filter(({ key }) => !Object.hasOwn(english, key));
    expect(missing).to.deep.equal([]);
  });

  it('include every English message', () => {
    const used = new Set([
      ...fromManifest,
      ...sources.flatMap(({ path, file }) =>
        VIEWS.test(path) ? literals(file) : requestedKeys(file),
      ),
    ]);
    const unused = Object.keys(english).filter(
      (key) => !used.has(key) && !used.has(key.replace(/_(?:one|other)$/, '')),
    );
    expect(unused).to.deep.equal([]);
  });
});

describe('the text of views', () => {
  it('comes from messages only', () => {
    const found = sources.flatMap(({ path, file }) =>
      ownWords(file).map((words) => `${path}: ${words}`),
    );
    // The licence's name is the same in every language.
    expect(found.filter((it) => !it.endsWith(': Apache-2.0'))).to.deep.equal([]);
  });

  it('is not in the HTML pages, apart from the name', () => {
    for (const path of files.filter((it) => it.endsWith('.html'))) {
      const page = readFileSync(path, 'utf8').replace(/<!doctype html>/, '');
      // A page of the site is named for search and tabs; the extension's pages have the name alone.
      const title = path.startsWith('lab/') ? 'Lab · ' : '';
      const name = english.extName!.message;
      expect(page.replace(/<[^>]*>/g, ' ').trim(), path).to.equal(`${title}${name}`);
      expect(page, path).to.not.match(/\s(?:aria-label|title|placeholder|alt)=/);
    }
  });

  it('is searched in all views and pages', () => {
    expect(sources.filter(({ path }) => /\.tsx$/.test(path)).length).to.be.at.least(30);
    expect(files.filter((path) => path.endsWith('.html')).length).to.be.at.least(3);
  });

  const CASES: readonly [view: string, words: string[]][] = [
    ['<p>Hello</p>', ['Hello']],
    ["<p>{'Hello'}</p>", ['Hello']],
    ['<>{busy ? `Wait ${name} now` : null}</>', ['Wait', 'now']],
    ["<p>{name ?? ('none' + '!')}</p>", ['none']],
    ['<img alt="Picture" />', ['Picture']],
    ["<a title={busy && 'Busy'} />", ['Busy']],
    ['<p>{text.t("key")}: {count} …</p>', []],
    ['<p class="lead" id={`row-${id}`}>{kind === "app" ? name : null}</p>', []],
  ];
  for (const [view, words] of CASES) {
    it(`is found as ${words.join(', ') || 'nothing'} in ${view}`, () => {
      expect(ownWords(parse('view.tsx', `const view = ${view};`))).to.deep.equal(words);
    });
  }
});
