import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { expect } from 'chai';
import { fromHex, toBase64url, toHex } from '../../src/crypto/bytes.ts';
import { CURVE448_ANSWERS } from '../../src/engine/known-answers/platform.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { Subtle, SubtleKeyPair } from '../../src/library/subtle.ts';
import { errorNameOf } from '../support/outcomes.ts';

/* X448 and Ed448, in the engine `js` and where the platform's do the work, beside node:crypto. */

const ED448 = CURVE448_ANSWERS.Ed448;
const BASE_POINT = `05${'00'.repeat(55)}`;
/** The last one is the first iteration. */
const RFC_7748 = [
  {
    scalar:
      '3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121' +
      '700a779c984c24f8cdd78fbff44943eba368f54b29259a4f1c600ad3',
    u:
      '06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9' +
      '814dc031ddbdc38c19c6da2583fa5429db94ada18aa7a7fb4ef8a086',
    output:
      'ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239f' +
      'e14fbaadeb445fc66a01b0779d98223961111e21766282f73dd96b6f',
  },
  {
    scalar:
      '203d494428b8399352665ddca42f9de8fef600908e0d461cb021f8c5' +
      '38345dd77c3e4806e25f46d3315c44e0a5b4371282dd2c8d5be3095f',
    u:
      '0fbcc2f993cd56d3305b0b7d9e55d4c1a8fb5dbb52f8e9a1e9b6201b' +
      '165d015894e56c4d3570bee52fe205e28a78b91cdfbde71ce8d157db',
    output:
      '884a02576239ff7a2f2f63b2db6a9ff37047ac13568e1e30fe63c4a7' +
      'ad1b3ee3a5700df34321d62077e63633c575c1c954514e99da7c179d',
  },
  {
    scalar: BASE_POINT,
    u: BASE_POINT,
    output:
      '3f482c8a9f19b01e6c46ee9711d9dc14fd4bf67af30765c2ae2b846a' +
      '4d23a8cd0db897086239492caf350b51f833868b9bc2b3bca9cf4113',
  },
];
const NAMES = ['X448', 'Ed448'] as const;
const USAGES = { X448: ['deriveBits'], Ed448: ['sign'] } as const;
const PUBLIC_USAGES = { X448: [], Ed448: ['verify'] } as const;
const BYTES = { X448: 56, Ed448: 57 };
type Name = (typeof NAMES)[number];

const bytesOf = (buffer: ArrayBuffer) => new Uint8Array(buffer);

/** At an odd offset of a longer buffer. */
function unaligned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = new Uint8Array(bytes.length + 3).subarray(1, 1 + bytes.length);
  view.set(bytes);
  return view;
}

/** RFC 8410, section 7. */
function pkcs8Of(name: Name, key: Uint8Array): Uint8Array<ArrayBuffer> {
  const head =
    name === 'X448' ? '3046020100300506032b656f043a0438' : '3047020100300506032b6571043b0439';
  return Uint8Array.from([...fromHex(head), ...key]);
}

function pairOf(subtle: Subtle, name: Name): Promise<SubtleKeyPair> {
  const usages = [...USAGES[name], ...PUBLIC_USAGES[name]];
  return subtle.generateKey({ name }, true, usages);
}

for (const engine of ['js', 'auto'] as const) {
  const subtle = await createSubtle({ engine });

  const agree = async (secret: Uint8Array, peer: Uint8Array, bits: number | null = 448) => {
    const own = await subtle.importKey('pkcs8', pkcs8Of('X448', secret), 'X448', false, [
      'deriveBits',
    ]);
    const theirs = await subtle.importKey('raw', unaligned(peer), 'X448', false, []);
    return bytesOf(await subtle.deriveBits({ name: 'X448', public: theirs }, own, bits));
  };

  describe(`X448, engine ${engine}`, () => {
    for (const { scalar, u, output } of RFC_7748) {
      it(`RFC 7748, 5.2: ${scalar.slice(0, 8)}`, async () => {
        expect(toHex(await agree(fromHex(scalar), fromHex(u)))).to.equal(output);
      });
    }

    it('agrees with node:crypto, on keys that either makes', async () => {
      const { privateKey, publicKey } = await pairOf(subtle, 'X448');
      const theirs = generateKeyPairSync('x448');
      const peer = await subtle.importKey(
        'spki',
        theirs.publicKey.export({ format: 'der', type: 'spki' }),
        'X448',
        true,
        [],
      );
      const mine = await subtle.deriveBits({ name: 'X448', public: peer }, privateKey);
      const spki = Buffer.from(await subtle.exportKey('spki', publicKey));
      const secret = diffieHellman({
        privateKey: theirs.privateKey,
        publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
      });
      expect(toHex(bytesOf(mine))).to.equal(secret.toString('hex'));
    });

    it('gives all bits, the first ones, or a key', async () => {
      const [{ privateKey, publicKey, peerPublic, secret }] = CURVE448_ANSWERS.X448 as [
        (typeof CURVE448_ANSWERS.X448)[number],
      ];
      expect(toHex(await agree(privateKey, peerPublic, null))).to.equal(toHex(secret));
      expect(toHex(await agree(privateKey, peerPublic, 0))).to.equal('');
      expect(toHex(await agree(privateKey, peerPublic, 64))).to.equal(toHex(secret.slice(0, 8)));
      expect(await errorNameOf(agree(privateKey, peerPublic, 456))).to.equal('OperationError');
      const own = await subtle.importKey('pkcs8', pkcs8Of('X448', privateKey), 'X448', true, [
        'deriveKey',
      ]);
      const half = await subtle.getPublicKey(own, []);
      expect(toHex(bytesOf(await subtle.exportKey('raw-public', half)))).to.equal(toHex(publicKey));
      const peer = await subtle.importKey('raw-public', unaligned(peerPublic), 'X448', true, []);
      const gcm = { name: 'AES-GCM', length: 256 };
      const params = { name: 'X448', public: peer };
      const key = await subtle.deriveKey(params, own, gcm, true, ['encrypt']);
      expect(toHex(bytesOf(await subtle.exportKey('raw', key)))).to.equal(
        toHex(secret.slice(0, 32)),
      );
    });

    it('refuses a secret of zeros, and keys that are not for it', async () => {
      const { privateKey, publicKey } = await pairOf(subtle, 'X448');
      const one = Uint8Array.of(1, ...new Uint8Array(55));
      const derive = (own: typeof privateKey, peer: typeof publicKey) =>
        errorNameOf(subtle.deriveBits({ name: 'X448', public: peer }, own, 448));
      const x25519 = await createSubtle();
      const other = await x25519.generateKey('X25519', false, ['deriveBits']);
      const secret = new Uint8Array(56).fill(7);
      expect({
        zero: await errorNameOf(agree(secret, new Uint8Array(56))),
        one: await errorNameOf(agree(secret, one)),
        public: await derive(publicKey, publicKey),
        private: await derive(privateKey, privateKey),
        other: await derive(privateKey, other.publicKey),
      }).to.deep.equal({
        zero: 'OperationError',
        one: 'OperationError',
        public: 'InvalidAccessError',
        private: 'InvalidAccessError',
        other: 'InvalidAccessError',
      });
    });
  });

  describe(`Ed448, engine ${engine}`, () => {
    for (const answer of ED448) {
      it(`${answer.source}: signs and verifies`, async () => {
        const pkcs8 = pkcs8Of('Ed448', answer.privateKey);
        const key = await subtle.importKey('pkcs8', unaligned(pkcs8), 'Ed448', false, ['sign']);
        const algorithm = { name: 'Ed448', context: unaligned(answer.context) };
        const message = unaligned(answer.message);
        const signature = bytesOf(await subtle.sign(algorithm, key, message));
        expect(toHex(signature)).to.equal(toHex(answer.signature));
        const half = await subtle.getPublicKey(key, ['verify']);
        expect(toHex(bytesOf(await subtle.exportKey('raw', half)))).to.equal(
          toHex(answer.publicKey),
        );
        const accepted = (given: Uint8Array<ArrayBuffer>, params: object = algorithm) =>
          subtle.verify({ name: 'Ed448', ...params }, half, given, message);
        const changed = signature.slice();
        changed[60]! ^= 4;
        expect([
          await accepted(unaligned(signature)),
          await accepted(changed),
          await accepted(signature.slice(1)),
          await accepted(Uint8Array.from([...signature, 0])),
          await accepted(signature, { context: Uint8Array.of(9) }),
        ]).to.deep.equal([true, false, false, false, false]);
      });
    }

    it('is understood by node:crypto, and understands it', async () => {
      const { privateKey, publicKey } = await pairOf(subtle, 'Ed448');
      for (const length of [0, 1, 135, 136, 137, 5000]) {
        const message = new Uint8Array(length).fill(length);
        const key = createPublicKey({
          key: Buffer.from(await subtle.exportKey('spki', publicKey)),
          format: 'der',
          type: 'spki',
        });
        const secret = createPrivateKey({
          key: Buffer.from(await subtle.exportKey('pkcs8', privateKey)),
          format: 'der',
          type: 'pkcs8',
        });
        const signature = bytesOf(await subtle.sign('Ed448', privateKey, message));
        expect(verify(null, message, key, signature)).to.equal(true);
        const theirs = unaligned(sign(null, message, secret));
        expect(await subtle.verify('Ed448', publicKey, theirs, message)).to.equal(true);
      }
    });

    it('takes a context of at most 255 bytes', async () => {
      const { privateKey, publicKey } = await pairOf(subtle, 'Ed448');
      const message = Uint8Array.of(1);
      const of = (length: number) => ({ name: 'Ed448', context: new Uint8Array(length) });
      const signature = await subtle.sign(of(255), privateKey, message);
      expect(await subtle.verify(of(255), publicKey, signature, message)).to.equal(true);
      expect(await subtle.verify(of(254), publicKey, signature, message)).to.equal(false);
      expect(await errorNameOf(subtle.sign(of(256), privateKey, message))).to.equal(
        'OperationError',
      );
      expect(await errorNameOf(subtle.verify(of(256), publicKey, signature, message))).to.equal(
        'OperationError',
      );
      expect(await errorNameOf(subtle.sign('Ed448', publicKey, message))).to.equal(
        'InvalidAccessError',
      );
    });

    it('refuses public keys that are no points when they are used', async () => {
      const bytes = new Uint8Array(57).fill(0xff);
      const key = await subtle.importKey('raw', bytes, 'Ed448', true, ['verify']);
      const zeros = new Uint8Array(114);
      expect(await subtle.verify('Ed448', key, zeros, zeros)).to.equal(false);
    });
  });

  for (const name of NAMES) {
    describe(`keys of ${name}, engine ${engine}`, () => {
      it('are the same in each format, and those of node:crypto', async () => {
        const pair = await pairOf(subtle, name);
        for (const format of ['raw', 'raw-public', 'spki', 'pkcs8'] as const) {
          const isPrivate = format === 'pkcs8';
          const key = isPrivate ? pair.privateKey : pair.publicKey;
          const bytes = bytesOf(await subtle.exportKey(format, key));
          const usages = isPrivate ? USAGES[name] : PUBLIC_USAGES[name];
          const back = await subtle.importKey(format, unaligned(bytes), name, true, usages);
          expect(toHex(bytesOf(await subtle.exportKey(format, back)))).to.equal(toHex(bytes));
          const other = isPrivate ? pair.publicKey : pair.privateKey;
          expect(await errorNameOf(subtle.exportKey(format, other))).to.equal('InvalidAccessError');
        }
        const { key_ops, ext, alg, ...jwk } = await subtle.exportKey('jwk', pair.privateKey);
        expect([key_ops, ext, alg]).to.deep.equal([
          [...USAGES[name]],
          true,
          name === 'Ed448' ? 'Ed448' : undefined,
        ]);
        const theirs = createPrivateKey({
          key: Buffer.from(await subtle.exportKey('pkcs8', pair.privateKey)),
          format: 'der',
          type: 'pkcs8',
        });
        expect(jwk).to.deep.equal(theirs.export({ format: 'jwk' }));
        const back = await subtle.importKey('jwk', jwk, name, true, USAGES[name]);
        const half = await subtle.getPublicKey(back, PUBLIC_USAGES[name]);
        expect(await subtle.exportKey('jwk', half)).to.deep.equal(
          await subtle.exportKey('jwk', pair.publicKey),
        );
      });

      it('of wrong lengths, formats and usages are refused', async () => {
        const bytes = (format: 'raw' | 'raw-public' | 'pkcs8', given: Uint8Array<ArrayBuffer>) =>
          errorNameOf(
            subtle.importKey(
              format,
              given,
              name,
              true,
              format === 'pkcs8' ? USAGES[name] : PUBLIC_USAGES[name],
            ),
          );
        const size = BYTES[name];
        const der = pkcs8Of(name, new Uint8Array(size));
        const other = name === 'X448' ? 'Ed448' : 'X448';
        const raw = new Uint8Array(size);
        expect([
          await bytes('raw', raw.slice(1)),
          await bytes('raw-public', new Uint8Array(size + 1)),
          await bytes('raw', new Uint8Array(0)),
          await bytes('pkcs8', der.slice(0, -1)),
          await bytes('pkcs8', Uint8Array.from([...der, 0])),
          await bytes('pkcs8', pkcs8Of(other, new Uint8Array(BYTES[other]))),
        ]).to.deep.equal(Array<string>(6).fill('DataError'));
        for (const format of ['raw-seed', 'raw-private', 'raw-secret'] as const) {
          const work = subtle.importKey(format, raw, name, true, USAGES[name]);
          expect(await errorNameOf(work), format).to.equal('NotSupportedError');
        }
        const wrong = subtle.importKey('raw', raw, name, true, USAGES[name]);
        expect(await errorNameOf(wrong)).to.equal('SyntaxError');
        expect(await errorNameOf(subtle.generateKey(name, true, ['encrypt']))).to.equal(
          'SyntaxError',
        );
        expect(await errorNameOf(subtle.generateKey(name, true, []))).to.equal('SyntaxError');
      });

      it('in PrivateKeyInfo are read with attributes, and with nothing else after the key', async () => {
        const der = pkcs8Of(name, new Uint8Array(BYTES[name]).fill(7));
        const longer = (...more: number[]) =>
          Uint8Array.from([0x30, der[1]! + more.length, ...der.subarray(2), ...more]);
        const read = (bytes: Uint8Array<ArrayBuffer>) =>
          subtle.importKey('pkcs8', bytes, name, true, USAGES[name]);
        const key = await read(longer(0xa0, 0));
        expect(toHex(bytesOf(await subtle.exportKey('pkcs8', key)))).to.equal(toHex(der));
        for (const more of [
          [4, 0],
          [0x8d, 0],
          [0xa0, 1],
          [0xa0, 0, 0],
        ]) {
          expect(await errorNameOf(read(longer(...more))), more.join()).to.equal('DataError');
        }
      });

      it('as JWKs of two keys, or of another curve, use or alg are refused', async () => {
        const one = await subtle.exportKey('jwk', (await pairOf(subtle, name)).privateKey);
        const { x } = await subtle.exportKey('jwk', (await pairOf(subtle, name)).publicKey);
        const tried = (change: object) =>
          errorNameOf(subtle.importKey('jwk', { ...one, ...change }, name, true, USAGES[name]));
        expect([
          await tried({}),
          await tried({ alg: undefined }),
          await tried({ alg: 'EdDSA' }),
          await tried({ x }),
          await tried({ x: undefined }),
          await tried({ crv: 'Ed25519' }),
          await tried({ kty: 'EC' }),
          await tried({ use: name === 'X448' ? 'sig' : 'enc' }),
          await tried({ ext: false }),
          await tried({ d: toBase64url(new Uint8Array(5)) }),
        ]).to.deep.equal([...Array<string>(3).fill('none'), ...Array<string>(7).fill('DataError')]);
        const alg = name === 'X448' ? 'none' : 'DataError';
        expect(await tried({ alg: 'ES256' })).to.equal(alg);
      });
    });
  }

  it(`supports says so, engine ${engine}`, () => {
    const told = (method: string, name: Name) => subtle.supports(method, name);
    expect({
      X448: ['generateKey', 'importKey', 'exportKey', 'getPublicKey', 'sign'].map((method) =>
        told(method, 'X448'),
      ),
      Ed448: ['generateKey', 'sign', 'verify', 'getPublicKey', 'deriveBits'].map((method) =>
        told(method, 'Ed448'),
      ),
    }).to.deep.equal({
      X448: [true, true, true, true, false],
      Ed448: [true, true, true, true, false],
    });
  });
}
