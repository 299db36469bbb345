import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import ts from 'typescript';

export interface SourceFile {
  /** Path from the top of the project, such as src/crypto/bytes.ts. */
  readonly path: string;
  readonly text: string;
  /** Files of ours that it imports, types included. */
  readonly imports: readonly string[];
  /** The same without imports that only name types. */
  readonly runtimeImports: readonly string[];
  /** Packages that it imports, as written, types included. */
  readonly packages: readonly string[];
  readonly runtimePackages: readonly string[];
}

/** Every TypeScript file below the folders, with what it imports. */
export function readSources(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readSource(join(folder, name))),
  );
}

/** By path: several tests of a run read the same sources. */
const known = new Map<string, SourceFile>();

/** One file, with what it imports. */
export function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const before = known.get(path);
  if (before?.text === text) return before;
  const source = parsed(path, text);
  known.set(path, source);
  return source;
}

function parsed(path: string, text: string): SourceFile {
  const imports: string[] = [];
  const runtimeImports: string[] = [];
  const packages: string[] = [];
  const runtimePackages: string[] = [];
  for (const { specifier, typeOnly } of importsOf(path, text)) {
    if (!specifier.startsWith('.')) {
      packages.push(specifier);
      if (!typeOnly) runtimePackages.push(specifier);
    } else {
      const target = normalize(join(dirname(path), specifier));
      imports.push(target);
      if (!typeOnly) runtimeImports.push(target);
    }
  }
  return { path, text, imports, runtimeImports, packages, runtimePackages };
}

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      found.push({ specifier: node.moduleSpecifier.text, typeOnly });
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      found.push({ specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly });
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0]!)
    ) {
      found.push({ specifier: node.arguments[0].text, typeOnly: false });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      found.push({ specifier: (node.argument.literal as ts.StringLiteral).text, typeOnly: true });
    }
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

/**
 * Files whose imports, types included, lead to one of `changed`; those themselves, too. A file that nothing imports, such as
 * a document or vectors, counts as imported by every file whose text has its name.
 */
export function dependents(files: readonly SourceFile[], changed: readonly string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files) {
    for (const one of imports) importers.set(one, [...(importers.get(one) ?? []), path]);
  }
  const known = new Set([...files.map(({ path }) => path), ...importers.keys()]);
  const readers = changed
    .filter((path) => !known.has(path))
    .flatMap((path) => files.filter(({ text }) => text.includes(basename(path))));
  const reached = new Set([...changed, ...readers.map(({ path }) => path)]);
  // A set's iteration goes on to what is added meanwhile.
  for (const path of reached) for (const one of importers.get(path) ?? []) reached.add(one);
  return reached;
}

/** A chain of imports, types included, that comes back to where it started, or undefined. */
export function findCycle(files: readonly SourceFile[]): string[] | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of byPath.get(path)?.imports ?? []) {
      const cycle = walk(next, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const { path } of files) {
    const cycle = walk(path, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/**
 * The folders and files right below `parent`, as if each were one file that imports others of them: of what is in them,
 * only imports of values count.
 */
export function roomsOf(files: readonly SourceFile[], parent: string): SourceFile[] {
  const inside = `${parent}/`;
  const roomOf = (path: string): string => path.slice(inside.length).split('/')[0]!;
  const imported = new Map<string, Set<string>>();
  for (const { path, runtimeImports } of files) {
    if (!path.startsWith(inside)) continue;
    const room = roomOf(path);
    const targets = imported.get(room) ?? new Set();
    imported.set(room, targets);
    for (const target of runtimeImports.filter((each) => each.startsWith(inside))) {
      if (roomOf(target) !== room) targets.add(roomOf(target));
    }
  }
  return [...imported].map(([path, targets]) => {
    const imports = [...targets];
    return { path, text: '', imports, runtimeImports: imports, packages: [], runtimePackages: [] };
  });
}

/** The folders below `parent` in the order that its README gives, or else the README of a folder above it. */
export function orderOfFolders(parent: string): string[] {
  let home = parent;
  while (!existsSync(join(home, 'README.md'))) home = dirname(home);
  const place = home === parent ? '' : ` in \`${relative(home, parent)}/\``;
  const [, paragraphs = ''] = readFileSync(join(home, 'README.md'), 'utf8').split(
    `**Order of imports**${place}:`,
  );
  const [list] = paragraphs.split(/\.\n/);
  return [...list!.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name!);
}

/** `let` and `var` at the top level of the file: state that a worker that ends would lose. */
export function mutableModuleState(file: SourceFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  return source.statements
    .filter(ts.isVariableStatement)
    .filter((statement) => (statement.declarationList.flags & ts.NodeFlags.Const) === 0)
    .map((statement) => statement.getText(source));
}
