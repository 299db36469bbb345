import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex } from '../../../src/crypto/bytes.ts';
import {
  encodeRecoveryCode,
  newRecoveryCode,
  GROUPS,
  parseRecoveryCode,
} from '../../../src/keys/unlock/recovery-code.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';

const secrets = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('Recovery codes', () => {
  it('has seven groups of four symbols that cannot be mistaken for each other', () => {
    expect(GROUPS).to.equal(7);
    for (let i = 0; i < 200; i++) {
      expect(newRecoveryCode(systemRandom)).to.match(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-Z]{4}$/);
    }
  });

  // Computed with Python's int.from_bytes and hashlib.
  it('has this form for ever', () => {
    const secret = fromHex('000102030405060708090a0b0c0d0e0f');
    expect(encodeRecoveryCode(secret)).to.equal('000G-40R4-0M30-E209-185G-R38E-1Z9K');
  });

  it('gives its secret back, however it is written', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const code = encodeRecoveryCode(secret);
        const asTyped = [
          code,
          code.toLowerCase(),
          code.replaceAll('-', ''),
          ` ${code.replaceAll('-', ' – ')}\n`,
          code.replaceAll('0', 'o').replaceAll('1', 'l'),
          code.replaceAll('0', 'O').replaceAll('1', 'I'),
        ];
        for (const text of asTyped) expect(parseRecoveryCode(text), text).to.deep.equal(secret);
      }),
    );
  });

  it('finds nearly every mistyped symbol, and takes nothing that is no code', () => {
    let missed = 0;
    const code = encodeRecoveryCode(systemRandom.bytes(16)).replaceAll('-', '');
    for (let at = 0; at < code.length; at++) {
      for (const symbol of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        if (symbol === code[at]) continue;
        if (parseRecoveryCode(code.slice(0, at) + symbol + code.slice(at + 1))) missed++;
      }
    }
    expect(missed).to.be.below(6); // 868 of them, 1 in 4,096 each
    for (const text of [
      '',
      code.slice(1),
      `${code}0`,
      code.replace(/^./, 'U'),
      code.replace(/^./, '!'),
    ]) {
      expect(parseRecoveryCode(text), text).to.equal(undefined);
    }
  });
});
