import { expect } from 'chai';
import { createHash } from 'node:crypto';
import * as common from '@zxcvbn-ts/language-common';
import { verificationOf } from '../../../src/service/sharing/verification.ts';

describe('Verification words', () => {
  /** docs/format.md section 3.4, in another language's arithmetic would be better; in other steps. */
  function expected(type: number, key: Uint8Array) {
    const digest = createHash('sha256')
      .update('SWM1 words')
      .update(Uint8Array.of(type))
      .update(key);
    const hex = digest.digest('hex');
    const words: number[] = [];
    for (let n = BigInt(`0x${hex.slice(0, 32)}`), i = 0; i < 6; i++, n /= 7776n) {
      words.unshift(Number(n % 7776n));
    }
    const digits = BigInt(`0x${hex.slice(32)}`)
      .toString()
      .padStart(25, '0')
      .slice(-25);
    return { digest: hex, words, digits: digits.match(/.{5}/g) };
  }

  it('are those that the specification says, for any key', () => {
    for (let i = 0; i < 300; i++) {
      const key = createHash('sha256').update(String(i)).digest();
      const type = (i % 2) + 1;
      expect(verificationOf(type, key)).to.deep.equal(expected(type, key));
    }
  });

  it('differ for one bit of the key, and for its type', () => {
    const key = new Uint8Array(32);
    const other = key.with(0, 1);
    const all = [verificationOf(1, key), verificationOf(1, other), verificationOf(2, key)];
    expect(new Set(all.map(({ words }) => words.join())).size).to.equal(3);
    expect(new Set(all.map(({ digits }) => digits.join())).size).to.equal(3);
  });

  it('are of a list that never changes: two people may have two releases', () => {
    const list = common.dictionary['diceware-common'];
    expect(list).to.have.length(7776);
    expect(new Set(list).size).to.equal(7776);
    expect(createHash('sha256').update(list.join('\n')).digest('hex')).to.equal(
      '3a9f479e47d982dbf90bfa42619cd1946f11b122bbccbec22e316104187cf401',
    );
  });
});
