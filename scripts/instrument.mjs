/*
 * Branch counters for fuzzing: an esbuild plugin that adds `__branches[n]++` to every function, both
 * sides of every condition, every loop, case and catch of the given files. V8's own precise coverage
 * would need no change of the code, but takes milliseconds for each input.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';

const LOGICAL = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** More branches than all files of src/ together have. */
export const MOST_BRANCHES = 1 << 16;

/**
 * @param files paths from the root of the repository
 * @returns the plugin; `branches` gets `{ file, line }` of each branch, `words` the literals by file
 */
export function instrumentation(files) {
  const wanted = new Set(files);
  const branches = [];
  const words = {};
  const plugin = {
    name: 'branches',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const file = relative(process.cwd(), path);
        if (!wanted.has(file)) return undefined;
        return { contents: instrumented(file, branches, (words[file] = [])), loader: 'js' };
      });
    },
  };
  return { plugin, branches, words };
}

function instrumented(file, branches, words) {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      jsx: ts.JsxEmit.ReactJSX,
      jsxImportSource: 'preact',
    },
    transformers: { before: [(context) => (source) => transformed(context, source)] },
  });
  return `const __branches = globalThis.__branches;\n${outputText}`;

  function transformed(context, source) {
    const { factory } = context;
    const count = (node) => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const number = branches.push({ file, line: line + 1 }) - 1;
      const place = factory.createElementAccessExpression(
        factory.createIdentifier('__branches'),
        number,
      );
      return factory.createPostfixIncrement(place);
    };
    const statement = (node) => factory.createExpressionStatement(count(node));
    const inBlock = (node, visited) => {
      const rest = ts.isBlock(visited) ? visited.statements : [visited];
      return factory.createBlock([statement(node), ...rest], true);
    };
    const inExpression = (node, visited) =>
      factory.createParenthesizedExpression(factory.createComma(count(node), visited));
    const walk = (node) => {
      if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return node;
      noteLiteral(node, words);
      const visited = ts.visitEachChild(node, walk, context);
      return withCounters(node, visited);
    };
    const withCounters = (node, visited) => {
      if (ts.isArrowFunction(visited)) {
        const body = ts.isBlock(visited.body)
          ? inBlock(node.body, visited.body)
          : inExpression(node.body, visited.body);
        const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = visited;
        return factory.updateArrowFunction(
          visited,
          modifiers,
          typeParameters,
          parameters,
          type,
          equalsGreaterThanToken,
          body,
        );
      }
      if (ts.isIfStatement(visited)) {
        const other = visited.elseStatement
          ? inBlock(node.elseStatement, visited.elseStatement)
          : factory.createBlock([statement(node)]);
        const then = inBlock(node.thenStatement, visited.thenStatement);
        return factory.updateIfStatement(visited, visited.expression, then, other);
      }
      if (ts.isConditionalExpression(visited)) {
        return factory.updateConditionalExpression(
          visited,
          visited.condition,
          visited.questionToken,
          inExpression(node.whenTrue, visited.whenTrue),
          visited.colonToken,
          inExpression(node.whenFalse, visited.whenFalse),
        );
      }
      if (ts.isBinaryExpression(visited) && LOGICAL.has(visited.operatorToken.kind)) {
        const right = inExpression(node.right, visited.right);
        return factory.updateBinaryExpression(visited, visited.left, visited.operatorToken, right);
      }
      if (ts.isCaseClause(visited)) {
        const statements = [statement(node), ...visited.statements];
        return factory.updateCaseClause(visited, visited.expression, statements);
      }
      if (ts.isDefaultClause(visited)) {
        return factory.updateDefaultClause(visited, [statement(node), ...visited.statements]);
      }
      // Bodies of functions, loops and catch; blocks of `if` and of arrow functions have theirs.
      return isBody(node) ? inBlock(node, visited) : visited;
    };
    return ts.visitEachChild(source, walk, context);
  }
}

function isBody(node) {
  const { parent } = node;
  if (parent === undefined || ts.isArrowFunction(parent)) return false;
  if (ts.isIterationStatement(parent, false)) return parent.statement === node;
  return ts.isBlock(node) && (ts.isFunctionLike(parent) || ts.isCatchClause(parent));
}

/** Literals are what parsers compare with. */
function noteLiteral(node, words) {
  const isText = ts.isStringLiteral(node) && !ts.isImportDeclaration(node.parent);
  if (isText && node.text !== '' && node.text.length <= 64) words.push(node.text);
  const isName = ts.isPropertyAssignment(node) || ts.isBindingElement(node);
  if (isName && node.name && ts.isIdentifier(node.name)) words.push(node.name.text);
}
