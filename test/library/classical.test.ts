import { expect } from 'chai';
import { modExp } from '../../src/library/bigint.ts';
import { dh, dsa, namedGroup, rsa } from '../../src/library/classical.ts';

describe('the libraries of classical algorithms', () => {
  it('work without their WebAssembly files, as in the sources', () => {
    expect(modExp(4n, 13n, 497n)).to.equal(445n);
    const { p, g } = namedGroup('ffdhe2048');
    const [one, other] = [dh.generateKeyPair({ p, g }), dh.generateKeyPair({ p, g })];
    expect(dh.sharedSecret({ p, g }, one.privateKey, other.publicKey)).to.deep.equal(
      dh.sharedSecret({ p, g }, other.privateKey, one.publicKey),
    );
  });

  it('use the platform’s randomness to blind RSA, and have DSA', () => {
    // p = 61, q = 53: the example of textbooks
    expect(rsa.privateOperation({ n: 3233n, e: 17n, d: 413n }, 2790n)).to.equal(65n);
    expect(Object.keys(dsa)).to.have.members(['sign', 'verify']);
  });
});
