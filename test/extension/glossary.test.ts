import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Messages } from './ui/harness/read-messages.ts';

/*
 * One word for one thing, in each language: what a person learns on one screen is called the same on
 * the next. Technical words stand where people asked for them, under Advanced.
 */

/** The word for each thing, as it begins; and words for the same things that are not used. */
interface Words {
  readonly seal: string;
  readonly open: string;
  readonly key: string;
  readonly vault: string;
  readonly recoveryCode: string;
  readonly passphrase: string;
  readonly refused: RegExp;
}

const GLOSSARY: Readonly<Record<string, Words>> = {
  en: {
    seal: 'seal',
    open: 'open',
    key: 'key',
    vault: 'vault',
    recoveryCode: 'recovery code',
    passphrase: 'passphrase',
    refused: /\b(en|de)crypt|cipher|\bsafe\b.*\bkeys\b|recovery key|rescue code|master password/i,
  },
  de: {
    seal: 'schlüsselt',
    open: 'öffnen',
    key: 'schlüssel',
    vault: 'tresor',
    recoveryCode: 'wiederherstellungscode',
    passphrase: 'passphrase',
    refused: /siegel|chiffrier|\bsafe\b|notfallcode|rettungscode|kennwort/i,
  },
  es: {
    seal: 'cifrad',
    open: 'abrir',
    key: 'clave',
    vault: 'caja fuerte',
    recoveryCode: 'código de recuperación',
    passphrase: 'frase de contraseña',
    refused: /\bsell[aóe]|encript|bóveda|código de rescate/i,
  },
  fr: {
    seal: 'chiffr',
    open: 'ouvrir',
    key: 'clé',
    vault: 'coffre',
    recoveryCode: 'code de récupération',
    passphrase: 'phrase de passe',
    refused: /scell|crypté|crypter|chambre forte|code de secours|phrase secrète/i,
  },
  pt_BR: {
    seal: 'criptografad',
    open: 'abrir',
    key: 'chave',
    vault: 'cofre',
    recoveryCode: 'código de recuperação',
    passphrase: 'frase secreta',
    refused: /\bsela[dnr]|\bselou|cifra|código de resgate|frase-senha/i,
  },
  ru: {
    seal: 'шифрован',
    open: 'открыть',
    key: 'ключ',
    vault: 'хранилищ',
    recoveryCode: 'код восстановления',
    passphrase: 'парольн',
    refused: /запечат|сейф|кодовая фраза|код спасения/i,
  },
  ar: {
    seal: 'مشفّر',
    open: 'فتح',
    key: 'مفاتيح',
    vault: 'خزن',
    recoveryCode: 'رمز الاسترداد',
    passphrase: 'عبارة المرور',
    refused: /مختوم|ختم|قبو/,
  },
  hi: {
    seal: 'एन्क्रिप्ट',
    open: 'खोल',
    key: 'कुंजि',
    vault: 'वॉल्ट',
    recoveryCode: 'रिकवरी कोड',
    passphrase: 'पासफ़्रेज़',
    refused: /सील|तिजोरी|पुनर्प्राप्ति कोड/,
  },
  ja: {
    seal: '暗号',
    open: '開く',
    key: '鍵',
    vault: '保管庫',
    recoveryCode: 'リカバリーコード',
    passphrase: 'パスフレーズ',
    refused: /封印|開封|金庫|復旧コード|合言葉/,
  },
  ko: {
    seal: '암호화',
    open: '열기',
    key: '키',
    vault: '보관함',
    recoveryCode: '복구 코드',
    passphrase: '암호 문구',
    refused: /봉인|금고|복원 코드/,
  },
  zh_CN: {
    seal: '加密',
    open: '打开',
    key: '密钥',
    vault: '保险库',
    recoveryCode: '恢复代码',
    passphrase: '密码短语',
    refused: /密封|封存|保险箱|恢复码/,
  },
  zh_TW: {
    seal: '加密',
    open: '開啟',
    key: '金鑰',
    vault: '保險庫',
    recoveryCode: '復原碼',
    passphrase: '密語',
    refused: /密封|保險箱|恢復碼|密碼片語/,
  },
};

/** Wordings that people who saw the screens for the first time did not understand. */
const NOT_UNDERSTOOD = new RegExp(
  [
    'present passphrase|always stay good|another medium|stands where|keep a text from',
    'does not answer here|for an expert who|name of the person|its passphrase|or its text',
    'recovery code on paper|once nobody|3 months|nothing of sealwright is in the page',
    'name here already|it is forgotten',
  ].join('|'),
  'i',
);

/** Shown under Advanced alone, or about a key that was made there. */
const ADVANCED =
  /^(advanced|age|import|sync|slotCost|keyOpensAge|keySyncs|keySigns|backupNoIdentity|backupNeedsIdentity|knownAnswers|answers|engines|throughput|aboutEngines|selfTest|activitySubtle|capabilityUnknown)/;

/** About files that other tools have made, in their words. */
const OTHER_TOOLS = /^(files|file[A-Z]|openFile|opened|sealAgain|context)/;

/** Where a person meets the thing for the first time, and hears the common word for it. */
const INTRODUCTION = /^(extDescription|firstRun|aboutWhat|welcome|try|seal(File|ed)?Lead)/;

/** What stands on the screens whose names are the words of the glossary. */
const NAMED_BY = {
  seal: 'sealedText',
  open: 'openSealed',
  key: 'navKeys',
  vault: 'unlockTitle',
  recoveryCode: 'recoveryTitle',
  passphrase: 'passphrase',
} as const;

const JARGON = /\bage\b|SJCL|Argon2|PBKDF2|Firefox Sync|\bWeave\b|\bPRF\b|PKCS|AES|sync key/;

describe('the words of the screens', () => {
  for (const [locale, { refused, ...words }] of Object.entries(GLOSSARY)) {
    const messages = JSON.parse(
      readFileSync(`_locales/${locale}/messages.json`, 'utf8'),
    ) as Messages;
    const everyday = Object.entries(messages).filter(
      ([key]) => ![ADVANCED, OTHER_TOOLS].some((some) => some.test(key)),
    );

    it(`${locale}: the screens are named by the words of the glossary`, () => {
      for (const [thing, key] of Object.entries(NAMED_BY)) {
        const word = words[thing as keyof typeof NAMED_BY];
        // A soft hyphen in it says where it may be parted.
        const named = messages[key]!.message.replaceAll('\u00ad', '').toLowerCase();
        expect(named, key).to.include(word);
      }
    });

    it(`${locale}: has no second word for a thing`, () => {
      const wrong = everyday.filter(
        ([key, { message }]) => !INTRODUCTION.test(key) && refused.test(message),
      );
      expect(wrong.map(([key, { message }]) => `${key}: ${message}`)).to.deep.equal([]);
    });

    it(`${locale}: has technical words under Advanced alone`, () => {
      const wrong = everyday.filter(([, { message }]) => JARGON.test(message));
      expect(wrong.map(([key, { message }]) => `${key}: ${message}`)).to.deep.equal([]);
    });
  }
});

describe('the English words', () => {
  it('are not those that were misunderstood', () => {
    const english = JSON.parse(readFileSync('_locales/en/messages.json', 'utf8')) as Messages;
    const wrong = Object.values(english).filter(({ message }) => NOT_UNDERSTOOD.test(message));
    expect(wrong.map(({ message }) => message)).to.deep.equal([]);
  });
});

/**
 * Flesch (1948): reading ease = 206.835 − 1.015 · words ÷ sentences − 84.6 · syllables ÷ words. 60 to 70 is plain English,
 * as at school at 13 to 15; 70 to 80 is fairly easy. A colon or semicolon ends a sentence here as a full stop does.
 */
const PLAIN = 70;
/** Shorter messages are labels, for which the formula says nothing. */
const LEAST_WORDS = 8;

/** Syllables of an English word, as vowels that stand together; a silent e at its end is none. */
function syllables(word: string): number {
  const spoken = word.toLowerCase().replace(/(?:[^laeiouy]es|ed|[^laeiouy]e)$/, '');
  return Math.max(1, spoken.match(/[aeiouy]+/g)?.length ?? 0);
}

/** Flesch’s reading ease of messages together. */
function readingEase(messages: readonly string[]): number {
  const words = messages.flatMap(wordsOf);
  const sentences = messages.flatMap((text) => text.match(/[^.!?:;]+[.!?:;]*/g) ?? []);
  const ofSentences = sentences.filter((text) => wordsOf(text).length > 0).length;
  const spoken = words.reduce((sum, word) => sum + syllables(word), 0);
  return 206.835 - 1.015 * (words.length / ofSentences) - 84.6 * (spoken / words.length);
}

function wordsOf(text: string): string[] {
  return text.replace(/\$\w+\$/g, 'it').match(/[A-Za-z’]+/g) ?? [];
}

/** The messages of each folder of views, by the keys that its files name. */
function messagesByView(): ReadonlyMap<string, readonly string[]> {
  const english = JSON.parse(readFileSync('_locales/en/messages.json', 'utf8')) as Messages;
  const views = new Map<string, string[]>();
  const folders = ['views', 'popup', 'prompt', 'manager', 'fields-window'];
  for (const folder of folders) {
    for (const name of readdirSync(join('extension', folder), { recursive: true }) as string[]) {
      if (!/\.tsx?$/.test(name)) continue;
      const view = dirname(join(folder, name));
      const source = readFileSync(join('extension', folder, name), 'utf8');
      const keys = [...source.matchAll(/'(\w+)'/g)].map(([, key]) => key!);
      const found = keys
        .flatMap((key) => [key, `${key}_other`])
        .filter((key) => Object.hasOwn(english, key))
        .filter((key) => ![ADVANCED, OTHER_TOOLS].some((some) => some.test(key)))
        .map((key) => english[key]!.message)
        .filter((message) => wordsOf(message).length >= LEAST_WORDS);
      views.set(view, [...(views.get(view) ?? []), ...found]);
    }
  }
  return views;
}

describe('the English sentences', () => {
  it(`have a reading ease of ${PLAIN} or more in each view`, () => {
    const hard = [...messagesByView()]
      .filter(([, messages]) => messages.length > 0)
      .map(([view, messages]) => [view, readingEase(messages)] as const)
      .filter(([, ease]) => ease < PLAIN)
      .map(([view, ease]) => `${view}: ${ease.toFixed(0)}`);
    expect(hard).to.deep.equal([]);
  });

  it('would not, in the words of specialists', () => {
    const hard =
      'Cryptographic authentication of associated parameters necessitates serialisation.';
    expect(readingEase([hard])).to.be.below(PLAIN);
    expect(
      readingEase(['The vault is locked. Open it with your passphrase and try again.']),
    ).to.be.above(PLAIN);
  });
});
