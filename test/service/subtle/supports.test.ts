import { expect } from 'chai';
import { fromHex } from '../../../src/crypto/bytes.ts';
import { AEADS, type AeadName } from '../../../src/crypto/algorithms.ts';
import { SIGNATURES, type SignatureName } from '../../../src/crypto/post-quantum.ts';
import type { PricedOperation, RegisteredOperation } from '../../../src/crypto/subtle/row.ts';
import { ms } from '../../../src/crypto/subtle/prices.ts';
import { ALGORITHMS, rowOf } from '../../../src/crypto/subtle/table.ts';
import { pageSubtle } from '../../support/page-subtle.ts';
import { largeDsaKey } from '../../support/samples/dsa-key.ts';
import { World } from '../../support/service-world.ts';

/*
 * `supports` of a page, compared with what the page's calls do, for each name and each method, both ways: a
 * call with usual parameters succeeds if `supports` says so for these parameters, and fails if it does not.
 */

/** What has a fixed price above this is not done: the test asks only whether it reaches the workshop. */
const DONE_NS = ms(20);

const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(7);
const DATA = bytes(32);
const AES = { name: 'AES-GCM', length: 256 };
const DSA_GROUP = Object.fromEntries(
  (['p', 'q', 'g'] as const).map((name) => [name, fromHex(largeDsaKey[name])]),
);

/** The usual values of members that have to be there, and of some that need not. */
const VALUES: Readonly<Record<string, unknown>> = {
  hash: 'SHA-256',
  salt: bytes(16),
  info: bytes(8),
  iterations: 1000,
  N: 16,
  r: 1,
  p: 1,
  memory: 64,
  passes: 1,
  parallelism: 1,
  nonce: bytes(16),
  ...{
    outputLength: 256,
    saltLength: 32,
    namedCurve: 'P-256',
    counter: bytes(16),
    hazardous: true,
  },
  modulusLength: 1024,
  publicExponent: Uint8Array.of(1, 0, 1),
};

interface Pair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}
type Usage = KeyUsage;
type Args = readonly unknown[];
type Methods = Record<string, (...args: Args) => Promise<unknown>> & {
  supports(...args: Args): boolean;
};

/** One algorithm of a page, with keys for it. */
class Subject {
  readonly name: string;
  readonly world = World.fresh();
  readonly subtle = pageSubtle(this.world) as unknown as Methods;
  #pair: Promise<Pair> | undefined;

  constructor(name: string) {
    this.name = name;
  }

  has(operation: RegisteredOperation): boolean {
    return rowOf(this.name)!.operations[operation] !== undefined;
  }

  get isPair(): boolean {
    return this.has('generateKey') && !this.has('getKeyLength');
  }

  /** The usual parameters of an operation; the name alone where it is not there. */
  async params(operation: RegisteredOperation): Promise<object> {
    const { name } = this;
    const isHazardous = rowOf(name)!.isHazardous === true;
    const params: Record<string, unknown> = { name, ...(isHazardous && { hazardous: true }) };
    for (const { name: member, isRequired } of rowOf(name)!.operations[operation] ?? []) {
      if (isRequired) params[member] = await this.#value(member, operation);
    }
    if (name === 'DSA' && operation === 'generateKey') return { ...params, ...DSA_GROUP };
    return name === 'DH' && operation === 'generateKey'
      ? { ...params, group: 'ffdhe2048' }
      : params;
  }

  /** With the algorithm's own usages. */
  pair(): Promise<Pair> {
    return (this.#pair ??= this.#makePair());
  }

  /** The key of an operation: a private one does what only its owner can do. */
  async key(side: keyof Pair): Promise<CryptoKey> {
    return (await this.pair())[side];
  }

  async #value(member: string, operation: RegisteredOperation): Promise<unknown> {
    if (member === 'iv') return bytes(this.#ivBytes());
    if (member === 'length') return operation.endsWith('crypt') ? 64 : 256;
    if (member === 'public') return this.key('publicKey');
    return VALUES[member];
  }

  #ivBytes(): number {
    const { name } = this;
    if (name === 'Salsa20') return 8;
    return Object.hasOwn(AEADS, name) ? Math.max(12, AEADS[name as AeadName].nonceBytes.min) : 16;
  }

  async #makePair(): Promise<Pair> {
    const { name, subtle } = this;
    if (Object.hasOwn(SIGNATURES, name) && name.startsWith('SLH')) {
      const { publicKeyBytes, privateKeyBytes } = SIGNATURES[name as SignatureName];
      const imported = (format: string, length: number, usage: Usage) =>
        subtle.importKey!(format, bytes(length), name, true, [usage]) as Promise<CryptoKey>;
      return {
        publicKey: await imported('raw-public', publicKeyBytes, 'verify'),
        privateKey: await imported('raw-private', privateKeyBytes, 'sign'),
      };
    }
    if (!this.has('importKey')) {
      const key = (await subtle.importKey!('raw', DATA, 'HKDF', false, [
        'deriveBits',
      ])) as CryptoKey;
      return { publicKey: key, privateKey: key };
    }
    if (!this.has('generateKey')) {
      const usages = ['deriveBits', 'deriveKey'];
      const key = (await subtle.importKey!('raw', DATA, name, false, usages)) as CryptoKey;
      return { publicKey: key, privateKey: key };
    }
    const made = await subtle.generateKey!(await this.params('generateKey'), true, this.usages());
    if (this.isPair) return made as Pair;
    return { publicKey: made as CryptoKey, privateKey: made as CryptoKey };
  }

  usages(side?: keyof Pair): Usage[] {
    const ofPrivate = side !== 'publicKey';
    const ofPublic = side !== 'privateKey';
    const usages = [
      ...(ofPublic && this.has('encrypt') ? ['encrypt', 'wrapKey'] : []),
      ...(ofPrivate && this.has('decrypt') ? ['decrypt', 'unwrapKey'] : []),
      ...(this.has('wrapKey')
        ? [...(ofPublic ? ['wrapKey'] : []), ...(ofPrivate ? ['unwrapKey'] : [])]
        : []),
      ...(ofPrivate && this.has('sign') ? ['sign'] : []),
      ...(ofPublic && this.has('verify') ? ['verify'] : []),
      ...(ofPrivate && this.has('deriveBits') ? ['deriveBits', 'deriveKey'] : []),
      ...(ofPublic && this.has('encapsulate') ? ['encapsulateKey', 'encapsulateBits'] : []),
      ...(ofPrivate && this.has('decapsulate') ? ['decapsulateKey', 'decapsulateBits'] : []),
    ];
    return [...new Set(usages)] as Usage[];
  }

  /** Whether a call succeeds. What takes long has to reach the workshop, and is not done there. */
  async succeeds(operation: PricedOperation, call: () => Promise<unknown>): Promise<boolean> {
    const price = rowOf(this.name)!.prices?.[operation] ?? 0;
    const { workshop } = this.world;
    let isReached = false;
    if (typeof price === 'number' && price > DONE_NS) {
      this.world.workshop = {
        call: () => {
          isReached = true;
          return Promise.reject(new Error('not done'));
        },
      };
    }
    const outcome = await call().then(
      () => true,
      () => isReached,
    );
    this.world.workshop = workshop;
    return outcome;
  }
}

interface Case {
  readonly operation: PricedOperation;
  /** After the method's name, for `supports`. */
  readonly asked: Args;
  readonly call: () => Promise<unknown>;
}

type Cases = Case | readonly Case[];
type CasesOf = (subject: Subject) => Cases | Promise<Cases>;

/** For each method of SubtleCrypto, the calls that are compared. */
const METHODS: Readonly<Record<string, CasesOf>> = {
  async encrypt(subject) {
    const params = await subject.params('encrypt');
    const call = async () => subject.subtle.encrypt!(params, await subject.key('publicKey'), DATA);
    return { operation: 'encrypt', asked: [params], call };
  },
  async decrypt(subject) {
    const params = await subject.params('decrypt');
    const call = async () => {
      const sealed = await subject.subtle.encrypt!(params, await subject.key('publicKey'), DATA);
      return subject.subtle.decrypt!(params, await subject.key('privateKey'), sealed);
    };
    return { operation: 'decrypt', asked: [params], call };
  },
  async sign(subject) {
    const params = await subject.params('sign');
    const call = async () => subject.subtle.sign!(params, await subject.key('privateKey'), DATA);
    return { operation: 'sign', asked: [params], call };
  },
  async verify(subject) {
    const params = await subject.params('verify');
    const call = async () =>
      subject.subtle.verify!(params, await subject.key('publicKey'), DATA, DATA);
    return { operation: 'verify', asked: [params], call };
  },
  async digest(subject) {
    const params = await subject.params('digest');
    return {
      operation: 'digest',
      asked: [params],
      call: () => subject.subtle.digest!(params, DATA),
    };
  },
  async generateKey(subject) {
    const params = await subject.params('generateKey');
    const call = () => subject.subtle.generateKey!(params, true, subject.usages());
    return { operation: 'generateKey', asked: [params], call };
  },
  async deriveBits(subject) {
    const params = await subject.params('deriveBits');
    // The secret of ECDH, as that of no other, is as long as the curve of a key is.
    const lengths = subject.name === 'ECDH' ? [null, 256] : [null, 256, 512, 511];
    return lengths.map((length) => ({
      operation: 'deriveBits',
      asked: [params, length],
      call: async () => subject.subtle.deriveBits!(params, await subject.key('privateKey'), length),
    }));
  },
  async deriveKey(subject) {
    const params = await subject.params('deriveBits');
    const types: readonly [object | string, Usage][] = [
      [AES, 'encrypt'],
      ['ChaCha20-Poly1305', 'encrypt'],
      ['HKDF', 'deriveBits'],
      ['KMAC128', 'sign'],
      [{ name: 'HMAC', hash: 'SHA-256', length: 256 }, 'sign'],
      ...(subject.name === 'ECDH' ? [] : [[{ name: 'HMAC', hash: 'SHA-256' }, 'sign'] as const]),
      ['SHA-256', 'sign'],
      ['X25519', 'deriveBits'],
    ] as [object | string, Usage][];
    return types.map(([type, usage]) => ({
      operation: 'deriveBits',
      asked: [params, type],
      call: async () =>
        subject.subtle.deriveKey!(params, await subject.key('privateKey'), type, false, [usage]),
    }));
  },
  async importKey(subject) {
    const params = await subject.params('importKey');
    const { name, isPair } = subject;
    if (!isPair) {
      const usages = subject.usages();
      const call = () => subject.subtle.importKey!('raw-secret', DATA, params, true, usages);
      const secret = () => subject.subtle.importKey!('raw-secret', DATA, params, false, usages);
      const isExtractable = subject.has('generateKey');
      return { operation: 'importKey', asked: [params], call: isExtractable ? call : secret };
    }
    const call = async () => {
      const format = formatOf(name);
      const data = await subject.subtle.exportKey!(format, await subject.key('publicKey'));
      const usages = name.startsWith('RSA-OAEP') ? ['encrypt'] : [];
      return subject.subtle.importKey!(format, data, params, true, usages);
    };
    return { operation: 'importKey', asked: [params], call };
  },
  exportKey(subject) {
    const { name } = subject;
    const call = async () =>
      subject.subtle.exportKey!(formatOf(name), await subject.key('publicKey'));
    return { operation: 'exportKey', asked: [name], call };
  },
  getPublicKey(subject) {
    const call = async () =>
      subject.subtle.getPublicKey!(await subject.key('privateKey'), subject.usages('publicKey'));
    return { operation: 'getPublicKey', asked: [subject.name], call };
  },
  async wrapKey(subject) {
    const params = await wrappingParams(subject, 'encrypt');
    const call = async () =>
      subject.subtle.wrapKey!('raw', await aesKey(subject), await subject.key('publicKey'), params);
    return { operation: 'wrapKey', asked: [params, 'AES-GCM'], call };
  },
  async unwrapKey(subject) {
    const params = await wrappingParams(subject, 'decrypt');
    const call = async () => {
      const { subtle } = subject;
      const [wrapper, unwrapper] = [
        await subject.key('publicKey'),
        await subject.key('privateKey'),
      ];
      const wrapped = await subtle.wrapKey!('raw', await aesKey(subject), wrapper, params);
      return subtle.unwrapKey!('raw', wrapped, unwrapper, params, 'AES-GCM', true, ['encrypt']);
    };
    return { operation: 'unwrapKey', asked: [params, 'AES-GCM'], call };
  },
  encapsulateBits(subject) {
    const { name, subtle } = subject;
    const call = async () => subtle.encapsulateBits!(name, await subject.key('publicKey'));
    return { operation: 'encapsulate', asked: [name], call };
  },
  encapsulateKey(subject) {
    const { name, subtle } = subject;
    return ['AES-GCM', 'HKDF', 'X25519', 'SHA-256'].map((type) => ({
      operation: 'encapsulate',
      asked: [name, type],
      call: async () => {
        const usages = [type === 'HKDF' ? 'deriveBits' : 'encrypt'];
        return subtle.encapsulateKey!(name, await subject.key('publicKey'), type, false, usages);
      },
    }));
  },
  decapsulateBits(subject) {
    const { name, subtle } = subject;
    const call = async () => {
      const made = await subtle.encapsulateBits!(name, await subject.key('publicKey'));
      const { ciphertext } = made as { readonly ciphertext: ArrayBuffer };
      return subtle.decapsulateBits!(name, await subject.key('privateKey'), ciphertext);
    };
    return { operation: 'decapsulate', asked: [name], call };
  },
  decapsulateKey(subject) {
    const { name, subtle } = subject;
    const call = async () => {
      const made = await subtle.encapsulateBits!(name, await subject.key('publicKey'));
      const { ciphertext } = made as { readonly ciphertext: ArrayBuffer };
      const key = await subject.key('privateKey');
      return subtle.decapsulateKey!(name, key, ciphertext, 'AES-GCM', false, ['encrypt']);
    };
    return { operation: 'decapsulate', asked: [name, 'AES-GCM'], call };
  },
};

/** That all keys have which can be exported. */
function formatOf(name: string): string {
  const { operations } = rowOf(name)!;
  if (!('generateKey' in operations) || 'getKeyLength' in operations) return 'raw-secret';
  return name === 'DH' || name === 'DSA' ? 'spki' : 'jwk';
}

function aesKey(subject: Subject): Promise<CryptoKey> {
  return subject.subtle.generateKey!(AES, true, ['encrypt']) as Promise<CryptoKey>;
}

function wrappingParams(subject: Subject, other: 'encrypt' | 'decrypt'): Promise<object> {
  return subject.params(subject.has('wrapKey') ? 'wrapKey' : other);
}

describe('supports of a page', () => {
  for (const name of Object.keys(ALGORITHMS)) {
    it(`says of ${name} what its methods do`, async () => {
      const subject = new Subject(name);
      for (const [method, casesOf] of Object.entries(METHODS)) {
        for (const { operation, asked, call } of [await casesOf(subject)].flat()) {
          const says = subject.subtle.supports(method, ...asked);
          const does = await subject.succeeds(operation, call);
          expect(says, `${method} ${JSON.stringify(asked)} says ${says}`).to.equal(does);
        }
      }
    }).timeout(20_000);
  }

  it('has a method for each of SubtleCrypto’s', () => {
    const { subtle } = new Subject('AES-GCM');
    const others = ['constructor', 'supports', 'deleteKey'];
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(subtle));
    expect(methods.filter((name) => !others.includes(name))).to.have.members(Object.keys(METHODS));
  });

  it('says no to other names, methods and values of wrong types', () => {
    const { subtle } = new Subject('AES-GCM');
    const answers = [
      subtle.supports('encrypt', 'AES-XTS'),
      subtle.supports('open', 'AES-GCM'),
      subtle.supports('encrypt', { name: 'AES-GCM' }),
      subtle.supports('deriveBits', { name: 'PBKDF2', hash: 'SHA-256', salt: DATA }, 256),
      subtle.supports('deriveKey', { name: 'HKDF', hash: 'SHA-256', salt: DATA, info: DATA }, {}),
    ];
    expect(answers).to.deep.equal([false, false, false, false, false]);
  });
});
