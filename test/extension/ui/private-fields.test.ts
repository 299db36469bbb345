import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import type { FieldAttributes } from '../../../extension/ui/components/forms/field.tsx';
import { Field } from '../../../extension/ui/components/forms/field.tsx';

/** Inputs into which no text is typed. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'file', 'range', 'color', 'button', 'submit'];

const PAGES = readdirSync('extension', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => `extension/${path}`);

type Control = ts.JsxSelfClosingElement | ts.JsxOpeningElement;

/** The elements of a file that have one of these names. */
function elementsOf(path: string, names: readonly string[]): Control[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Control[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) {
      if (names.includes(node.tagName.getText())) found.push(node);
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

const controlsOf = (path: string) => elementsOf(path, ['input', 'textarea']);

function attribute(control: Control, name: string): string | undefined {
  for (const one of control.attributes.properties) {
    if (ts.isJsxAttribute(one) && one.name.getText() === name) return one.initializer?.getText();
  }
  return undefined;
}

/** Whether it takes the attributes that its Field gives it, and keeps them. */
function isPrivate(control: Control): boolean {
  const { properties } = control.attributes;
  const takes = properties.some(
    (one) => ts.isJsxSpreadAttribute(one) && one.expression.getText() === 'attributes',
  );
  const autocomplete = attribute(control, 'autocomplete');
  const isPassphrase = control.getSourceFile().fileName.endsWith('/passphrase-field.tsx');
  return takes && (isPassphrase || autocomplete === undefined);
}

describe('fields of the extension’s pages', () => {
  it('get attributes that keep texts off the disk and away from writing aids', () => {
    let given: FieldAttributes | undefined;
    Field({ id: 'x', label: 'X', children: (attributes) => void (given = attributes) });
    expect(given).to.include({
      autocomplete: 'off',
      spellcheck: false,
      writingsuggestions: 'false',
    });
  });

  it('take these attributes wherever text is typed', () => {
    const withText = PAGES.flatMap(controlsOf).filter((control) => {
      const type = attribute(control, 'type')?.replaceAll('"', '');
      return type === undefined || !WITHOUT_TEXT.includes(type);
    });
    expect(withText).to.have.length.greaterThan(5);
    const open = withText.filter((control) => !isPrivate(control));
    expect(open.map((one) => `${one.getSourceFile().fileName}: ${one.getText()}`)).to.deep.equal(
      [],
    );
  });

  it('show the picture of the installation where the vault’s own passphrase is asked for, and there alone', () => {
    // By type="password" only one component makes such fields; the others go through it.
    const makers = PAGES.filter((path) => readFileSync(path, 'utf8').includes("'password'"));
    expect(makers).to.deep.equal(['extension/ui/components/forms/passphrase-field.tsx']);
    const fields = PAGES.flatMap((path) => elementsOf(path, ['PassphraseField', 'SecretField']));
    expect(fields).to.have.length.greaterThan(5);
    const isPictured = (control: Control): boolean =>
      control.attributes.properties.some(
        (one) => ts.isJsxAttribute(one) && one.name.getText() === 'pictured',
      );
    // In the component itself, or in one of the same file that it is a part of.
    const isBelowPicture = (control: ts.Node): boolean => {
      for (let node = control; !ts.isSourceFile(node); node = node.parent) {
        if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'WithPicture') {
          return true;
        }
        if (ts.isFunctionDeclaration(node)) {
          const uses = elementsOf(node.getSourceFile().fileName, [node.name!.text]);
          return uses.length > 0 && uses.every(isBelowPicture);
        }
      }
      return false;
    };
    const filesOf = (list: readonly Control[]) =>
      list.map((control) => control.getSourceFile().fileName);
    expect(filesOf(fields.filter(isPictured))).to.deep.equal([
      'extension/manager/forms/ask-passphrase.tsx',
    ]);
    expect(filesOf(fields.filter(isBelowPicture))).to.deep.equal([
      'extension/ui/components/forms/unlock-form.tsx',
    ]);
  });
});
