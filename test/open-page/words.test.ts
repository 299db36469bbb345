import { readdirSync, readFileSync } from 'node:fs';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect } from 'chai';
import { listOf, shortList } from '../../open-page/word-list.ts';
import type { Message, Messages } from '../../extension/platform/windows/chosen-words.ts';

const FOLDER = 'open-page/_locales';
const messagesOf = (folder: string, locale: string) =>
  JSON.parse(readFileSync(`${folder}/${locale}/messages.json`, 'utf8')) as Messages;
const english = messagesOf(FOLDER, 'en');
const shared = JSON.parse(readFileSync('open-page/shared-messages.json', 'utf8')) as string[];
const ofExtension = messagesOf('_locales', 'en');

/** Without the examples for translators, which English alone has. */
const contents = ({ placeholders = {} }: Message) =>
  Object.entries(placeholders).map(([name, { content }]) => [name, content]);

/** The keys of the extension in the page's own views. */
function requested(): string[] {
  const sources = readdirSync('open-page', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(`open-page/${name}`, 'utf8'));
  const words = sources.flatMap((source) =>
    Array.from(source.matchAll(/'(\w+)'/g), ([, word]) => word!),
  );
  return [...new Set(words)].filter((word) => Object.hasOwn(ofExtension, word));
}

describe('the texts of the page', () => {
  it('are there in each language of the extension', () => {
    expect(readdirSync(FOLDER)).to.have.members(readdirSync('_locales'));
  });

  it('have no key of the extension, and share those that its views ask for', () => {
    const own = Object.keys(english);
    expect(own.filter((key) => Object.hasOwn(ofExtension, key))).to.deep.equal([]);
    expect(shared).to.deep.equal([...new Set(shared)].sort());
    expect(shared).to.include.members(requested());
    expect(shared.filter((key) => !Object.hasOwn(ofExtension, key))).to.deep.equal([]);
  });

  for (const locale of readdirSync(FOLDER)) {
    it(`${locale} has the keys of English, with the same substitutions, all used`, () => {
      const messages = messagesOf(FOLDER, locale);
      expect(Object.keys(messages)).to.deep.equal(Object.keys(english));
      for (const [key, { message, placeholders = {} }] of Object.entries(messages)) {
        expect(contents(messages[key]!), key).to.deep.equal(contents(english[key]!));
        const named = Array.from(message.matchAll(/\$(\w+)\$/g), ([, name]) => name!.toLowerCase());
        expect([...new Set(named)], key).to.have.members(Object.keys(placeholders));
        if (locale !== 'en') expect(message, key).to.not.equal(english[key]!.message);
      }
    });
  }
});

describe('the word list of the page', () => {
  it('is the list that people compare words of, in a shorter form', () => {
    const words = dictionary['diceware-common'];
    expect(listOf(shortList(words))).to.deep.equal(words);
    expect(shortList(['abacus', 'abdomen', 'abide'])).to.equal('0abacus2domen2ide');
  });
});
