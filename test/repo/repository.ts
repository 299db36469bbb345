import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import ts from 'typescript';

/** Paths of the repository's files (tracked, and new ones that git does not ignore) that exist and match the pattern. */
export function repositoryFiles(pattern: RegExp): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  return list.split('\n').filter((path) => pattern.test(path) && existsSync(path));
}

/** The lower-case words of a name: of `openKeptLine`, `OPEN_KEPT_LINE` and `open-kept-line` alike. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** Names that a file declares: of types, functions, variables, parameters, properties and imports. */
export function declaredNames(path: string, text: string): string[] {
  const names = new Set<string>();
  const walk = (node: ts.Node): void => {
    const name = isDeclaration(node) ? node.name : undefined;
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) names.add(name.text);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return [...names];
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isImportClause(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node)
  );
}
