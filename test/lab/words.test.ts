import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Message, Messages } from '../../extension/platform/windows/chosen-words.ts';

const FOLDER = 'lab/_locales';
const messagesOf = (locale: string) =>
  JSON.parse(readFileSync(`${FOLDER}/${locale}/messages.json`, 'utf8')) as Messages;
const english = messagesOf('en');

/** Without the examples for translators, which English alone has. */
const contents = ({ placeholders = {} }: Message) =>
  Object.entries(placeholders).map(([name, { content }]) => [name, content]);

describe('the texts of the Lab', () => {
  it('are there in each language of the extension', () => {
    expect(readdirSync(FOLDER)).to.have.members(readdirSync('_locales'));
  });

  it('have no key of the extension, which the build would replace', () => {
    const extension = JSON.parse(readFileSync('_locales/en/messages.json', 'utf8')) as Messages;
    expect(Object.keys(english).filter((key) => Object.hasOwn(extension, key))).to.deep.equal([]);
  });

  for (const locale of readdirSync(FOLDER)) {
    it(`${locale} has the keys of English, with the same substitutions, all used`, () => {
      const messages = messagesOf(locale);
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
