import { expect } from 'chai';
import { QUOTA_BYTES, SystemSource } from '../../src/random/system-source.ts';

describe('SystemSource', () => {
  it('requests at most 65,536 bytes at once, and fills every byte', () => {
    const asked: number[] = [];
    const source = new SystemSource({
      getRandomValues: (target) => {
        asked.push(target.length);
        target.fill(0xa5);
      },
    });
    for (const length of [0, 1, QUOTA_BYTES, QUOTA_BYTES + 1, 3 * QUOTA_BYTES - 1]) {
      expect(source.bytes(length).every((byte) => byte === 0xa5)).to.equal(true);
    }
    const q = QUOTA_BYTES;
    expect(q).to.equal(65_536);
    expect(asked).to.deep.equal([1, q, q, 1, q, q, q - 1]);
  });

  it('is the platform by default', () => {
    const source = new SystemSource();
    expect(source.bytes(200_000)).to.have.length(200_000);
    expect(source.bytes(32)).to.not.deep.equal(source.bytes(32));
  });

  it('passes on the platform’s errors', () => {
    const failing = {
      getRandomValues: (): never => {
        throw new Error('no device');
      },
    };
    expect(() => new SystemSource(failing).bytes(1)).to.throw(Error, 'no device');
  });
});
