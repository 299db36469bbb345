import { expect } from 'chai';
import { utf8 } from '../../src/crypto/bytes.ts';
import { fastestPbkdf2Sha256 } from '../../src/engine/fastest-pbkdf2.ts';
import { KDF_ANSWERS } from '../../src/engine/known-answers/kdf.ts';

const [SECRET, SALT] = [utf8('a secret'), utf8('a salt')];

/** The platform's WebCrypto, with one method replaced and its calls counted. */
function platform(deriveBits?: SubtleCrypto['deriveBits']): {
  subtle: SubtleCrypto;
  calls: () => number;
} {
  const { subtle } = globalThis.crypto;
  let calls = 0;
  const counted: Pick<SubtleCrypto, 'importKey' | 'deriveBits'> = {
    importKey: subtle.importKey.bind(subtle),
    deriveBits: (...args) => {
      calls++;
      return (deriveBits ?? subtle.deriveBits.bind(subtle))(...args);
    },
  };
  return { subtle: counted as SubtleCrypto, calls: () => calls };
}

describe('the fastest PBKDF2-HMAC-SHA-256', () => {
  it('gives the same bytes with WebCrypto and without', async () => {
    const { subtle, calls } = platform();
    const derived = await fastestPbkdf2Sha256({ subtle })(SECRET, SALT, 1000, 32);
    expect(calls()).to.be.greaterThan(1); // the known answers, and this one
    const portable = await fastestPbkdf2Sha256({})(SECRET, SALT, 1000, 32);
    expect(derived).to.deep.equal(portable);
  });

  it('gives the known answers of both', async () => {
    const answers = KDF_ANSWERS.PBKDF2.filter(({ params }) => params.hash === 'SHA-256');
    expect(answers).to.not.be.empty;
    for (const { secret, params, output } of answers) {
      const { salt, iterations } = params;
      for (const crypto of [globalThis.crypto, {}]) {
        const derived = await fastestPbkdf2Sha256(crypto)(secret, salt, iterations, output.length);
        expect(derived).to.deep.equal(output);
      }
    }
  });

  it('uses the portable code if the platform is wrong or refuses', async () => {
    const expected = await fastestPbkdf2Sha256({})(SECRET, SALT, 1000, 32);
    const wrong = () => Promise.resolve(new ArrayBuffer(64));
    const refusing = () => Promise.reject(new DOMException('no', 'OperationError'));
    for (const deriveBits of [wrong, refusing]) {
      const { subtle, calls } = platform(deriveBits);
      expect(await fastestPbkdf2Sha256({ subtle })(SECRET, SALT, 1000, 32)).to.deep.equal(expected);
      // What its HKDF and PBKDF2 can, and the first known answer.
      expect(calls()).to.equal(3);
    }
  });
});
