import { expect } from 'chai';
import { keyIn, withKey } from '../../src/release/drop-page.ts';
import { PAGE } from './copy.ts';

describe('the place of a key in the page', () => {
  it('takes a key, and gives the page of the release when it is empty again', () => {
    const copy = withKey(PAGE, 'swp1.AbC-_9');
    expect(keyIn(copy)).to.equal('swp1.AbC-_9');
    expect(keyIn(PAGE)).to.equal('');
    expect(withKey(copy, '')).to.equal(PAGE);
    expect(withKey(copy, 'swp1.other')).to.equal(withKey(PAGE, 'swp1.other'));
  });

  it('takes nothing that could leave its attribute', () => {
    for (const key of ['"><script>', 'a b', 'é', '$&', "'"]) {
      expect(() => withKey(PAGE, key), key).to.throw(RangeError, 'no place for this key');
    }
  });

  it('is not in another page', () => {
    expect(keyIn('<!DOCTYPE html>')).to.equal(undefined);
    expect(() => withKey('<!DOCTYPE html>', '')).to.throw(RangeError);
  });
});
