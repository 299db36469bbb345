import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Message, Messages } from './ui/harness/read-messages.ts';

const LOCALES = readdirSync('_locales');
const textOf = (locale: string) => readFileSync(`_locales/${locale}/messages.json`, 'utf8');
const messagesOf = (locale: string) => JSON.parse(textOf(locale)) as Messages;
const english = messagesOf('en');

/** Names that are the same in every language. */
const NAMES = ['extName'];
/** What a language says as English does, by name: anything else that is the same was forgotten. */
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  de: [
    'passphrase',
    'keyLabel',
    'selfTestSlowerItem',
    'version',
    'aboutEngines',
    'slotPassphrase',
    'slotPasskey',
    'toneOrange',
  ],
  fr: ['navSites', 'navContacts', 'sitesTitle', 'version', 'aboutLicence'],
  pt_BR: ['navSites', 'sitesTitle'],
};

const PLURAL_FORM = /_(zero|one|two|few|many|other)$/;
/** Enough counts to meet every form that the languages have for whole numbers below a million. */
const COUNTS = Array.from({ length: 201 }, (_, count) => count);

/** The plural form of each of the counts: six forms in Arabic, one in Japanese. */
function formsOf(locale: string): Intl.LDMLPluralRule[] {
  const rules = new Intl.PluralRules(locale.replace('_', '-'));
  return COUNTS.map((count) => rules.select(count));
}

/** Plural forms that the language wants and English has not. */
function furtherForms(locale: string): string[] {
  return Object.keys(english)
    .filter((key) => key.endsWith('_other'))
    .flatMap((key) =>
      [...new Set(formsOf(locale))].map((form) => key.replace(PLURAL_FORM, `_${form}`)),
    )
    .filter((key) => !Object.hasOwn(english, key));
}

/** The English message that says the same, in its general form where English has not this one. */
const original = (key: string) => english[key] ?? english[key.replace(PLURAL_FORM, '_other')]!;

/** The placeholders that a message names, as they are spelled in its list of placeholders. */
const named = ({ message }: Message) =>
  Array.from(message.matchAll(/\$(\w+)\$/g), ([, name]) => name!.toLowerCase());

const contents = ({ placeholders = {} }: Message) =>
  Object.fromEntries(Object.entries(placeholders).map(([name, { content }]) => [name, content]));

/** Buttons whose words are another message than the name of their key says. */
const SHOWN_AS: Readonly<Record<string, string>> = {
  contactRenameNamed: 'rename',
  disableSiteNamed: 'disableConfirm',
};

describe('locales', () => {
  it('are the twelve of the release notes', () => {
    const promised = 'ar de en es fr hi ja ko pt_BR ru zh_CN zh_TW';
    expect(LOCALES).to.include.members(promised.split(' '));
  });

  for (const locale of LOCALES) {
    const messages = messagesOf(locale);
    const further = furtherForms(locale);

    it(`${locale} has every message that English has, in the same order, and no other`, () => {
      const keys = Object.keys(messages).filter((key) => !further.includes(key));
      expect(keys).to.deep.equal(Object.keys(english));
    });

    it(`${locale} says each thing once`, () => {
      // Parsed, the second of two lines with one name hides the first.
      const count = (line: RegExp) => textOf(locale).match(line)?.length;
      expect(count(/^ {2}"\w+": \{$/gm)).to.equal(Object.keys(messages).length);
      expect(count(/^ {4}"message": /gm)).to.equal(Object.keys(messages).length);
    });

    it(`${locale} has every plural form that its language wants`, () => {
      expect(Object.keys(messages)).to.include.members(further);
    });

    it(`${locale} is given the same substitutions as English`, () => {
      for (const [key, message] of Object.entries(messages)) {
        expect(contents(message), key).to.deep.equal(contents(original(key)));
      }
    });

    it(`${locale} names every substitution, but a count that its words say`, () => {
      const forms = formsOf(locale);
      for (const [key, message] of Object.entries(messages)) {
        const form = PLURAL_FORM.exec(key)?.[1] ?? '';
        const countsSaid = forms.filter((it) => it === form).length;
        const inWords = countsSaid === 1 && !named(message).includes('count') ? ['count'] : [];
        expect([...new Set(named(message)), ...inWords], key).to.have.members(
          Object.keys(message.placeholders ?? {}),
        );
      }
    });

    it(`${locale} leaves no message empty or untrimmed`, () => {
      for (const [key, { message }] of Object.entries(messages)) {
        expect(message, key).to.match(/^\S(.*\S)?$/s);
      }
    });

    it(`${locale} uses the quotes and dots of print, not of a typewriter`, () => {
      for (const [key, { message }] of Object.entries(messages)) {
        expect(message, key).to.not.match(/['"]|\.\.|\s{2}/);
      }
    });

    it(`${locale} has a button’s words in the name that a screen reader says (WCAG 2.2, 2.5.3)`, () => {
      for (const [key, { message }] of Object.entries(messages)) {
        const shown = messages[SHOWN_AS[key] ?? key.replace(/Named$/, '')]?.message;
        if (!key.endsWith('Named') || shown === undefined) continue;
        expect(message.toLowerCase(), key).to.include(shown.toLowerCase());
      }
    });

    it(`${locale} says in its own tag which language it is`, () => {
      expect(messages.localeTag?.message).to.equal(locale.replace('_', '-'));
    });

    it(`${locale} keeps the extension’s description within the stores’ 132 characters`, () => {
      expect(messages.extDescription!.message.length).to.be.at.most(132);
    });
  }

  for (const locale of LOCALES.filter((it) => it !== 'en')) {
    it(`${locale} says in English only what is the same in both languages`, () => {
      const allowed = new Set([...NAMES, ...(SAME_WORDS[locale] ?? [])]);
      const same = Object.entries(messagesOf(locale))
        .filter(([key, { message }]) => message === original(key).message && !allowed.has(key))
        .map(([key]) => key);
      expect(same).to.deep.equal([]);
    });
  }

  it('fr breaks no line before the punctuation that it spaces', () => {
    for (const [key, { message }] of Object.entries(messagesOf('fr'))) {
      expect(message, key).to.not.match(/[^\u00a0\u202f][:;?!»]|«[^\u00a0\u202f]/);
    }
  });

  it('describe every English message to translators', () => {
    for (const [key, { description }] of Object.entries(english)) {
      expect(description, key).to.match(/\S{3}/);
    }
  });
});
