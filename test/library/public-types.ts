/** What the entries of src/library declare, read from their sources: for tests that must know all of it. */
import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';

const LIBRARY = new URL('../../src/library/', import.meta.url);

/** An exported interface, type, class, function or constant. */
export interface Declaration {
  /** Of the entry: `subtle` for `sealwright/subtle`. */
  readonly entry: string;
  readonly name: string;
  readonly node: ts.Node;
}

/** Everything that the entries of the package export, each as often as it is exported. */
export function publicDeclarations(): Declaration[] {
  const files = readdirSync(LIBRARY).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const entry = file.replace(/\.ts$/, '');
    return exportsOf(new URL(file, LIBRARY)).map((each) => ({ entry, ...each }));
  });
}

type Named = Omit<Declaration, 'entry'>;

/** By address: many names come from one file. */
const exported = new Map<string, Named[]>();

function exportsOf(file: URL): Named[] {
  const found = exported.get(file.href) ?? readExports(file);
  exported.set(file.href, found);
  return found;
}

function readExports(file: URL): Named[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file.href, text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { moduleSpecifier, exportClause } = statement;
      if (!moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) {
        throw new Error(`${file.href}: exports must name what they export and its module`);
      }
      const from = new URL((moduleSpecifier as ts.StringLiteral).text, file);
      return exportClause.elements.flatMap(({ name, propertyName }) => {
        const original = (propertyName ?? name).text;
        const found = exportsOf(from).filter((each) => each.name === original);
        if (found.length === 0) throw new Error(`${from.href} does not export ${original}`);
        return found.map((each) => ({ ...each, name: name.text }));
      });
    }
    return namesOf(statement).map((name) => ({ name, node: statement }));
  });
}

function namesOf(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name ? [name.getText()] : [];
}

/** Every parameter and member of a declaration, without what is inside of bodies. */
export function membersOf(node: ts.Node): (ts.ParameterDeclaration | ts.PropertySignature)[] {
  const found: (ts.ParameterDeclaration | ts.PropertySignature)[] = [];
  const walk = (child: ts.Node): void => {
    if (ts.isBlock(child)) return;
    if (ts.isParameter(child) || ts.isPropertySignature(child)) found.push(child);
    ts.forEachChild(child, walk);
  };
  walk(node);
  return found;
}
