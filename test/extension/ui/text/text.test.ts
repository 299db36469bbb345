import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { fromWire, needsKey, SealwrightError, toWire } from '../../../../src/rpc/errors.ts';
import type { NeededGroup } from '../../../../src/rpc/methods/ui-contacts.ts';
import { needsGroup } from '../../../../src/service/errors.ts';
import { NoWorker } from '../../../../src/rpc/workshop.ts';
import { capability } from '../../../../src/rpc/methods/page.ts';
import { capabilityWords, MADE_KINDS } from '../../../../extension/ui/text/key-words.ts';
import {
  errorCode,
  errorWords,
  neededGroup,
  neededGroupWords,
  wantsPassphrase,
} from '../../../../extension/ui/text/error-words.ts';
import { applyLanguage, formattingLanguage, Text } from '../../../../extension/ui/text/i18n.ts';
import { keyName } from '../../../../extension/ui/text/key-facts.ts';
import { areLookAlikes, shortOrigin, splitOrigin } from '../../../../extension/ui/text/origin.ts';
import { plainText } from '../../../../extension/ui/text/plain-text.ts';
import type { Messages } from '../../../../extension/platform/windows/chosen-words.ts';
import { messageReader } from '../../../../extension/ui/text/message-reader.ts';

const textIn = (locale: string) => {
  const json = readFileSync(`_locales/${locale}/messages.json`, 'utf8');
  return new Text(messageReader(JSON.parse(json) as Messages), locale);
};
const english = textIn('en');

describe('messages', () => {
  it('insert substitutions, with numbers formatted for the language', () => {
    expect(english.t('version', '1.2.3')).to.equal('Version 1.2.3');
    expect(textIn('de').t('poolsLabel', 1234)).to.match(/^1\.234 /);
  });

  it('use the plural form of the count', () => {
    expect(english.plural('usesLeft', 1)).to.equal('1 use left');
    expect(english.plural('usesLeft', 0)).to.equal('0 uses left');
    expect(textIn('de').plural('usesLeft', 1)).to.equal('noch 1 Verwendung');
    expect(textIn('zh_CN').plural('usesLeft', 1)).to.equal('还可使用 1 次');
  });

  it('use the form _other where a plural form is missing', () => {
    const messages = { usesLeft_other: { message: '$1', placeholders: {} } };
    const arabic = new Text((name) => (name in messages ? 'general' : ''), 'ar');
    expect(arabic.plural('usesLeft', 2)).to.equal('general');
  });
});

describe('messages of right-to-left languages', () => {
  const arabic = textIn('ar');
  const ISOLATED_HOST = '\u2068example.org:8080\u2069';

  it('have all six plural forms of Arabic', () => {
    const forms = [0, 1, 2, 3, 11, 100].map((count) => arabic.plural('grantCount', count));
    expect(new Set(forms).size).to.equal(6);
    expect(forms[2]).to.equal('إذنان');
    expect(forms[3]).to.match(/ أذونات$/);
  });

  it('isolate names in Latin letters, so that they reorder nothing', () => {
    expect(arabic.t('moreNamed', 'example.org:8080')).to.include(ISOLATED_HOST);
    expect(arabic.list(['Photos', 'صور'])).to.equal('\u2068Photos\u2069 و\u2068صور\u2069');
  });

  it('keep the order of facts in a line', () => {
    const facts = arabic.facts(['example.org', 'Photos', '2 ×']);
    expect(facts).to.equal(
      '\u2068example.org\u2069\u00a0· \u2068Photos\u2069\u00a0· \u20682 ×\u2069',
    );
    expect(english.facts(['a', 'b']), 'no line begins with the dot').to.equal('a\u00a0· b');
  });

  it('write sizes from left to right', () => {
    expect(arabic.bytes(65_536)).to.match(/^\u2066.+\u00a0KiB\u2069$/);
  });

  it('are isolated in these languages only', () => {
    expect(english.t('moreNamed', 'example.org')).to.equal('More actions: example.org');
    expect(english.bytes(65_536)).to.equal('64\u00a0KiB');
  });

  it('set the direction of the page', () => {
    const root = {} as HTMLElement;
    applyLanguage(root, 'ar-EG');
    expect(root).to.deep.equal({ lang: 'ar-EG', dir: 'rtl' });
    applyLanguage(root, 'zh-CN');
    expect(root).to.deep.equal({ lang: 'zh-CN', dir: 'ltr' });
  });
});

describe('formatting language', () => {
  it('is the browser’s language if it is a variety of the messages’ language', () => {
    expect(formattingLanguage('en', 'en-GB')).to.equal('en-GB');
    expect(formattingLanguage('zh-CN', 'zh_TW')).to.equal('zh-TW');
  });

  it('is the messages’ language if the browser has another', () => {
    expect(formattingLanguage('en', 'fr-CA')).to.equal('en');
  });
});

describe('messages for capabilities', () => {
  it('differ for every capability of the page API', () => {
    const names = ['seal', 'open', 'mac', 'blindIndex', 'sync', 'sign', 'publicKey'];
    // The table of methods accepts exactly these.
    for (const name of names) expect(capability(name, 'capability')).to.equal(name);
    const words = names.map((name) => capabilityWords(name).name);
    expect(new Set(words).size).to.equal(names.length);
    expect(words).to.not.include('capabilityUnknown');
  });

  it('are the unknown ones for other names, such as those of object members', () => {
    for (const name of ['', 'admin', 'constructor', '__proto__']) {
      expect(capabilityWords(name).name).to.equal('capabilityUnknown');
    }
  });
});

describe('the form for new keys', () => {
  it('offers three kinds', () => {
    const words = MADE_KINDS.map(({ value, made }) => [value, english.t(made)]);
    expect(words.map(([kind]) => kind)).to.deep.equal(['sealing', 'signing', 'sync']);
    expect(new Set(words.map(([, word]) => word)).size).to.equal(3);
  });
});

describe('messages for errors', () => {
  it('depend on the code and not on the error’s message', () => {
    const words = errorWords(new SealwrightError('LOCKED', 'internal detail'), english);
    expect(words)
      .to.match(/locked/)
      .and.not.include('internal detail');
  });

  it('do not blame a file or a version where the browser could not start a worker', () => {
    const { code, message, data } = toWire(new NoWorker());
    const error = fromWire({ code, message, data });
    expect(errorCode(error)).to.equal('NO_WORKER');
    expect(errorWords(error, english)).to.equal(english.t('errorNoWorker'));
    expect(errorCode(new SealwrightError('UNSUPPORTED', 'newer'))).to.equal('UNSUPPORTED');
  });

  it('tell a text for a group from one under another key, and from one that needs a passphrase', () => {
    const group = { name: 'Choir', lacks: 'epoch' } as const;
    const forGroup = needsGroup(group);
    expect(neededGroup(forGroup)).to.equal(group);
    expect(wantsPassphrase(forGroup)).to.equal(false);
    expect(neededGroup(needsKey('AAAAAAAAAAAAAAAAAAAAAQ'))).to.equal(undefined);
    expect(neededGroup(new SealwrightError('NEEDS_KEY', 'a passphrase'))).to.equal(undefined);
    expect(neededGroup(new SealwrightError('AUTH_FAILED', 'why', { group }))).to.equal(undefined);
  });

  it('say whom to ask where a message is for a group', () => {
    const words = (name: string | null, lacks: NeededGroup['lacks']) =>
      neededGroupWords({ name, lacks }, english);
    expect(words(null, 'group')).to.include('Ask an admin of the group for the newest group file');
    expect(words('Choir', 'epoch')).to.include('Ask an admin of Choir for the newest group file');
    expect(words('Choir', 'member')).to.include('members of Choir').and.include('Ask its sender');
  });

  it('exist for any thrown value', () => {
    for (const strange of [undefined, null, 'x', new Error('detail'), { code: 3 }]) {
      expect(errorWords(strange, english)).to.equal(english.t('errorInternal'));
    }
  });
});

describe('names of keys', () => {
  it('are fixed for app keys, and the user’s label for others', () => {
    expect(keyName({ kind: 'app', label: 'ignored' }, english)).to.equal(english.t('appKey'));
    expect(keyName({ kind: 'sealing', label: 'Photos' }, english)).to.equal('Photos');
    expect(keyName({ kind: 'sealing', label: '' }, english)).to.equal(english.t('unnamedKey'));
  });
});

describe('origins for display', () => {
  it('are split into scheme, host and port', () => {
    expect(splitOrigin('https://example.org')).to.deep.equal({
      scheme: 'https://',
      host: 'example.org',
      registered: 'example.org',
      port: '',
      punycode: false,
    });
    expect(splitOrigin('http://localhost:8080')).to.include({ port: ':8080' });
  });

  it('keep international names in ASCII and mark them', () => {
    const { origin } = new URL('https://аррӏе.com');
    const { host, punycode } = splitOrigin(origin);
    expect(host).to.match(/^[\x20-\x7e]+$/);
    expect(punycode).to.be.true;
  });

  it('have the end of the host that its owner registered', () => {
    const registered = (host: string) => splitOrigin(`https://${host}`).registered;
    expect(registered('accounts.bank.example.evil-site.com')).to.equal('evil-site.com');
    expect(registered('www.bank.co.uk')).to.equal('bank.co.uk');
    expect(registered('www.bank.me.uk')).to.equal('bank.me.uk');
    expect(registered('www.evil.com.')).to.equal('evil.com.');
    expect(registered('login.mail.de')).to.equal('mail.de');
    expect(registered('bank.example.someone.github.io')).to.equal('someone.github.io');
    expect(registered('a.b.localhost')).to.equal('b.localhost');
    for (const whole of ['localhost', 'example.org', '127.0.0.1', '[::1]']) {
      expect(registered(whole)).to.equal(whole);
    }
  });

  it('are distinguished where they look alike and belong to different owners', () => {
    const alike = (one: string, other: string) =>
      areLookAlikes(`https://${one}`, `https://${other}`);
    for (const other of [
      'notes.exarnple.org',
      'exampl3.org',
      'examp1e.org',
      'exmaple.org',
      'exampe.org',
      'examplee.org',
      'ex-ample.org',
      'example.com',
      'app.example.co.uk',
      'example.org.login.evil.com',
      'xn--exmple-cua.org',
    ]) {
      expect(alike('example.org', other), other).to.equal(true);
      expect(alike(other, 'example.org'), other).to.equal(true);
    }
    for (const other of [
      'notes.example.org',
      'example.org',
      'new-notes.net',
      'sample-pages.org',
      'localhost',
    ]) {
      expect(alike('example.org', other), other).to.equal(false);
    }
    expect(alike('a.example', 'b.example')).to.equal(false);
  });

  it('do not mark a name with xn-- inside a label', () => {
    expect(splitOrigin('https://axn--b.example').punycode).to.be.false;
  });

  for (const wrong of ['https://example.org/', 'https://EXAMPLE.org', 'https://u@example.org']) {
    it(`reject ${wrong}, which is not a serialised origin`, () => {
      expect(() => splitOrigin(wrong)).to.throw(TypeError);
    });
  }

  it('are shortened for secure sites only', () => {
    expect(shortOrigin('https://example.org:8443')).to.equal('example.org:8443');
    expect(shortOrigin('http://localhost')).to.equal('http://localhost');
    expect(shortOrigin('null')).to.equal('null');
  });
});

describe('texts of sites', () => {
  it('become one line', () => {
    expect(plainText('One\n\n two\u2028three\t')).to.equal('One two three');
  });

  it('lose bidirectional overrides and invisible characters', () => {
    expect(plainText('a\u202eb\u200bc\u2066d\u00ade\ufefff')).to.equal('a b c d e f');
  });

  it('keep the joiners that scripts and emoji need', () => {
    expect(plainText('می\u200cخواهم 👩\u200d💻')).to.equal('می\u200cخواهم 👩\u200d💻');
  });

  it('lose letters that are drawn as nothing', () => {
    expect(plainText('Pay\u3164\u3164\u2800now\u115f!\u034f')).to.equal('Pay now !');
    expect(plainText('\u3164\u2800\uffa0')).to.equal('');
  });

  it('keep the marks of a language, and no stacks of them that cover other lines', () => {
    for (const words of ['Tiếng Việt', 'Việt'.normalize('NFD'), 'שָׁלוֹם', 'ที่นี่', 'नमस्ते', '1️⃣']) {
      expect(plainText(words)).to.equal(words);
    }
    expect(plainText(`a${'\u0301'.repeat(40)}b`)).to.equal(`a${'\u0301'.repeat(4)}b`);
    expect(plainText(`a${'\u0301\u200d'.repeat(40)}b`).match(/\u0301/g)).to.have.length(4);
    expect(plainText('\u0301\u0301x')).to.equal('x');
  });

  it('are cut between characters, with an ellipsis', () => {
    expect(plainText('👍👍👍', 2)).to.equal('👍…');
    expect(plainText('👍👍', 2)).to.equal('👍👍');
  });

  it('never contain a control or a line break, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text)).to.not.match(/[\p{Cc}\u2028-\u202e\u2066-\u2069\u200b]/u);
        expect(Array.from(plainText(text, 5)).length).to.be.at.most(5);
      }),
    );
  });
});
