import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { repositoryFiles } from '../repository.ts';

/*
 * docs/architecture.md, "Owners": each place that makes something which outlives the call, and who removes it.
 */

/** Methods whose call makes a file, a database, an object URL or a document, or turns a camera on. */
const METHODS = new Set([
  ...['createObjectURL', 'getDirectory', 'createWritable', 'createSyncAccessHandle'],
  ...['createDocument', 'mkdtemp', 'mkdtempSync', 'createWriteStream'],
  ...['showSaveFilePicker', 'writeFile', 'writeFileSync', 'getUserMedia'],
]);
/** What `open` makes something of: `caches.open`, `factory.open`; and `open` of Node. */
const OPENED = /(?:^|[.#])(?:caches|factory|indexedDB)$/;
const CLASSES = /^(?:\w+\.)?(?:Shared)?Worker$|^BroadcastChannel$/;

/** One of them is in every file that has such a call. */
const WORDS = new RegExp(`\\b(?:${[...METHODS].join('|')}|open|\\w*Worker|BroadcastChannel)\\(`);

/** The calls in a file that make what has to have an owner. */
function makersIn(path: string, text = readFileSync(path, 'utf8')): string[] {
  if (!WORDS.test(text)) return []; // quicker than to parse it
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isNodeFile = /import \{[^}]*\bopen\b[^}]*\} from 'node:fs\/promises'/.test(text);
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && CLASSES.test(node.expression.getText())) {
      found.push(`new ${node.expression.getText()}`);
    }
    if (ts.isCallExpression(node)) {
      const name = madeBy(node.expression, isNodeFile);
      if (name !== undefined) found.push(name);
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

function madeBy(callee: ts.Expression, isNodeFile: boolean): string | undefined {
  if (ts.isIdentifier(callee)) {
    const isOpen = isNodeFile && callee.text === 'open';
    return isOpen || METHODS.has(callee.text) ? callee.text : undefined;
  }
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const { name, expression } = callee;
  if (METHODS.has(name.text)) return name.text;
  return name.text === 'open' && OPENED.test(expression.getText()) ? callee.getText() : undefined;
}

/** The paths in the first column of the table. */
function listed(): string[] {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const section = /^## Owners$(.*?)^## /ms.exec(text)![1]!;
  return [...section.matchAll(/^\| `([^`]+)` \|[^|]+\|([^|]+)\|$/gm)].map(([, path]) => path!);
}

describe('what outlives the call that made it', () => {
  it('is found by its call', () => {
    const calls = `
      URL.createObjectURL(blob); deps.caches.open('x'); this.#factory.open('x', 1); new Worker('x');
      new node.Worker('x'); indexedDB.open('x'); navigator.storage.getDirectory(); file.createWritable();
      devices().getUserMedia(wanted);
    `;
    expect(makersIn('x.ts', calls)).to.have.length(9);
    expect(makersIn('x.ts', '// new Worker()\nprompts.open(1); open(2); new WorkerHost();')).to.be
      .empty;
    const ofNode = "import { open, rm } from 'node:fs/promises'; await open(path, 'wx');";
    expect(makersIn('x.ts', ofNode)).to.deep.equal(['open']);
  });

  it('has an owner in the table, and the table has nothing else', () => {
    const sources = repositoryFiles(/^(?:src|extension|open-page)\/.*\.tsx?$/);
    const made = new Map(sources.map((path) => [path, makersIn(path)] as const));
    const makers = [...made].filter(([, calls]) => calls.length > 0).map(([path]) => path);
    expect(listed().sort()).to.deep.equal(makers.sort());
  });
});
