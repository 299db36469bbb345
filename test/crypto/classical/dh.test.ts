import { createDiffieHellman, getDiffieHellman, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { toBigint, toBytes } from '../../../src/crypto/bigint/integers.ts';
import { oddPower } from '../../../src/crypto/bigint/odd-power.ts';
import { createDh, dh } from '../../../src/crypto/classical/dh.ts';
import type { GroupName } from '../../../src/crypto/classical/dh-groups.ts';
import { GROUP_NAMES, namedGroup } from '../../../src/crypto/classical/dh-groups.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { describeSample } from '../../support/depth.ts';
import type { Fields } from '../../support/vectors.ts';
import { describeVectors, parseFields, parseRsp, readVectors } from '../../support/vectors.ts';

const big = (text: string): bigint => BigInt(`0x${text.replace(/^0x/, '')}`);
const drawing = createDh(oddPower, randomBytes);

describe('Diffie-Hellman', () => {
  describeVectors('cryptography_vectors/asymmetric/DH/RFC5114.txt', byCount, (vector) => {
    const [p, q, g] = [big(vector['p']!), big(vector['q']!), big(vector['g']!)];
    const [x, y] = [big(vector['xstatcavs']!), big(vector['ystatcavs']!)];
    expect(toBigint(dh.publicKey({ p, q, g }, x))).to.equal(y);
    const secret = dh.sharedSecret({ p, q, g }, big(vector['xstatiut']!), y);
    expect(secret).to.deep.equal(toBytes(big(vector['z']!), secret.length));
    const other = dh.sharedSecret({ p, g }, x, big(vector['ystatiut']!));
    expect(other).to.deep.equal(secret);
  });

  describeVectors('cryptography_vectors/asymmetric/DH/vec.txt', parseRsp, (vector) => {
    const [p, g, x, y] = ['p', 'g', 'x', 'y'].map((name) => BigInt(vector[name]!)) as Four;
    expect(toBigint(dh.sharedSecret({ p, g }, x, y))).to.equal(big(vector['k']!));
    expect(toBigint(dh.sharedSecret({ p, g }, toBytes(x), toBytes(y)))).to.equal(big(vector['k']!));
  });

  describeSample(
    'cryptography_vectors/asymmetric/DSA/FIPS_186-3/KeyPair.rsp',
    keyPairs,
    (vector) => {
      const [p, q, g] = [big(vector['p']!), big(vector['q']!), big(vector['g']!)];
      expect(toBigint(dh.publicKey({ p, q, g }, big(vector['x']!)))).to.equal(big(vector['y']!));
    },
    3,
  );

  describeVectors('cryptography_vectors/asymmetric/DH/bad_exchange.txt', parseRsp, (vector) => {
    const [p1, x1, y1, p2, x2, y2] = ['p1', 'x1', 'y1', 'p2', 'x2', 'y2'].map((name) =>
      BigInt(vector[name]!),
    ) as [bigint, bigint, bigint, bigint, bigint, bigint];
    const first = (): Uint8Array => dh.sharedSecret({ p: p1, g: 2n }, x1, y2);
    if (y2 > p1) expect(first).to.throw(AuthenticationError);
    else expect(first()).not.to.deep.equal(dh.sharedSecret({ p: p2, g: 2n }, x2, y1));
  });

  describeVectors('vectors/libraries/botan-dh-invalid.vec', invalidKeys, (vector) => {
    const [p, q, g] = [big(vector['p']!), big(vector['q']!), big(vector['g']!)];
    const check = (): unknown => dh.sharedSecret({ p, q, g }, 12345n, big(vector['invalidkey']!));
    expect(check).to.throw(AuthenticationError);
  });

  describeVectors('cryptography_vectors/asymmetric/DH/rfc3526.txt', parseRsp, (vector) => {
    const p = big(vector['p']!);
    const name = `modp${p.toString(2).length}` as GroupName;
    expect(namedGroup(name)).to.deep.equal({ p, g: 2n, q: (p - 1n) / 2n });
  });

  it('computes the groups of RFC 3526 as in OpenSSL', () => {
    for (const [name, group] of [
      ['modp14', 'modp2048'],
      ['modp15', 'modp3072'],
      ['modp18', 'modp8192'],
    ] as const) {
      expect(toBytes(namedGroup(group).p)).to.deep.equal(
        Uint8Array.from(getDiffieHellman(name).getPrime()),
      );
    }
  });

  it('computes groups of RFC 7919 that begin and end as in the RFC', () => {
    // Appendix A: the first digits are those of e; the last ones before the final ones contain the offset.
    const lastDigits = {
      ffdhe2048: '886b423861285c97ffffffffffffffff',
      ffdhe3072: '25e41d2b66c62e37ffffffffffffffff',
      ffdhe4096: 'c68a007e5e655f6affffffffffffffff',
      ffdhe6144: 'a40e329cd0e40e65ffffffffffffffff',
      ffdhe8192: 'd68c8bb7c5c6424cffffffffffffffff',
    };
    for (const [name, digits] of Object.entries(lastDigits)) {
      const p = namedGroup(name as GroupName).p.toString(16);
      expect(p.slice(0, 32)).to.equal('ffffffffffffffffadf85458a2bb4a9a');
      expect(p.slice(-32), name).to.equal(digits);
    }
  });

  it('agrees with OpenSSL in both directions, leading zeros included', () => {
    const { p, g } = namedGroup('modp2048');
    const peer = createDiffieHellman(Buffer.from(toBytes(p)), Buffer.from([2]));
    peer.generateKeys();
    const own = drawing.generateKeyPair({ p, g });
    expect(own.privateKey.length).to.equal(256);
    const secret = dh.sharedSecret({ p, g }, own.privateKey, peer.getPublicKey());
    const theirs = peer.computeSecret(own.publicKey);
    expect(secret.length).to.equal(256);
    expect(toBigint(secret)).to.equal(toBigint(theirs));
  });

  it('repeats the generation of private keys until they are in range', () => {
    const { p, g, q } = namedGroup('ffdhe2048');
    const draws = [
      new Uint8Array(256),
      new Uint8Array(256).fill(0xff),
      toBytes(q),
      toBytes(q - 1n),
    ];
    const pair = createDh(oddPower, () => draws.shift()!).generateKeyPair({ p, g });
    expect(draws.length).to.equal(0);
    // g^(q - 1) is the inverse of g.
    expect((toBigint(pair.publicKey) * g) % p).to.equal(1n);
  });

  describe('refuses', () => {
    const { p, g, q } = namedGroup('modp1536');

    it('the peer keys 0, 1, p - 1, p and p + 1 in every kind of group', () => {
      const small = { p: 23n, g: 2n, q: 11n };
      for (const group of [{ p, g }, { p, g, q }, small, { p: 23n, g: 2n }]) {
        for (const bad of [0n, 1n, group.p - 1n, group.p, group.p + 1n]) {
          expect(() => dh.sharedSecret(group, 5n, bad)).to.throw(AuthenticationError);
        }
      }
    });

    it('peer keys outside of the subgroup if q is known', () => {
      // p - 2 is not a square, because -1 is not.
      expect(() => dh.sharedSecret({ p, g }, 5n, p - 2n)).to.throw(AuthenticationError);
      expect(() => dh.sharedSecret({ p: 23n, g: 2n, q: 11n }, 5n, 5n)).to.throw(
        AuthenticationError,
      );
    });

    it('results of a small order', () => {
      // 5 has order 4 modulo 13: 5^4 is 1 and 5^2 is p - 1.
      expect(() => dh.sharedSecret({ p: 13n, g: 2n }, 4n, 5n)).to.throw(AuthenticationError);
      expect(() => dh.sharedSecret({ p: 13n, g: 2n }, 2n, 5n)).to.throw(AuthenticationError);
    });

    it('private keys out of range', () => {
      expect(() => dh.sharedSecret({ p, g }, 0n, 4n)).to.throw(RangeError, 'privateKey');
      expect(() => dh.sharedSecret({ p, g }, q, 4n)).to.throw(RangeError, 'privateKey');
      expect(() => dh.sharedSecret({ p: 13n, g: 2n }, 12n, 4n)).to.throw(RangeError, 'privateKey');
      expect(() => dh.publicKey({ p, g }, 1n << 2000n)).to.throw(RangeError, 'privateKey');
      expect(() => dh.publicKey({ p, g }, 'x' as never)).to.throw(TypeError, 'privateKey');
    });

    it('groups with inconsistent numbers', () => {
      expect(() => dh.publicKey({ p: p - 1n, g }, 5n)).to.throw(RangeError, 'p');
      expect(() => dh.publicKey({ p, g: 1n }, 5n)).to.throw(RangeError, 'g');
      expect(() => dh.publicKey({ p, g: p - 1n }, 5n)).to.throw(RangeError, 'g');
      expect(() => dh.publicKey({ p, g, q: q - 2n }, 5n)).to.throw(RangeError, 'q');
      expect(() => dh.publicKey({ p: 23n, g: 5n, q: 11n }, 5n)).to.throw(RangeError, 'g');
    });

    it('to generate keys in weak, unknown or composite groups', () => {
      expect(() => drawing.generateKeyPair({ p, g })).to.throw(RangeError, '2048');
      const large = namedGroup('modp2048');
      expect(() => drawing.generateKeyPair({ p: large.p + 2n, g: 2n })).to.throw(RangeError, 'q');
    });
  });

  it('computes every named group in the right form', () => {
    for (const name of GROUP_NAMES) {
      const bits = Number(/\d+$/.exec(name)![0]);
      expect(namedGroup(name).p.toString(2).length, name).to.equal(bits);
    }
    expect(() => namedGroup('modp1024' as never)).to.throw(RangeError);
  });

  it('refuses a composite p whose subgroup is consistent', () => {
    const vectors = readVectors('cryptography_vectors/asymmetric/DH/RFC5114.txt');
    if (vectors === undefined) return;
    const group = byCount(vectors)[2]!;
    const [p, q, g] = [big(group['p']!), big(group['q']!), big(group['g']!)];
    expect(drawing.generateKeyPair({ p, q, g }).publicKey.length).to.equal(256);
    // p · (2q + 1 or similar): q stays a divisor of p - 1 if the factor is 1 modulo q.
    const composite = p * (2n * q + 1n);
    const h = lift(g, p, 2n * q + 1n);
    expect(() => drawing.generateKeyPair({ p: composite, q, g: h })).to.throw(RangeError);
  });
});

type Four = [bigint, bigint, bigint, bigint];

/** The number that is g modulo p and 1 modulo m. */
function lift(g: bigint, p: bigint, m: bigint): bigint {
  let inverse = 1n;
  for (let e = p - 2n, x = m % p; e > 0n; e >>= 1n, x = (x * x) % p) {
    if (e & 1n) inverse = (inverse * x) % p;
  }
  const k = ((((g - 1n) * inverse) % p) + p) % p;
  return 1n + m * k;
}

function keyPairs(text: string): Fields[] {
  const pairs: Fields[] = [];
  let shared: Fields = {};
  for (const vector of parseRsp(text)) {
    if (vector['p'] !== undefined) shared = vector;
    else if (vector['x'] !== undefined) pairs.push({ ...shared, ...vector });
  }
  return pairs;
}

function invalidKeys(text: string): Fields[] {
  const [group] = parseFields(text, 'g');
  return parseFields(text, 'invalidkey').map((vector) => ({
    p: group!['p']!,
    q: group!['q']!,
    g: group!['g']!,
    ...vector,
  }));
}

function byCount(text: string): Fields[] {
  return parseFields(text, 'count');
}
