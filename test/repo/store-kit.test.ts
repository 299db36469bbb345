import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import manifest from '../../manifest.json' with { type: 'json' };
import listings from '../../store/listings.json' with { type: 'json' };

/* What is entered in the stores' forms, within the stores' limits. */
const CHROME = { name: 75, summary: 132, description: 16_000 };
const FIREFOX = { name: 50, summary: 250 };

interface Listing {
  readonly summary: string;
  readonly description: readonly string[];
}

const LISTINGS: Readonly<Record<string, Listing>> = listings;
const messagesOf = (locale: string) =>
  JSON.parse(readFileSync(`_locales/${locale}/messages.json`, 'utf8')) as Record<
    'extName' | 'extDescription',
    { readonly message: string }
  >;

describe('the texts for the stores', () => {
  it('are there in every language of the extension', () => {
    expect(Object.keys(LISTINGS)).to.have.members(readdirSync('_locales'));
    expect(manifest).to.include({ name: '__MSG_extName__', description: '__MSG_extDescription__' });
  });

  for (const [locale, { summary, description }] of Object.entries(LISTINGS)) {
    it(`${locale}: fit, are whole, and are translated`, () => {
      const { extName, extDescription } = messagesOf(locale);
      expect(extName.message.length).to.be.within(1, Math.min(CHROME.name, FIREFOX.name));
      expect(extDescription.message.length).to.be.within(1, CHROME.summary);
      expect(summary.length).to.be.within(1, FIREFOX.summary);
      expect(description).to.have.length(LISTINGS.en!.description.length);
      expect(description.join('\n\n').length).to.be.at.most(CHROME.description);
      for (const text of [summary, ...description]) {
        expect(text.trim(), text).to.equal(text);
        // No markup: stores show it, or refuse it.
        expect(text).to.not.match(/[<>*_]|https?:/);
      }
      if (locale === 'fr') {
        expect(summary + description.join('')).to.not.match(/[^\u00a0][:;?!]/);
      }
      if (locale === 'en') return;
      const english = [LISTINGS.en!.summary, ...LISTINGS.en!.description];
      expect([summary, ...description].filter((text) => english.includes(text))).to.deep.equal([]);
    });
  }
});
