import { inspect } from 'node:util';
import { expect } from 'chai';
import { Secret } from '../../src/crypto/secret.ts';

const BYTES = [0xde, 0xad, 0xbe, 0xef];

describe('Secret', () => {
  it('shows no bytes in JSON, text or an inspection, also as a member of another object', () => {
    const secret = new Secret(Uint8Array.from(BYTES));
    expect(JSON.stringify({ secret })).to.equal('{"secret":"[secret]"}');
    expect(String(secret)).to.equal('[secret]');
    expect(inspect({ secret })).to.equal('{ secret: [secret] }');
    expect(inspect(secret, { showHidden: true, depth: null })).to.equal('[secret]');
    expect(Object.keys(secret)).to.deep.equal([]);
  });

  it('returns its bytes, and zeros after wipe()', () => {
    const bytes = Uint8Array.from(BYTES);
    const secret = new Secret(bytes);
    expect(secret.bytes).to.equal(bytes);
    secret.wipe();
    expect(bytes).to.deep.equal(new Uint8Array(4));
  });
});
