import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import type { Spans } from './spans.ts';

/*
 * An esbuild plugin that marks where functions begin and end. The sources themselves hold nothing for
 * it, so what is shipped has no byte of it: a bundle with marks is built beside the shipped one.
 */

/** @returns the plugin; the build fails where a named function does not exist */
export function marking(spans: Spans): Plugin {
  return {
    name: 'marks',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const named = spans[relative(process.cwd(), path)];
        if (!named) return undefined;
        return { contents: marked(readFileSync(path, 'utf8'), path, named), loader: 'ts' };
      });
    },
  };
}

/** @throws Error for a name that no function with a body has */
export function marked(text: string, path: string, named: Spans[string]): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const insertions: { at: number; text: string }[] = [];
  const found = new Set<string>();
  const search = (node: ts.Node, place: string): void => {
    const own = nameOf(node);
    const here = own === undefined ? place : place === '' ? own : `${place}.${own}`;
    const body = ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node) : undefined;
    if (body && Object.hasOwn(named, here)) {
      found.add(here);
      insertions.push(...around(body, named[here]!));
    }
    ts.forEachChild(node, (child) => search(child, here));
  };
  search(source, '');
  const missing = Object.keys(named).filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`${path} has no function ${missing.join(', ')}`);
  insertions.sort((a, b) => b.at - a.at);
  return insertions.reduce(
    (all, { at, text: more }) => all.slice(0, at) + more + all.slice(at),
    text,
  );
}

/** `finally` runs at the end of an async function too, and adds no turn of the queue. */
function around(body: ts.Node, span: string) {
  const begin = `const endOfSpan = globalThis.laneTrace.begin(${JSON.stringify(span)}); try {`;
  const end = '} finally { globalThis.laneTrace.end(endOfSpan); }';
  if (ts.isBlock(body)) {
    return [
      { at: body.getStart() + 1, text: begin },
      { at: body.getEnd() - 1, text: end },
    ];
  }
  return [
    { at: body.getStart(), text: `{ ${begin} return (` },
    { at: body.getEnd(), text: `); ${end} }` },
  ];
}

/**
 * Of a class, function, method, or of what a function is assigned to; `=>2` for a nameless function that is the
 * argument with index 2.
 */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const isNamed =
    ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
  if (isNamed || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) {
    return node.name?.getText();
  }
  if (!ts.isArrowFunction(node)) return undefined;
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left)) {
    return parent.left.name.text;
  }
  return ts.isCallExpression(parent) ? `=>${parent.arguments.indexOf(node)}` : undefined;
}
