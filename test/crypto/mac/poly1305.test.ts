import { expect } from 'chai';
import { Poly1305, poly1305 } from '../../../src/crypto/mac/poly1305.ts';
import { describePoly1305 } from './poly1305-suite.ts';

describe('Poly1305', () => {
  describePoly1305(poly1305);

  it('ends with its digest, and when wiped', () => {
    const mac = new Poly1305(new Uint8Array(32)).update(new Uint8Array(5));
    expect(mac.digest()).to.deep.equal(new Uint8Array(16));
    expect(() => mac.digest()).to.throw(Error, 'ended');
    expect(() => mac.update(new Uint8Array(1))).to.throw(Error, 'ended');
    const wiped = new Poly1305(new Uint8Array(32));
    wiped.wipe();
    expect(() => wiped.digest()).to.throw(Error, 'ended');
  });
});
