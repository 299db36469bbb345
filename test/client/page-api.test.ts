import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import type {
  BatchResult,
  Sealwright as Contract,
  SealwrightError as ContractError,
} from '../../src/client/page-api.ts';
import type { OwnBytes } from '../../src/client/page-types.ts';
import type { ErrorData, SealwrightError as Thrown } from '../../src/rpc/errors.ts';
import { Sealwright } from '../../extension/page/api/api.ts';
import { ALGORITHMS, NAMED_KEY } from '../../extension/page/subtle/dictionaries.ts';

/** Names that pages and other implementations rely on. A name may be added to the contract; none may go. */
const NAMES = JSON.parse(
  readFileSync(new URL('contract-names.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

/** The results as they are published: what arrives in messages has buffers of its own, which its type does not say. */
type Published<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Wide<R> : T[K];
};
type Wide<T> =
  T extends Promise<infer R>
    ? Promise<Wide<R>>
    : T extends OwnBytes
      ? Uint8Array
      : T extends TransformStream<infer I, OwnBytes>
        ? TransformStream<I, Uint8Array>
        : T extends BatchResult<OwnBytes>[]
          ? (BatchResult<Uint8Array>[][number] | { readonly ok: false; readonly error: Thrown })[]
          : T;

/** The data that the extension's errors have is what the contract says of their codes. */
type DataOf<C> = (ContractError & { readonly code: C })['data'];
type Conforming = { [C in keyof ErrorData]: ErrorData[C] extends DataOf<C> ? true : false };
const dataConform: Conforming = {
  QUOTA: true,
  NEEDS_KEY: true,
  UNSUPPORTED: true,
  NOT_GRANTED: true,
};

/** The extension's page methods. */
type Methods = Published<Omit<Contract, keyof EventTarget | 'sync' | 'subtle' | 'verify'>>;
const conforms = (provider: Sealwright): Methods => provider;

describe('the types of the contract', () => {
  it('have every published name: of types, of their members and of the strings that they admit', () => {
    const names = namesOf('src/client/page-api.ts');
    expect(Object.keys(names)).to.include.members(Object.keys(NAMES));
    for (const [type, published] of Object.entries(NAMES)) {
      expect(names[type], type).to.include.members([...published]);
    }
  });

  it('have every parameter of subtle', () => {
    const types = readFileSync('src/client/page-types.ts', 'utf8');
    const body = /interface SealwrightAlgorithm \{([^]*?)\n\}/.exec(types)![1]!;
    const names = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1]!);
    const dictionaries = Object.values(ALGORITHMS).map(({ operations }) => operations);
    const members = [...dictionaries.flatMap((each) => Object.values(each)), NAMED_KEY]
      .flat()
      .map(({ name }) => name);
    expect(names).to.have.members(['name', ...new Set(members)]);
  });

  it('are implemented by the extension (checked by the compiler)', () => {
    expect(conforms).to.be.a('function');
    expect(dataConform).to.be.an('object');
    const promised = readFileSync('src/client/page-api.ts', 'utf8').match(
      /interface Sealwright extends[^]*?\n\}/,
    )![0];
    const names = [...promised.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(
      (match) => match[1]!,
    );
    expect(names).to.have.length.above(25);
    for (const name of names.filter((one) => one !== 'info')) {
      expect(name in Sealwright.prototype, name).to.equal(true);
    }
  });
});

describe('the types of options', () => {
  it('take undefined for each that may be absent, as exactOptionalPropertyTypes wants it', () => {
    const folders = [
      'src/client',
      'src/library',
      'src/format',
      'src/algorithms',
      'extension/testing',
    ];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    const options = [...files, 'src/subtle/create-subtle.ts']
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...sourceOf(file).statements])
      .filter(ts.isInterfaceDeclaration)
      .filter(({ name }) => /(Options|Request|Algorithm|Answer)$/.test(name.text))
      .flatMap(({ members }) =>
        [...members].filter((member) => member.questionToken !== undefined),
      );
    expect(options).to.have.length.above(60);
    const exact = options.map((one) => one.getText()).filter((text) => !/\bundefined;$/.test(text));
    expect(exact).to.deep.equal([]);
  });
});

const sourceOf = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** Of each exported type: its members, their members, and its strings in quotes. */
function namesOf(file: string): Record<string, string[]> {
  const source = sourceOf(file);
  const names: Record<string, string[]> = {};
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue;
    const found = new Set<string>();
    const walk = (node: ts.Node): void => {
      const isMember =
        ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isParameter(node);
      if (isMember) found.add(node.name.getText(source));
      if (ts.isStringLiteral(node)) found.add(`'${node.text}'`);
      ts.forEachChild(node, walk);
    };
    walk(statement);
    names[statement.name.text] = [...found];
  }
  return names;
}
