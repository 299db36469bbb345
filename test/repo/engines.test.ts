import { expect } from 'chai';
import ts from 'typescript';
import { readSources, type SourceFile } from './import-graph.ts';

/*
 * src/engine alone chooses engines. Outside of it, in src and extension, there is
 * 1. no `crypto.subtle`: neither as a property of `crypto`, `globalThis.crypto`, `self.crypto` or
 *    `window.crypto`, nor by destructuring one of them;
 * 2. no call of a method `probe`;
 * 3. no import from src/engine at run time but of the files below, which choose or need no choice; src/algorithms has no
 *    choice, because it is wasm-simd alone, and imports whatever that engine has;
 * 4. no property `engine` whose value is the name of an engine.
 * What pages and callers hand in (an engine's name, a Crypto) is a parameter, and does not count.
 */
const ENTRIES: Record<string, string> = {
  'src/engine/contract.ts': 'names and errors',
  'src/engine/message-primitives.ts': 'lengths for messages',
  'src/engine/thresholds.ts': 'measured thresholds, for the registry',
  'src/engine/awaitable.ts': 'helpers for values that may be promises',
  'src/engine/registry.ts': 'chooses',
  'src/engine/default-engines.ts': 'makes the registry of a library',
  'src/engine/message-engine.ts': 'makes the engine of a background',
  'src/engine/record-engines.ts': 'makes the engines for records of sync services',
  'src/engine/block-ciphers.ts': 'the old block ciphers, which no registry has',
  'src/engine/fastest-argon2id.ts': 'chooses for bundles that only need Argon2id',
  'src/engine/fastest-pbkdf2.ts': 'chooses for bundles that only need PBKDF2',
  'src/engine/fastest-power.ts': 'chooses for bundles that only need powers',
  'src/engine/native/native-crypto.ts': 'for callers without a registry',
  'src/engine/native/ed25519.ts': 'for signatures: the one Ed25519 there is',
  'src/engine/native/platform.ts': 'a type for views',
  'src/engine/native/kdfs.ts': 'the same for passphrases',
  'src/engine/native/platform-keys.ts': 'the same for key pairs of other products',
  'src/engine/native/digests.ts': 'the same for one digest in content scripts',
  'src/engine/native/native-records.ts': 'the same for records of sync services, in the library',
  'src/engine/kem/dhkem-x25519.ts': 'a KEM over the X25519 that is handed in',
  'src/engine/kem/x25519.ts': 'chooses an X25519',
  'src/engine/kem/native-x25519.ts': 'for bundles without @noble/curves',
  'src/engine/kem/x-wing-kem.ts': 'X-Wing over the X25519 that is handed in',
  'src/engine/wasm/library-loader.ts': 'brings the bytes of modules',
  'src/engine/wasm/module-scripts.ts': 'says where these are in the library',
  'src/engine/self-test/self-test.ts': 'measures all engines',
  'src/engine/self-test/measure.ts': 'takes times',
  'src/engine/wasm/ciphers/ciphers.ts':
    'the old block ciphers in WebAssembly, for the library and the Lab',
  'src/engine/wasm/ciphers/cipher-module.ts': 'the same, block by block',
  'src/engine/wasm/montgomery/montgomery.ts': 'powers in WebAssembly, for the Lab',
  'src/engine/wasm/loader.ts': 'tells whether there is SIMD',
  'src/engine/webgpu/webgpu.ts': 'is loaded where a caller asks for a graphics card',
  'src/engine/webgl/webgl.ts': 'likewise',
  'src/engine/threads/threads.ts': 'is loaded where a caller asks for threads',
};

const ENGINES = /^(native|wasm-threads|wasm-simd|wasm|js|webgl|webgpu)$/;
const CRYPTO = /^((globalThis|self|window)\.)?crypto\??$/;

/** What of the rules 1, 2 and 4 a file breaks. */
function choicesIn({ path, text }: SourceFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isChoice(node)) found.push(`${path}: ${node.getText(source).slice(0, 80)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isChoice(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'subtle' && isCrypto(node.expression);
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    const isSubtle = ({ name, propertyName }: ts.BindingElement) =>
      (propertyName ?? name).getText() === 'subtle';
    return node.initializer !== undefined && isCrypto(node.initializer)
      ? node.name.elements.some(isSubtle)
      : false;
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return node.expression.name.text === 'probe';
  }
  return (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'engine' &&
    ts.isStringLiteral(node.initializer) &&
    ENGINES.test(node.initializer.text)
  );
}

function isCrypto(node: ts.Expression): boolean {
  const bare = ts.isAsExpression(node) ? node.expression : node;
  return CRYPTO.test(bare.getText());
}

const outside = readSources('src', 'extension', 'lab', 'open-page').filter(
  ({ path }) => !path.startsWith('src/engine/'),
);

describe('The choice of an engine', () => {
  it('is made by no file outside src/engine', () => {
    expect(outside.flatMap(choicesIn)).to.deep.equal([]);
  });

  it('is imported from a few files only', () => {
    const isOfWasm = (path: string, target: string) =>
      path.startsWith('src/algorithms/') && target.startsWith('src/engine/wasm/');
    const wrong = outside.flatMap(({ path, runtimeImports }) =>
      runtimeImports
        .filter((target) => target.startsWith('src/engine/') && !(target in ENTRIES))
        .filter((target) => !isOfWasm(path, target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('has no entry without an importer', () => {
    const used = new Set(outside.flatMap(({ runtimeImports }) => runtimeImports));
    expect(Object.keys(ENTRIES).filter((path) => !used.has(path))).to.deep.equal([]);
  });

  it('would be found', () => {
    const file = (text: string): SourceFile => ({
      path: 'x.ts',
      text,
      imports: [],
      runtimeImports: [],
      packages: [],
      runtimePackages: [],
    });
    for (const text of [
      'await crypto.subtle.digest(a, b);',
      'const s = globalThis.crypto.subtle;',
      'const { subtle: s } = self.crypto;',
      'const { subtle } = crypto as Partial<Crypto>;',
      'await nativeEngine().probe();',
      "registry.run({ algorithm, engine: 'js', bytes }, work);",
    ]) {
      expect(choicesIn(file(text)), text).to.have.lengthOf(1);
    }
    expect(choicesIn(file('registry.run(request, ({ subtle }) => subtle.sign(x));'))).to.be.empty;
  });
});
