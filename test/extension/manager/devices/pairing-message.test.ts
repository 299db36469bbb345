import { expect } from 'chai';
import fc from 'fast-check';
import {
  isOfferCode,
  pairingMessage,
  pairingMessageIn,
  pairingText,
  suggestedName,
  typedDigits,
} from '../../../../extension/manager/devices/pairing-message.ts';

const MESSAGE = Uint8Array.from({ length: 1_300 }, (_, at) => (at * 7) % 256);
const TEXT = pairingText(MESSAGE)!;

describe('The text of a message between devices', () => {
  it('brings back each message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
        expect(pairingMessage(pairingText(message)!)).to.deep.equal(message);
      }),
    );
  });

  it('is found as mail programs wrap and quote it, after other words', () => {
    const wrapped = TEXT.replace(/(.{70})/g, '$1\r\n> ');
    for (const text of [` ${TEXT}\n`, `Hello!\n\n> ${wrapped}\n`]) {
      expect(pairingMessage(text)).to.deep.equal(MESSAGE);
    }
  });

  it('is not found where characters are missing in the prefix, or others stand in it', () => {
    const wrong = ['', 'swd1', TEXT.slice(1), `${TEXT}!`, TEXT.replace('swd1.', 'sw1.')];
    for (const text of wrong) expect(pairingMessage(text)).to.equal(undefined);
  });

  it('is offered up to 64 KiB, and a file beyond', () => {
    expect(pairingText(new Uint8Array(64 * 1024))).to.be.a('string');
    expect(pairingText(new Uint8Array(64 * 1024 + 1))).to.equal(undefined);
  });

  it('may be in a file, in the place of the bytes', async () => {
    const bytes = Uint8Array.of(0xf5, ...MESSAGE); // no UTF-8, as each message
    expect(await pairingMessageIn(new Blob([bytes]))).to.deep.equal(bytes);
    expect(await pairingMessageIn(new Blob([TEXT]))).to.deep.equal(MESSAGE);
    expect(await pairingMessageIn(new Blob(['a letter']))).to.equal(undefined);
    expect(await pairingMessageIn(new Blob([new Uint8Array(2 ** 24 + 1).fill(0xf5)]))).to.equal(
      undefined,
    );
  });

  it('is not read of a file that is too long, or that is gone', async () => {
    const never = { size: 2 ** 25, arrayBuffer: () => Promise.reject(new Error('was read')) };
    expect(await pairingMessageIn(never as unknown as Blob)).to.equal(undefined);
    const gone = { size: 1, arrayBuffer: () => Promise.reject(new DOMException('', 'NotFound')) };
    expect(await pairingMessageIn(gone as unknown as Blob)).to.equal(undefined);
  });
});

describe('The text of a code', () => {
  const DIGITS = Array.from('0123456789ABCDEF');
  const code = (digits: readonly string[]) => `SWD1:${digits.join('')}`;

  it('is known by its form alone', () => {
    const whole = fc.array(fc.constantFrom(...DIGITS), { minLength: 64, maxLength: 64 });
    fc.assert(fc.property(whole, (digits) => isOfferCode(code(digits))));
  });

  it('is not known with other characters, of another length, or in other words', () => {
    const right = code(Array<string>(64).fill('A'));
    const wrong = [
      ...['', right.slice(0, -1), `${right}A`, right.toLowerCase(), right.slice(5)],
      ...[`${right}\n`, ` ${right}`, right.replace('A', 'G'), right.replace('A', 'Ａ')],
      ...[right.replace('SWD1:', 'SWD2:'), right.replace('SWD1:', 'https://'), `${right}\0`],
    ];
    for (const text of wrong) expect(isOfferCode(text), JSON.stringify(text)).to.equal(false);
    fc.assert(
      fc.property(fc.nat({ max: 68 }), fc.string({ minLength: 1 }), (at, added) => {
        const altered = right.slice(0, at) + added + right.slice(at);
        expect(isOfferCode(altered)).to.equal(false);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => !isOfferCode(text)));
  });
});

describe('Digits that are typed', () => {
  it('may be of any script, in groups', () => {
    for (const typed of ['402817', ' 402-817 ', '٤٠٢٨١٧', '४०२८१७', '４０２８１７', '۴۰۲۸۱۷']) {
      expect(typedDigits(typed)).to.equal('402817');
    }
    expect(typedDigits('none')).to.equal('');
  });
});

describe('The first name of a device', () => {
  it('says browser and system', () => {
    const names = {
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox, Linux',
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36':
        'Chrome, Windows',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 Safari/537.36 Edg/140.0':
        'Edge, macOS',
      'Mozilla/5.0 (X11; CrOS x86_64) Chrome/140.0 Safari/537.36 OPR/100': 'Opera, ChromeOS',
      'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Firefox/140.0': 'Firefox, Android',
      other: 'Sealwright',
    };
    for (const [userAgent, name] of Object.entries(names)) {
      expect(suggestedName(userAgent)).to.equal(name);
    }
  });
});
