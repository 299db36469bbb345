/** What single algorithms promise beyond the vectors: arguments, keys, loading, failures. */
import { expect } from 'chai';
import { AEADS as SIZES } from '../../src/crypto/algorithms.ts';
import type { AeadName, AeadSizes } from '../../src/crypto/algorithms.ts';
import {
  aesCmac,
  aesGcm,
  aesSiv,
  argon2id,
  AuthenticationError,
  blake3,
  hkdf,
  hmac,
  pbkdf2,
  scrypt,
  sha256,
  sha3_256,
} from '../../src/library/algorithms.ts';
import { EDGE_LENGTHS } from '../support/edge-lengths.ts';
import { AEADS, HASHES } from './names.ts';
import { emptyFolder, wasmFolder } from './wasm-folder.ts';
import type { WasmFolder } from './wasm-folder.ts';

const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(7);

/** The error of a rejected promise, as "name: message". */
async function errorOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => String(error),
  );
}

/** Constants of SHA-256 (H_0, FIPS 180-4, section 5.3.3) and of AES (ShiftRows, FIPS 197, section 5.1.2), as in memory. */
const CONSTANTS = ['67e6096a', '00050a0f'].map((text) => Buffer.from(text, 'hex'));

/** A module with another constant. */
function spoilt(module: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(module);
  for (const constant of CONSTANTS) {
    const at = Buffer.from(module).indexOf(constant);
    if (at >= 0) changed[at + 1]! ^= 3;
  }
  return changed;
}

describe('single algorithms', () => {
  let folder: WasmFolder;
  let options: { wasmBase: URL };
  before(async () => {
    folder = await wasmFolder();
    options = { wasmBase: folder.url };
  });
  after(() => folder.remove());

  for (const [name, sizes] of Object.entries(SIZES) as [AeadName, AeadSizes][]) {
    it(`${name} takes the lengths of its standard and no others`, async () => {
      const load = AEADS[name];
      for (const length of [0, 15, 16, 24, 31, 32, 33, 64]) {
        const error = await errorOf(load(bytes(length), options));
        if (sizes.keyBits.includes(8 * length)) expect(error).to.equal('no error');
        else expect(error).to.match(/^RangeError: key must have .* bytes/);
      }
      const key = await load(bytes(sizes.keyBits[0]! / 8), options);
      const { min, max } = sizes.nonceBytes;
      for (const iv of [0, min - 1, max + 1].filter((n) => n < min || n > max).map(bytes)) {
        expect(() => key.encrypt({ iv }, bytes(1))).to.throw(RangeError, 'iv must have');
        expect(() => key.decrypt({ iv }, bytes(20))).to.throw(RangeError, 'iv must have');
      }
      const iv = bytes(min === max ? min : 12);
      for (let tagLength = 0; tagLength <= 136; tagLength++) {
        const work = () => key.encrypt({ iv, tagLength }, bytes(5));
        if (sizes.tagBytes.includes(tagLength / 8)) {
          expect(work()).to.have.length(5 + tagLength / 8);
          expect(key.decrypt({ iv, tagLength }, work())).to.deep.equal(bytes(5));
        } else {
          expect(work).to.throw(RangeError, 'tagLength must be one of');
        }
      }
    });

    it(`${name} refuses wrong types and unknown parameters by their names, and every change`, async () => {
      const key = await AEADS[name](bytes(32), options);
      const iv = bytes(sizes.nonceBytes.max === 24 ? 24 : 12);
      const encrypt = key.encrypt.bind(key) as (params: unknown, data: unknown) => Uint8Array;
      for (const [params, data, message] of [
        [undefined, bytes(1), 'params must be an object'],
        [{}, bytes(1), 'iv must be a Uint8Array'],
        [{ iv }, 'text', 'data must be a Uint8Array'],
        [{ iv }, [1], 'data must be a Uint8Array'],
        [{ iv, additionalData: 'a' }, bytes(1), 'additionalData must be a Uint8Array'],
        [{ iv, associatedData: iv }, bytes(1), 'params.associatedData: no such option'],
        [{ iv, into: [] }, bytes(1), 'into must be a Uint8Array'],
      ] as const) {
        expect(() => encrypt(params, data), message).to.throw(TypeError, message);
      }
      expect(() => encrypt({ iv, into: bytes(16) }, bytes(1))).to.throw(RangeError, 'into');
      const sealed = key.encrypt({ iv }, bytes(40));
      for (const at of [0, 39, 40, 55]) {
        const changed = sealed.slice();
        changed[at]! ^= 1;
        expect(() => key.decrypt({ iv }, changed)).to.throw(AuthenticationError);
      }
      expect(() => key.decrypt({ iv, additionalData: bytes(1) }, sealed)).to.throw(
        AuthenticationError,
      );
      expect(() => key.decrypt({ iv }, sealed.subarray(0, 15))).to.throw(AuthenticationError);
      key.wipe();
      expect(() => key.encrypt({ iv }, bytes(1))).to.throw('the key has been wiped');
      expect(() => key.decrypt({ iv }, sealed)).to.throw('the key has been wiped');
    });
  }

  it('keeps keys of one module apart, and copies each before it returns', async () => {
    const [one, two] = [bytes(16), new Uint8Array(16)];
    const loading = aesGcm(one, options);
    one.fill(0);
    const first = await loading;
    const second = await aesGcm(two, options);
    const mac = await aesCmac(two, options);
    const again = await aesGcm(bytes(16), options);
    const iv = bytes(12);
    for (const length of EDGE_LENGTHS) {
      const data = bytes(length);
      const sealed = first.encrypt({ iv }, data);
      mac.sign(data);
      expect(second.encrypt({ iv }, data)).to.not.deep.equal(sealed);
      expect(again.decrypt({ iv }, sealed)).to.deep.equal(data);
    }
    first.wipe();
    expect(again.decrypt({ iv }, again.encrypt({ iv }, iv))).to.deep.equal(iv);
  });

  it('AES-SIV takes one array or several, and refuses what is neither', async () => {
    const key = await aesSiv(bytes(32), options);
    const one = key.encrypt({ additionalData: bytes(3) }, bytes(9));
    expect(key.encrypt({ additionalData: [bytes(3)] }, bytes(9))).to.deep.equal(one);
    expect(key.decrypt({ additionalData: bytes(3) }, one)).to.deep.equal(bytes(9));
    for (const additionalData of [undefined, [], [bytes(2), bytes(1)]]) {
      expect(() => key.decrypt({ ...(additionalData && { additionalData }) }, one)).to.throw(
        AuthenticationError,
      );
    }
    const encrypt = key.encrypt.bind(key) as (params: unknown, data: unknown) => Uint8Array;
    expect(() => encrypt({ additionalData: ['a'] }, one)).to.throw(TypeError, 'additionalData[0]');
    expect(() => encrypt({ additionalData: 5 }, one)).to.throw(TypeError, 'additionalData must');
    expect(() => encrypt({ iv: one }, one)).to.throw(TypeError, 'params.iv: no such option');
    expect(() => encrypt({}, 'text')).to.throw(TypeError, 'data must be a Uint8Array');
    key.wipe();
    expect(() => encrypt({}, one)).to.throw('the key has been wiped');
  });

  for (const [name, load] of Object.entries(HASHES)) {
    it(`${name} hashes in pieces and clones, and says its sizes`, async () => {
      const hash = await load(options);
      expect(hash.name).to.equal(name);
      for (const length of EDGE_LENGTHS) {
        const message = bytes(length);
        const whole = hash.digest(message);
        expect(whole).to.have.length(hash.digestBytes);
        const running = hash.create().update(message.subarray(0, length >> 1));
        const copy = running.clone();
        running.update(message.subarray(length >> 1));
        expect(running.digest()).to.deep.equal(whole);
        expect(copy.update(message.subarray(length >> 1)).digest()).to.deep.equal(whole);
        expect(() => running.digest()).to.throw(Error, 'ended');
      }
      expect(() => hash.digest('text' as never)).to.throw(TypeError, 'data must be a Uint8Array');
    });
  }

  it('MACs verify whole tags only, and refuse wrong types', async () => {
    for (const key of [
      await aesCmac(bytes(24), options),
      await hmac(sha256, bytes(0), options),
      await hmac(sha3_256, bytes(200), options),
    ]) {
      const tag = key.sign(bytes(9));
      expect(tag).to.have.length(key.tagBytes);
      expect(key.verify(tag, bytes(9))).to.equal(true);
      expect(key.verify(tag.subarray(1), bytes(9))).to.equal(false);
      expect(key.verify(tag, bytes(8))).to.equal(false);
      expect(() => key.sign('text' as never)).to.throw(TypeError, 'data must be a Uint8Array');
      expect(() => key.verify('tag' as never, tag)).to.throw(TypeError, 'tag must be a Uint8Array');
      key.wipe();
      expect(() => key.sign(bytes(9))).to.throw('the key has been wiped');
    }
    expect(await errorOf(aesCmac(bytes(15), options))).to.match(/^RangeError: key must have/);
  });

  it('takes only its own hashes, and none that has a keyed mode', async () => {
    const notOurs = () => Promise.resolve({ name: 'SHA-256', digestBytes: 32 });
    for (const hash of ['SHA-256', undefined, notOurs, blake3] as never[]) {
      const message = 'TypeError: hash must be a function such as sha256';
      expect(await errorOf(hmac(hash, bytes(1), options))).to.include(message);
      expect(await errorOf(hkdf(hash, options))).to.include(message);
      expect(await errorOf(pbkdf2(hash, options))).to.include(message);
    }
  });

  it('derivations name what is wrong with their parameters', async () => {
    const [salt, nonce] = [bytes(8), bytes(8)];
    const kdfs = {
      hkdf: await hkdf(sha256, options),
      pbkdf2: await pbkdf2(sha256, options),
      scrypt: await scrypt(options),
      argon2id: await argon2id(options),
    };
    const cost = { N: 16, r: 1, p: 1 };
    const lanes = { nonce, memory: 8, passes: 1, parallelism: 1 };
    for (const [name, params, lengthBytes, message] of [
      ['hkdf', { salt }, 32, 'TypeError: info must be a Uint8Array'],
      ['hkdf', { salt, info: salt, hash: 'SHA-256' }, 32, 'params.hash: no such option'],
      ['hkdf', { salt, info: salt }, 255 * 32 + 1, 'RangeError: lengthBytes'],
      ['hkdf', { salt, info: salt }, 1.5, 'TypeError: lengthBytes'],
      ['pbkdf2', { salt }, 32, 'TypeError: iterations'],
      ['pbkdf2', { salt, iterations: 0 }, 32, 'RangeError: iterations'],
      ['pbkdf2', { salt: 'text', iterations: 1 }, 32, 'TypeError: salt'],
      ['scrypt', { salt, ...cost, N: 15 }, 32, 'RangeError: N must be a power of two'],
      ['scrypt', { ...cost }, 32, 'TypeError: salt'],
      ['argon2id', { ...lanes, nonce: bytes(7) }, 32, 'RangeError: nonce must have at least 8'],
      ['argon2id', { ...lanes, memory: 7 }, 32, 'RangeError: memory must be'],
      ['argon2id', { ...lanes, memory: 16, parallelism: 3 }, 32, 'RangeError: memory must be'],
      ['argon2id', { ...lanes, passes: 17 }, 32, 'RangeError: passes must be'],
      ['argon2id', { ...lanes, salt }, 32, 'TypeError: params.salt: no such option'],
      ['argon2id', lanes, 3, 'RangeError: lengthBytes must be'],
    ] as const) {
      const kdf: { derive(...args: unknown[]): Promise<unknown> } = kdfs[name];
      const error = await errorOf(kdf.derive(bytes(4), params, lengthBytes));
      expect(error).to.include(message);
      const ofText = await errorOf(kdf.derive('text', params, 32));
      expect(ofText, message).to.match(/^(Type|Range)Error/);
    }
  });

  it('rejects with NotSupportedError and the reason where its module is missing, until it is there', async () => {
    const empty = emptyFolder();
    try {
      const error: unknown = await aesGcm(bytes(16), { wasmBase: empty.url }).catch(
        (e: unknown) => e,
      );
      expect(error).to.be.instanceOf(DOMException).with.property('name', 'NotSupportedError');
      expect((error as Error).message).to.match(
        /^AES-GCM: wasm-simd: file:.*aes\.\w+\.js: the file is missing: copy dist\/lib\/wasm/,
      );
      await empty.restore('aes.simd');
      await empty.restore('aes.relaxed');
      expect(await aesGcm(bytes(16), { wasmBase: empty.url })).to.respondTo('encrypt');
    } finally {
      empty.remove();
    }
  });

  it('rejects with NotSupportedError where a known answer is wrong', async () => {
    const wrong = await wasmFolder();
    try {
      for (const name of ['sha', 'aes.simd', 'aes.relaxed']) {
        wrong.put(name, spoilt(wrong.read(name)));
      }
      const spoiltOptions = { wasmBase: wrong.url };
      for (const [name, load] of [
        ['SHA-256', () => sha256(spoiltOptions)],
        ['AES-GCM', () => aesGcm(bytes(16), spoiltOptions)],
        ['AES-SIV', () => aesSiv(bytes(32), spoiltOptions)],
        ['AES-CMAC', () => aesCmac(bytes(16), spoiltOptions)],
        ['scrypt', () => scrypt(spoiltOptions)],
      ] as const) {
        const message = `NotSupportedError: ${name}: wasm-simd: it failed its known answer`;
        expect(await errorOf(load())).to.equal(message);
      }
    } finally {
      wrong.remove();
    }
  });

  it('refuses unknown options and what is no URL', async () => {
    for (const [given, message] of [
      [{ wasmbase: folder.url }, 'TypeError: options.wasmbase: no such option (wasmBase)'],
      [{ wasmBase: 'nowhere' }, 'TypeError: wasmBase must be the URL of a folder'],
      [null, 'TypeError: options must be an object'],
    ] as const) {
      expect(await errorOf(aesGcm(bytes(16), given as never))).to.equal(message);
      expect(await errorOf(sha256(given as never))).to.equal(message);
      expect(await errorOf(hmac(sha256, bytes(1), given as never))).to.equal(message);
      expect(await errorOf(argon2id(given as never))).to.equal(message);
    }
  });
});
