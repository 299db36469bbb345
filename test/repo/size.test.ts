import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { repositoryFiles } from './repository.ts';

/* Limits that keep folders readable: few files in a folder, few files that hold next to nothing. */
const MAX_FILES_IN_FOLDER = 16;
const SHORT_FILE_LINES = 25;
// `sealwright/react` is one hook, and React brings no types for it. The worker that reads codes is an entry of its own.
const MAX_SHORT_FILES = 87;

const codeFiles = repositoryFiles(/^(src|extension)\/.*\.tsx?$/);
const testFiles = repositoryFiles(/^test\/.*\.tsx?$/);

function countsByFolder(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of [...codeFiles, ...testFiles]) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return counts;
}

function lineCount(path: string): number {
  return readFileSync(path, 'utf8').trimEnd().split('\n').length;
}

describe('the size of folders and files', () => {
  it(`is at most ${MAX_FILES_IN_FOLDER} code files in a folder`, () => {
    const tooLarge = [...countsByFolder()]
      .filter(([, count]) => count > MAX_FILES_IN_FOLDER)
      .map(([folder, count]) => `${folder} has ${count}`);
    expect(tooLarge).to.deep.equal([]);
  });

  it(`is ${SHORT_FILE_LINES} lines or fewer in at most ${MAX_SHORT_FILES} files`, () => {
    const short = codeFiles.filter((path) => lineCount(path) <= SHORT_FILE_LINES);
    const message = `${short.length} files of ${SHORT_FILE_LINES} lines or fewer:\n${short.join('\n')}\n`;
    expect(short.length, message).to.be.at.most(MAX_SHORT_FILES);
  });
});

const MAX_SUITE_LINES = 299;

/** The functions of a file that register tests, by their first line, with the number of lines between their braces. */
function suiteLines(path: string, text: string): Map<string, number> {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const lineAt = (place: number): number => source.getLineAndCharacterOfPosition(place).line;
  const suites = new Map<string, number>();
  const around: ts.FunctionLikeDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    const isFunction = ts.isFunctionLike(node) && 'body' in node;
    if (isFunction) around.push(node);
    if (ts.isCallExpression(node) && /^(?:it|describe)$/.test(node.expression.getText(source))) {
      for (const { body } of around) {
        if (body === undefined) continue;
        const [first, last] = [lineAt(body.getStart(source)), lineAt(body.end)];
        suites.set(`${path}:${first + 1}`, last - first - 1);
      }
    }
    ts.forEachChild(node, visit);
    if (isFunction) around.pop();
  };
  visit(source);
  return suites;
}

describe('the size of suites of test/', () => {
  it(`is at most ${MAX_SUITE_LINES} lines in the callback of a describe, and in a function with tests`, () => {
    const suites = testFiles.flatMap((path) => [...suiteLines(path, readFileSync(path, 'utf8'))]);
    expect(suites.length).to.be.above(500);
    expect(suites.filter(([, lines]) => lines > MAX_SUITE_LINES)).to.deep.equal([]);
  });

  it('is seen where a describe is in a loop, and where a function has its tests', () => {
    const lines = (count: number): string => '\n'.repeat(count);
    const loop = `for (const a of b) describe(a, () => {${lines(7)}it('', c);\n});`;
    const called = `function suite() {\nit('', a);${lines(4)}}\ndescribe('', suite);`;
    expect([...suiteLines('a', loop).values()]).to.deep.equal([7]);
    expect([...suiteLines('b', called).values()]).to.deep.equal([4]);
  });
});
