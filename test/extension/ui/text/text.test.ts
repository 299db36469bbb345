import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { SealwrightError } from '../../../../src/rpc/errors.ts';
import { capability } from '../../../../src/rpc/methods/page.ts';
import { capabilityWords } from '../../../../extension/ui/text/capability-words.ts';
import { errorWords } from '../../../../extension/ui/text/error-words.ts';
import { applyLanguage, formattingLanguage, Text } from '../../../../extension/ui/text/i18n.ts';
import { keyName } from '../../../../extension/ui/text/key-facts.ts';
import { shortOrigin, splitOrigin } from '../../../../extension/ui/text/origin.ts';
import { plainText } from '../../../../extension/ui/text/plain-text.ts';
import { messageReader, type Messages } from '../harness/read-messages.ts';

const textIn = (locale: string) => {
  const json = readFileSync(`_locales/${locale}/messages.json`, 'utf8');
  return new Text(messageReader(JSON.parse(json) as Messages), locale);
};
const english = textIn('en');

describe('messages', () => {
  it('get their substitutions, numbers in the language', () => {
    expect(english.t('version', '1.2.3')).to.equal('Version 1.2.3');
    expect(textIn('de').t('poolsLabel', 1234)).to.match(/^1\.234 /);
  });

  it('choose the form that the count wants', () => {
    expect(english.plural('usesLeft', 1)).to.equal('1 use left');
    expect(english.plural('usesLeft', 0)).to.equal('0 uses left');
    expect(textIn('de').plural('usesLeft', 1)).to.equal('noch 1 Verwendung');
    expect(textIn('zh_CN').plural('usesLeft', 1)).to.equal('还可使用 1 次');
  });

  it('fall back to the general form where a language wants one that is not there', () => {
    const messages = { usesLeft_other: { message: '$1', placeholders: {} } };
    const arabic = new Text((name) => (name in messages ? 'general' : ''), 'ar');
    expect(arabic.plural('usesLeft', 2)).to.equal('general');
  });
});

describe('messages written from right to left', () => {
  const arabic = textIn('ar');
  const ISOLATED_HOST = '\u2068example.org:8080\u2069';

  it('come in all six plural forms of Arabic', () => {
    const forms = [0, 1, 2, 3, 11, 100].map((count) => arabic.plural('grantCount', count));
    expect(new Set(forms).size).to.equal(6);
    expect(forms[2]).to.equal('إذنان');
    expect(forms[3]).to.match(/ أذونات$/);
  });

  it('keep names in Latin letters apart, so that nothing changes its place', () => {
    expect(arabic.t('disableSiteNamed', 'example.org:8080')).to.include(ISOLATED_HOST);
    expect(arabic.list(['Photos', 'صور'])).to.equal('\u2068Photos\u2069 و\u2068صور\u2069');
  });

  it('keep sizes from left to right', () => {
    expect(arabic.bytes(65_536)).to.match(/^\u2066.+\u00a0KiB\u2069$/);
  });

  it('alone do so', () => {
    expect(english.t('disableSiteNamed', 'example.org')).to.equal('Turn off for example.org');
    expect(english.bytes(65_536)).to.equal('64\u00a0KiB');
  });

  it('are on a page that runs the same way', () => {
    const root = {} as HTMLElement;
    applyLanguage(root, 'ar-EG');
    expect(root).to.deep.equal({ lang: 'ar-EG', dir: 'rtl' });
    applyLanguage(root, 'zh-CN');
    expect(root).to.deep.equal({ lang: 'zh-CN', dir: 'ltr' });
  });
});

describe('formatting language', () => {
  it('is the browser’s where that is a variety of the messages’ language', () => {
    expect(formattingLanguage('en', 'en-GB')).to.equal('en-GB');
    expect(formattingLanguage('zh-CN', 'zh_TW')).to.equal('zh-TW');
  });

  it('is the messages’ where the browser speaks another', () => {
    expect(formattingLanguage('en', 'fr-CA')).to.equal('en');
  });
});

describe('capabilities in words', () => {
  it('has words of its own for every capability of the contract', () => {
    const names = ['seal', 'open', 'mac', 'blindIndex', 'sync', 'sign', 'publicKey'];
    // The table of methods accepts exactly these.
    for (const name of names) expect(capability(name, 'capability')).to.equal(name);
    const words = names.map((name) => capabilityWords(name).name);
    expect(new Set(words).size).to.equal(names.length);
    expect(words).to.not.include('capabilityUnknown');
  });

  it('calls others unknown, also when they are named like something that objects have', () => {
    for (const name of ['', 'admin', 'constructor', '__proto__']) {
      expect(capabilityWords(name).name).to.equal('capabilityUnknown');
    }
  });
});

describe('errors in words', () => {
  it('speak of the code, never of the message', () => {
    const words = errorWords(new SealwrightError('LOCKED', 'internal detail'), english);
    expect(words)
      .to.match(/locked/)
      .and.not.include('internal detail');
  });

  it('exist for whatever was thrown', () => {
    for (const strange of [undefined, null, 'x', new Error('detail'), { code: 3 }]) {
      expect(errorWords(strange, english)).to.equal(english.t('errorInternal'));
    }
  });
});

describe('names of keys', () => {
  it('are what app keys are, and the user’s label for others', () => {
    expect(keyName({ kind: 'app', label: 'ignored' }, english)).to.equal(english.t('appKey'));
    expect(keyName({ kind: 'sealing', label: 'Photos' }, english)).to.equal('Photos');
    expect(keyName({ kind: 'sealing', label: '' }, english)).to.equal(english.t('unnamedKey'));
  });
});

describe('origins for display', () => {
  it('come apart into scheme, host and port', () => {
    expect(splitOrigin('https://example.org')).to.deep.equal({
      scheme: 'https://',
      host: 'example.org',
      port: '',
      punycode: false,
    });
    expect(splitOrigin('http://localhost:8080')).to.include({ port: ':8080' });
  });

  it('keep international names in ASCII and say so', () => {
    const { origin } = new URL('https://аррӏе.com');
    const { host, punycode } = splitOrigin(origin);
    expect(host).to.match(/^[\x20-\x7e]+$/);
    expect(punycode).to.be.true;
  });

  it('do not take a name that merely contains xn-- for an international one', () => {
    expect(splitOrigin('https://axn--b.example').punycode).to.be.false;
  });

  for (const wrong of ['https://example.org/', 'https://EXAMPLE.org', 'https://u@example.org']) {
    it(`refuse ${wrong}, which is not how browsers write an origin`, () => {
      expect(() => splitOrigin(wrong)).to.throw(TypeError);
    });
  }

  it('are shortened in lists for secure sites only', () => {
    expect(shortOrigin('https://example.org:8443')).to.equal('example.org:8443');
    expect(shortOrigin('http://localhost')).to.equal('http://localhost');
    expect(shortOrigin('null')).to.equal('null');
  });
});

describe('a site’s own words', () => {
  it('become one line', () => {
    expect(plainText('One\n\n two\u2028three\t')).to.equal('One two three');
  });

  it('lose bidirectional overrides and invisible characters', () => {
    expect(plainText('a\u202eb\u200bc\u2066d\u00ade\ufefff')).to.equal('a b c d e f');
  });

  it('keep the joiners that scripts and emoji need', () => {
    expect(plainText('می\u200cخواهم 👩\u200d💻')).to.equal('می\u200cخواهم 👩\u200d💻');
  });

  it('are cut between characters, with a sign that they were', () => {
    expect(plainText('👍👍👍', 2)).to.equal('👍…');
    expect(plainText('👍👍', 2)).to.equal('👍👍');
  });

  it('never contain a control or a line break, whatever they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text)).to.not.match(/[\p{Cc}\u2028-\u202e\u2066-\u2069\u200b]/u);
        expect(Array.from(plainText(text, 5)).length).to.be.at.most(5);
      }),
    );
  });
});
