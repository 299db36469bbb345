import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import type { Message, Messages } from './ui/harness/read-messages.ts';

const LOCALES = readdirSync('_locales');
const messagesOf = (locale: string) =>
  JSON.parse(readFileSync(`_locales/${locale}/messages.json`, 'utf8')) as Messages;
const english = messagesOf('en');

const PLURAL_FORM = /_(?:zero|one|two|few|many|other)$/;

/** Source files of all that talks to people. */
function sources(): { path: string; file: ts.SourceFile }[] {
  return ['extension/ui', 'extension/popup', 'extension/prompt', 'extension/manager']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      return { path, file: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) };
    });
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** The placeholders that a message names, as they are spelled in its list of placeholders. */
const named = ({ message }: Message) =>
  new Set(Array.from(message.matchAll(/\$(\w+)\$/g), ([, name]) => name!.toLowerCase()));

describe('locales', () => {
  it('are at least the three that the first release promises', () => {
    expect(LOCALES).to.include.members(['en', 'de', 'zh_CN']);
  });

  for (const locale of LOCALES) {
    const messages = messagesOf(locale);

    it(`${locale} has every message that English has, in the same order, and no other`, () => {
      expect(Object.keys(messages)).to.deep.equal(Object.keys(english));
    });

    it(`${locale} fills the same placeholders as English`, () => {
      for (const [key, message] of Object.entries(messages)) {
        const contents = (it: Message) =>
          Object.fromEntries(
            Object.entries(it.placeholders ?? {}).map(([name, { content }]) => [name, content]),
          );
        expect(contents(message), key).to.deep.equal(contents(english[key]!));
        expect([...named(message)].sort(), key).to.deep.equal(
          Object.keys(message.placeholders ?? {}).sort(),
        );
      }
    });

    it(`${locale} leaves no message empty or untrimmed`, () => {
      for (const [key, { message }] of Object.entries(messages)) {
        expect(message, key).to.match(/^\S(.*\S)?$/s);
      }
    });

    it(`${locale} says in its own tag which language it is`, () => {
      expect(messages.localeTag?.message).to.equal(locale.replace('_', '-'));
    });
  }

  it('describe every English message to translators', () => {
    for (const [key, { description }] of Object.entries(english)) {
      expect(description, key).to.match(/\S{3}/);
    }
  });

  it('keep the extension’s description within the stores’ 132 characters', () => {
    for (const locale of LOCALES) {
      expect(messagesOf(locale).extDescription!.message.length).to.be.at.most(132);
    }
  });

  it('are translated: no message of several words is the same as in English', () => {
    const wordsOf = ({ message }: Message) =>
      message.replace(/\$\w+\$/g, '').match(/\p{L}{2,}/gu) ?? [];
    for (const locale of LOCALES.filter((it) => it !== 'en')) {
      const same = Object.entries(messagesOf(locale))
        .filter(([key, { message }]) => message === english[key]!.message)
        .filter(([, message]) => wordsOf(message).length > 3)
        .map(([key]) => key);
      expect(same, locale).to.deep.equal([]);
    }
  });

  it('hold no message that nothing uses', () => {
    const used = new Set<string>();
    for (const { file } of sources()) {
      visit(file, (node) => {
        if (ts.isStringLiteralLike(node)) used.add(node.text);
      });
    }
    const manifest = readFileSync('manifest.json', 'utf8');
    for (const [, key] of manifest.matchAll(/__MSG_(\w+)__/g)) used.add(key!);
    const unused = Object.keys(english).filter(
      (key) => !used.has(key) && !used.has(key.replace(PLURAL_FORM, '')),
    );
    expect(unused).to.deep.equal([]);
  });

  it('hold every message that the code and the manifest ask for', () => {
    const missing: string[] = [];
    const need = (key: string, where: string) => {
      if (!Object.hasOwn(english, key)) missing.push(`${where}: ${key}`);
    };
    for (const { path, file } of sources()) {
      visit(file, (node) => {
        if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
        const method = node.expression.name.text;
        const key = node.arguments[0];
        if (!key || !ts.isStringLiteral(key)) return;
        if (method === 't') need(key.text, path);
        if (method === 'plural') ['one', 'other'].forEach((it) => need(`${key.text}_${it}`, path));
      });
    }
    for (const [, key] of readFileSync('manifest.json', 'utf8').matchAll(/__MSG_(\w+)__/g)) {
      need(key!, 'manifest.json');
    }
    expect(missing).to.deep.equal([]);
  });
});

describe('views', () => {
  /** Attributes that people read or hear. */
  const SPOKEN = new Set([
    'aria-label',
    'aria-description',
    'title',
    'placeholder',
    'alt',
    'label',
  ]);

  it('contain no text of their own', () => {
    const found: string[] = [];
    for (const { path, file } of sources()) {
      visit(file, (node) => {
        if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) found.push(`${path}: ${node.text}`);
        if (!ts.isJsxAttribute(node) || !SPOKEN.has(node.name.getText())) return;
        const value = node.initializer;
        if (value && ts.isStringLiteral(value) && /\p{L}/u.test(value.text)) {
          found.push(`${path}: ${node.name.getText()}="${value.text}"`);
        }
      });
    }
    // The licence's name is the same in every language.
    expect(found.filter((it) => !it.endsWith('Apache-2.0'))).to.deep.equal([]);
  });

  it('are found by this test at all', () => {
    expect(sources().filter(({ path }) => path.endsWith('.tsx')).length).to.be.at.least(30);
  });
});
