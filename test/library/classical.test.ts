import { expect } from 'chai';
import { modExp } from '../../src/library/bigint.ts';
import { blockCipher, dh, dsa, namedGroup, rsa } from '../../src/library/classical.ts';

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

describe('blockCipher', () => {
  it('has six ciphers, with the lengths of their blocks and keys', async () => {
    for (const name of ['Twofish', 'RC6', 'MARS', 'Serpent', 'SC2000'] as const) {
      const { blockBytes, keyBytes, engine } = await blockCipher(name, { engine: 'auto' });
      expect({ blockBytes, keyBytes, engine }).to.deep.equal({
        blockBytes: 16,
        keyBytes: [16, 24, 32],
        engine: 'js',
      });
    }
    const idea = await blockCipher('IDEA');
    expect([idea.blockBytes, idea.keyBytes]).to.deep.equal([8, [16]]);
  });

  it('opens what it sealed', async () => {
    const cipher = await blockCipher('Serpent', { engine: 'js' });
    const [key, iv] = [new Uint8Array(32).fill(1), new Uint8Array(12).fill(2)];
    const message = new TextEncoder().encode('kept since 1998');
    const sealed = await cipher.encrypt('OCB', key, { iv }, message);
    expect(sealed.length).to.equal(message.length + 16);
    expect(await cipher.decrypt('OCB', key, { iv }, sealed)).to.deep.equal(message);
  });

  it('rejects unknown names, engines and options, and an engine that lacks the cipher', async () => {
    const refused = async (...args: unknown[]): Promise<string> => {
      const call = blockCipher(...(args as Parameters<typeof blockCipher>));
      return call.then(
        () => 'no error',
        (error: unknown) => (error as Error).name,
      );
    };
    expect(await refused('DES')).to.equal('TypeError');
    expect(await refused('toString')).to.equal('TypeError');
    expect(await refused('IDEA', { engine: 'native' })).to.equal('TypeError');
    expect(await refused('IDEA', { engines: 'js' })).to.equal('TypeError');
    expect(await refused('IDEA', null)).to.equal('TypeError');
    expect(await refused('IDEA', { engine: 'wasm-simd' })).to.equal('NotSupportedError');
  });
});
