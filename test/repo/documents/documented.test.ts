import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { repositoryFiles } from '../repository.ts';

const LEAST_DOCUMENTED = 0.9;

interface Export {
  readonly path: string;
  readonly name: string;
  readonly isDocumented: boolean;
}

/** What a file exports where it declares it; re-exports are documented at their declaration. */
function exportsOf(path: string): Export[] {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(isExported).map((statement) => ({
    path,
    name: nameOf(statement),
    isDocumented: hasDocComment(statement, text),
  }));
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText()).join(', ');
  }
  return (statement as ts.Statement & ts.NamedDeclaration).name?.getText() ?? 'default';
}

function hasDocComment(statement: ts.Statement, text: string): boolean {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  return comments.some(({ pos }) => text.startsWith('/**', pos));
}

describe('the exports of src/', () => {
  const all = repositoryFiles(/^src\/.*\.tsx?$/).flatMap(exportsOf);

  it(`have a doc comment, at least ${LEAST_DOCUMENTED * 100} % of them`, () => {
    const missing = all.filter(({ isDocumented }) => !isDocumented);
    const share = 1 - missing.length / all.length;
    const names = missing.map(({ path, name }) => `${path}: ${name}`).join('\n');
    const message = `${missing.length} of ${all.length} are without one:\n${names}\n`;
    expect(share, message).to.be.at.least(LEAST_DOCUMENTED);
  });
});
