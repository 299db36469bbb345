import { expect } from 'chai';
import { fromHex, toHex, utf8 } from '../../src/crypto/bytes.ts';
import { argon2 } from '../../src/crypto/kdf/argon2.ts';
import { ANSWER, fastestArgon2id } from '../../src/engine/fastest-argon2id.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';
import { loadWasm } from '../support/wasm.ts';

const [PASSPHRASE, SALT] = [utf8('correct horse'), new Uint8Array(16).fill(2)];
const COST = { memoryKiB: 256, passes: 2, parallelism: 4 };
const EXPECTED = toHex(argon2('Argon2id', PASSPHRASE, { ...COST, nonce: SALT }, 32));

/** Counts how often the module is asked for. */
function counted(load: LoadWasm): { load: LoadWasm; asked: () => number } {
  let asked = 0;
  return {
    load: (name) => {
      asked++;
      return load(name);
    },
    asked: () => asked,
  };
}

describe('the fastest Argon2id', () => {
  it('is WebAssembly, whose module is loaded once', async () => {
    const { load, asked } = counted(loadWasm);
    const derive = fastestArgon2id(load);
    const keys = await Promise.all([1, 2].map(() => derive(PASSPHRASE, SALT, COST)));
    expect(keys.map(toHex)).to.deep.equal([EXPECTED, EXPECTED]);
    expect(asked()).to.equal(1);
  });

  for (const [what, load] of [
    ['does not load', () => Promise.reject(new Error('gone'))],
    ['is not compiled', () => Promise.resolve(Uint8Array.of(0, 0x61, 0x73, 0x6d, 9))],
    ['is another', () => loadWasm('scrypt')],
    ['computes something else', wrongModule],
  ] as const) {
    it(`gives the same bytes where the module ${what}`, async () => {
      const derive = fastestArgon2id(load);
      expect(toHex(await derive(PASSPHRASE, SALT, COST))).to.equal(EXPECTED);
    });
  }

  it('has the right known answer, without which the module would never be used', () => {
    const { password, options, key } = ANSWER;
    expect(toHex(argon2('Argon2id', fromHex(password), options, 32))).to.equal(key);
  });

  it('copies its inputs at once, and does not change them', async () => {
    const [passphrase, salt] = [PASSPHRASE.slice(), SALT.slice()];
    const pending = fastestArgon2id(loadWasm)(passphrase, salt, COST);
    passphrase.fill(9);
    salt.fill(9);
    expect(toHex(await pending)).to.equal(EXPECTED);
    expect(passphrase.every((byte) => byte === 9)).to.equal(true);
  });

  it('rejects a cost that RFC 9106, section 3.1 does not allow', async () => {
    const derive = fastestArgon2id(loadWasm);
    const wrong = derive(PASSPHRASE, SALT, { ...COST, memoryKiB: 31 });
    expect(await wrong.catch((error: unknown) => (error as Error).name)).to.equal('RangeError');
  });
});

/** One in which an instruction is exchanged: additions of 64-bit words become subtractions. */
async function wrongModule(): Promise<BufferSource> {
  const bytes = (await loadWasm('argon2')) as Uint8Array<ArrayBuffer>;
  const [prefix, add] = [0xfd, 0xce]; // i64x2.add is fd ce 01
  const at = bytes.findIndex(
    (byte, i) => byte === prefix && bytes[i + 1] === add && bytes[i + 2] === 1,
  );
  expect(at).to.be.greaterThan(0);
  bytes[at + 1] = 0xd1; // i64x2.sub
  return bytes;
}
