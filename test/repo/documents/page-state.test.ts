import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { repositoryFiles } from '../repository.ts';

/*
 * extension/fields/README.md, "State in pages": all that scripts of the extension keep in a page between two events,
 * and what becomes of the user's text when it is lost. Losses of such state without a test were the ways by which text
 * left marked fields unsealed.
 */

const FOLDERS = ['extension/fields/', 'extension/content/'];
const ENTRIES = ['content', 'fields', 'guard', 'marks', 'movements'];
const README = 'extension/fields/README.md';

const COLLECTION = /^(?:Safe)?(?:Weak)?(?:Map|Set)$/;
/** A collection that something is put into later. One that is made with its values is a list of constants. */
const isEmptyCollection = (node: ts.Node | undefined): boolean =>
  node !== undefined &&
  ((ts.isArrayLiteralExpression(node) && node.elements.length === 0) ||
    (ts.isNewExpression(node) &&
      COLLECTION.test(node.expression.getText()) &&
      (node.arguments?.length ?? 0) === 0));
const isCollectionType = (type: ts.TypeNode | undefined): boolean =>
  type !== undefined && ts.isTypeReferenceNode(type) && COLLECTION.test(type.typeName.getText());

const isReadonly = (node: ts.HasModifiers): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;

/** What a page keeps for a script: in attributes, and in storage that outlives the document. */
const ATTRIBUTES = /\.(?:setAttribute|setAttributeNS|toggleAttribute)$/;
const STORAGE = /^(?:localStorage|sessionStorage|indexedDB|caches|history|cookieStore)$/;

/** The function around a node, or the file. */
function scopeOf(node: ts.Node): ts.Node {
  const { parent } = node;
  return ts.isFunctionLike(parent) || ts.isSourceFile(parent) ? parent : scopeOf(parent);
}

/** Whether a variable of a function is used in another one, which may run later. */
function isCaptured(declared: ts.VariableDeclaration): boolean {
  const scope = scopeOf(declared);
  const name = declared.name.getText();
  let isFound = false;
  const walk = (node: ts.Node): void => {
    const isShadowed =
      ts.isFunctionLike(node) && node.parameters.some((one) => one.name.getText() === name);
    if (isShadowed) return;
    const isUse = ts.isIdentifier(node) && node.text === name && node !== declared.name;
    if (isUse && scopeOf(node) !== scope) isFound = true;
    ts.forEachChild(node, walk);
  };
  walk(scope);
  return isFound;
}

/** An assignment to `world[KEY]`: what a later injection of the script finds. */
function isGlobalKey(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node) || !ts.isElementAccessExpression(node.left)) return false;
  const isAssigned = node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssigned && /^[A-Z_]+$/.test(node.left.argumentExpression.getText());
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isPropertyDeclaration(node)) {
    const isState = !isReadonly(node) || isEmptyCollection(node.initializer);
    return isState ? node.name.getText() : undefined;
  }
  if (ts.isPropertySignature(node) && ts.isInterfaceDeclaration(node.parent)) {
    const isState = !isReadonly(node) || isCollectionType(node.type);
    return isState ? `${node.parent.name.text}.${node.name.getText()}` : undefined;
  }
  if (ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(node.parent)) {
    const isLet = (node.parent.flags & ts.NodeFlags.Let) !== 0;
    const isState = isLet || isEmptyCollection(node.initializer);
    const isKept = ts.isSourceFile(scopeOf(node)) || isCaptured(node);
    return isState && isKept ? node.name.getText() : undefined;
  }
  if (isGlobalKey(node)) return node.left.getText().replace(/^[^[]+/, '');
  if (ts.isCallExpression(node) && ATTRIBUTES.test(node.expression.getText())) return 'attributes';
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  if (node.name.text === 'dataset') return 'attributes';
  return STORAGE.test(node.expression.getText()) ? node.expression.getText() : undefined;
}

/** The names of what a file keeps. */
function statesIn(path: string, text = readFileSync(path, 'utf8')): string[] {
  const names = new Set<string>();
  const walk = (node: ts.Node): void => {
    const name = nameOf(node);
    if (name !== undefined) names.add(name);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return [...names].sort();
}

/** The table's rows: file, names, what of the user's text they hold, when it is lost and why it may be. */
function rows(): (readonly string[])[] {
  const section = /^## State in pages$(.*?)(?:^## |$(?![\s\S]))/ms.exec(
    readFileSync(README, 'utf8'),
  )![1]!;
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const codesIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

describe('What scripts of the extension keep in a page', () => {
  it('is found in members, interfaces, modules, closures, attributes and storage', () => {
    const text = `
      const LIST = new Set(['a']);
      const seen = new WeakMap();
      let count = 0;
      interface Entry { readonly text: string; index: number; readonly all: Map<string, string> }
      class A {
        readonly #deps = 1;
        readonly #fields = new Map();
        #text = '';
        work() { let i = 0; i++; return i; }
      }
      function watch() {
        let last = '';
        const early = [];
        const fixed = [1];
        element.addEventListener('input', () => { last = fixed[0]; early.push(last); });
        let at = 0;
        list.map((at) => at);
      }
      element.dataset.a = 'b'; element.setAttribute('a', 'b'); sessionStorage.setItem('a', 'b');
      world[KEY] = watch(); list[i] = 1;
    `;
    expect(statesIn('x.ts', text)).to.deep.equal(
      [
        ...['seen', 'count', 'Entry.index', 'Entry.all', '#fields', '#text', 'last', 'early'],
        ...['attributes', 'sessionStorage', '[KEY]'],
      ].sort(),
    );
  });

  it('is in the table, with why it may be lost, and the table has nothing else', () => {
    const sources = repositoryFiles(/^extension\/.*\.ts$/).filter(
      (path) =>
        FOLDERS.some((folder) => path.startsWith(folder)) ||
        ENTRIES.some((name) => path === `extension/entries/${name}.ts`),
    );
    const kept = sources
      .map((path) => [path, statesIn(path)] as const)
      .filter(([, names]) => names.length > 0)
      .map(([path, names]) => `${path}: ${names.join(' ')}`);
    const listed = rows().map(([path, names]) => {
      return `extension/${codesIn(path!)[0]}: ${codesIn(names!).sort().join(' ')}`;
    });
    expect(listed.sort()).to.deep.equal(kept.sort());
    for (const [path, , holds, lost] of rows()) {
      expect(holds, path).to.not.equal('');
      expect(lost, path).to.not.equal('');
    }
  });
});
