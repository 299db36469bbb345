import { expect } from 'chai';
import fc from 'fast-check';
import { parsePayloads } from '../../../src/sync/weave/parsed-payload.ts';

const IV = 'aBcDeFgHiJkLmNoPqRsTuV==';
const HMAC = '0123456789abcdef'.repeat(4);

function parsed(payload: string): unknown {
  const [one] = parsePayloads([payload]);
  if (one!.status === 'rejected') return (one!.reason as Error).name;
  const { text, ivText, hmacText } = one!.value;
  const [ciphertext, iv, hmac] = [text, ivText, hmacText].map((each) =>
    Buffer.from(each).toString(),
  );
  return { ciphertext, IV: iv, hmac };
}

/** The result of JSON alone for an ASCII payload. */
function expected(payload: string): unknown {
  try {
    const { ciphertext, IV: iv, hmac } = JSON.parse(payload) as Record<string, unknown>;
    const areTexts = [ciphertext, iv, hmac].every((one) => typeof one === 'string');
    return areTexts ? { ciphertext, IV: iv, hmac } : 'SyncError';
  } catch {
    return 'SyncError';
  }
}

const canonical = (ciphertext: string, iv = IV, hmac = HMAC): string =>
  `{"ciphertext":"${ciphertext}","IV":"${iv}","hmac":"${hmac}"}`;

describe('sync/parsed payloads', () => {
  it('have the canonical spelling at every length', () => {
    for (let length = 0; length < 70; length++) {
      const payload = canonical('A'.repeat(length));
      expect(parsed(payload)).to.deep.equal(expected(payload));
    }
  });

  it('are the same in batches as separately', () => {
    const payloads = [canonical('QUJD'), 'no JSON', ` ${canonical('QUJE')}`, canonical('')];
    const all = parsePayloads(payloads);
    expect(all.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    const texts = all.map(
      (one) => one.status === 'fulfilled' && Buffer.from(one.value.text).toString(),
    );
    expect(texts).to.deep.equal(['QUJD', false, 'QUJE', '']);
    expect(parsePayloads([])).to.deep.equal([]);
  });

  it('agree with JSON, wherever the canonical parts are and whatever is between', () => {
    const pieces = fc.constantFrom(
      ...['{"ciphertext":"', '","IV":"', '","hmac":"', '"}', '"', '\\', '\\/', '\\u0041', ',', ' '],
      ...['QUJD', IV, HMAC, '":"', '"x":1', 'A', '{', '}', ':', '='],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), fc.nat({ max: 200 }), (parts, at) => {
        const whole = canonical('QUJDQUJDQUJD');
        for (const payload of [
          parts.join(''),
          whole.slice(0, at) + parts.join('') + whole.slice(at),
          whole.slice(0, at) + parts.join('') + whole.slice(at + parts.join('').length),
        ]) {
          expect(parsed(payload), payload).to.deep.equal(expected(payload));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('may have escapes, repeated members and other orders, as in every client', () => {
    const escaped = canonical('QUJD', `${'A'.repeat(18)}\\/\\/==`);
    expect(parsed(escaped)).to.deep.include({ IV: `${'A'.repeat(18)}//==` });
    const doubled = canonical('A","ciphertext":"B');
    expect(parsed(doubled)).to.deep.include({ ciphertext: 'B' });
    const other = JSON.stringify({ hmac: HMAC, IV, more: 1, ciphertext: 'QUJD' });
    expect(parsed(other)).to.deep.equal({ ciphertext: 'QUJD', IV, hmac: HMAC });
  });

  it('must be ASCII, in either spelling', () => {
    for (const payload of [
      canonical('QUJé'),
      JSON.stringify({ hmac: HMAC, IV, ciphertext: 'é' }),
    ]) {
      expect(parsed(payload)).to.equal('SyncError');
    }
  });
});
