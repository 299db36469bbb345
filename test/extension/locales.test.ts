import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Message, Messages } from '../../extension/platform/windows/chosen-words.ts';

const LOCALES = readdirSync('_locales');
const textOf = (locale: string) => readFileSync(`_locales/${locale}/messages.json`, 'utf8');
const messagesOf = (locale: string) => JSON.parse(textOf(locale)) as Messages;
const english = messagesOf('en');

/** Names that are the same in every language. */
const NAMES = ['extName'];
/** Keys whose message is the same as in English. Any other equal message was not translated. */
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  de: [
    'passphrase',
    'keyLabel',
    'contactName',
    'selfTestSlowerItem',
    'version',
    'aboutEngines',
    'slotPassphrase',
    'slotPasskey',
    'toneOrange',
    'contextAsText',
  ],
  fr: ['navSites', 'navContacts', 'sitesTitle', 'version', 'aboutLicence'],
  pt_BR: ['navSites', 'sitesTitle'],
};

const PLURAL_FORM = /_(zero|one|two|few|many|other)$/;
/** Enough counts for every plural form that the languages have for whole numbers below a million. */
const COUNTS = Array.from({ length: 201 }, (_, count) => count);

/** The plural form of each count: six different forms in Arabic, one in Japanese. */
function formsOf(locale: string): Intl.LDMLPluralRule[] {
  const rules = new Intl.PluralRules(locale.replace('_', '-'));
  return COUNTS.map((count) => rules.select(count));
}

/** Keys of plural forms that the language has and English does not. */
function furtherForms(locale: string): string[] {
  return Object.keys(english)
    .filter((key) => key.endsWith('_other'))
    .flatMap((key) =>
      [...new Set(formsOf(locale))].map((form) => key.replace(PLURAL_FORM, `_${form}`)),
    )
    .filter((key) => !Object.hasOwn(english, key));
}

/** The English message of a key; for a plural form that English does not have, the form _other. */
const original = (key: string) => english[key] ?? english[key.replace(PLURAL_FORM, '_other')]!;

/** The placeholders in the text of a message, in lower case as in its list of placeholders. */
const named = ({ message }: Message) =>
  Array.from(message.matchAll(/\$(\w+)\$/g), ([, name]) => name!.toLowerCase());

const contents = ({ placeholders = {} }: Message) =>
  Object.fromEntries(Object.entries(placeholders).map(([name, { content }]) => [name, content]));

describe('locales', () => {
  it('include the twelve of the release notes', () => {
    const promised = 'ar de en es fr hi ja ko pt_BR ru zh_CN zh_TW';
    expect(LOCALES).to.include.members(promised.split(' '));
  });

  for (const locale of LOCALES) {
    const messages = messagesOf(locale);
    const further = furtherForms(locale);

    it(`${locale} has the same keys as English, in the same order`, () => {
      const keys = Object.keys(messages).filter((key) => !further.includes(key));
      expect(keys).to.deep.equal(Object.keys(english));
    });

    it(`${locale} has no duplicate keys`, () => {
      // JSON.parse keeps the last of several equal keys, so the lines are counted.
      const count = (line: RegExp) => textOf(locale).match(line)?.length;
      expect(count(/^ {2}"\w+": \{$/gm)).to.equal(Object.keys(messages).length);
      expect(count(/^ {4}"message": /gm)).to.equal(Object.keys(messages).length);
    });

    it(`${locale} has every plural form of its language`, () => {
      expect(Object.keys(messages)).to.include.members(further);
    });

    it(`${locale} has the same substitutions as English`, () => {
      for (const [key, message] of Object.entries(messages)) {
        expect(contents(message), key).to.deep.equal(contents(original(key)));
      }
    });

    it(`${locale} uses every substitution, except a count that the form implies`, () => {
      const forms = formsOf(locale);
      for (const [key, message] of Object.entries(messages)) {
        const form = PLURAL_FORM.exec(key)?.[1] ?? '';
        const countsOfForm = forms.filter((it) => it === form).length;
        const implied = countsOfForm === 1 && !named(message).includes('count') ? ['count'] : [];
        expect([...new Set(named(message)), ...implied], key).to.have.members(
          Object.keys(message.placeholders ?? {}),
        );
      }
    });

    it(`${locale} leaves no message empty or untrimmed`, () => {
      for (const [key, { message }] of Object.entries(messages)) {
        expect(message, key).to.match(/^\S(.*\S)?$/s);
      }
    });

    it(`${locale} uses typographic quotes and ellipses`, () => {
      for (const [key, { message }] of Object.entries(messages)) {
        expect(message, key).to.not.match(/['"]|\.\.|\s{2}/);
      }
    });

    it(`${locale} contains the label of a button in its accessible name (WCAG 2.2, 2.5.3)`, () => {
      for (const [key, { message }] of Object.entries(messages)) {
        const shown = messages[key.replace(/Named$/, '')]?.message;
        if (!key.endsWith('Named') || shown === undefined) continue;
        expect(message.toLowerCase(), key).to.include(shown.toLowerCase());
      }
    });

    it(`${locale} says where words are parted that are wider than a window of 320 pixels`, () => {
      const words = Object.values(messages).flatMap(({ message }) =>
        message.split(/[^\p{L}\p{M}]+/u),
      );
      // Scripts without spaces break between any two letters.
      const long = /^(ja|zh|ko)/.test(locale) ? [] : words.filter((word) => word.length > 18);
      expect(long).to.deep.equal([]);
    });

    it(`${locale} has its own language tag`, () => {
      expect(messages.localeTag?.message).to.equal(locale.replace('_', '-'));
    });

    it(`${locale} keeps the extension’s description within the stores’ 132 characters`, () => {
      expect(messages.extDescription!.message.length).to.be.at.most(132);
    });
  }

  for (const locale of LOCALES.filter((it) => it !== 'en')) {
    it(`${locale} has only the listed messages in common with English`, () => {
      const allowed = new Set([...NAMES, ...(SAME_WORDS[locale] ?? [])]);
      const same = Object.entries(messagesOf(locale))
        .filter(([key, { message }]) => message === original(key).message && !allowed.has(key))
        .map(([key]) => key);
      expect(same).to.deep.equal([]);
    });
  }

  it('fr has a no-break space before its punctuation', () => {
    for (const [key, { message }] of Object.entries(messagesOf('fr'))) {
      expect(message, key).to.not.match(/[^\u00a0\u202f][:;?!»]|«[^\u00a0\u202f]/);
    }
  });

  it('have a description for translators of every English message', () => {
    for (const [key, { description }] of Object.entries(english)) {
      expect(description, key).to.match(/\S{3}/);
    }
  });
});
