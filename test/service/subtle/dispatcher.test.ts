import { createHash, createHmac, scryptSync } from 'node:crypto';
import { expect } from 'chai';
import { namedGroup } from '../../../src/crypto/classical/dh-groups.ts';
import { writePkcs8, OID } from '../../../src/subtle/algorithms/classical-keys.ts';
import { toBigint } from '../../../src/crypto/bigint/integers.ts';
import { LIMITS } from '../../../src/service/calls/rate-limits.ts';
import { NoWorker, WorkshopFailed, type Workshop } from '../../../src/rpc/workshop.ts';
import type { StoredKey } from '../../../src/subtle/stored-key.ts';
import { largeDsaKey } from '../../support/samples/dsa-key.ts';
import { errorName, pageSubtle } from '../../support/page-subtle.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { hex } from '../../support/vectors.ts';
import { codeOf } from '../../support/outcomes.ts';
import { until } from '../../support/turns.ts';

const SECRET = new TextEncoder().encode('a password');
const SALT = new Uint8Array(16).fill(5);
/** 52 ms of effort. */
const SCRYPT = { name: 'scrypt', salt: SALT, N: 2 ** 14, r: 8, p: 1 };

/** A workshop that never ends a call by itself, and the signals that it got. */
function endlessWorkshop(): { readonly signals: AbortSignal[]; readonly workshop: Workshop } {
  const signals: AbortSignal[] = [];
  const call: Workshop['call'] = (_owner, _operation, _input, { signal } = {}) => {
    signals.push(signal!);
    return new Promise((_resolve, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error));
    });
  };
  return { signals, workshop: { call } };
}

/** A workshop whose result is always this. */
function workshopWith(result: unknown): Workshop {
  return { call: (() => Promise.resolve(result)) as Workshop['call'] };
}

/** A workshop that fails so. */
function failingWorkshop(error: Error): Workshop {
  return { call: () => Promise.reject(error) };
}

const AES = { name: 'AES-GCM', length: 256 };
const OCB = { name: 'AES-OCB', length: 256 };
const EC = { name: 'ECDSA', namedCurve: 'P-256' };

/** Keys as a workshop answers them. */
const MADE = {
  ...{ type: 'secret', extractable: false, algorithm: OCB, usages: ['encrypt'] },
  ...{ format: 'bytes', content: 'AAAA' },
};
const PAIR = [
  { ...MADE, ...{ type: 'public', algorithm: EC, extractable: true, usages: ['verify'] } },
  { ...MADE, ...{ type: 'private', algorithm: EC, usages: ['sign'] } },
];

describe('The dispatcher of subtle', () => {
  let world: World;
  let subtle: SubtleCrypto;

  beforeEach(() => {
    world = World.fresh();
    subtle = pageSubtle(world);
  });

  const secretFor = (name: string) =>
    subtle.importKey('raw', SECRET, name, false, ['deriveBits', 'deriveKey']);
  const derivedFrom = async (key: CryptoKey, algorithm: object, length = 256) =>
    Buffer.from(await subtle.deriveBits(algorithm as never, key, length));

  it('does here what the platform does with bytes as they are', async () => {
    const cipher = await subtle.generateKey(AES, false, ['encrypt', 'decrypt']);
    const hmac = { name: 'HMAC', hash: 'SHA-512' };
    const mac = await subtle.importKey('raw', SECRET, hmac, false, ['sign', 'verify']);
    const gcm = { name: 'AES-GCM', iv: SALT, additionalData: SALT };
    const sealed = await subtle.encrypt(gcm, cipher, SECRET);
    expect(new Uint8Array(await subtle.decrypt(gcm, cipher, sealed))).to.deep.equal(SECRET);
    const tag = await subtle.sign('HMAC', mac, SECRET);
    expect(Buffer.from(tag)).to.deep.equal(createHmac('sha512', SECRET).update(SECRET).digest());
    expect(await subtle.verify('HMAC', mac, tag, SECRET)).to.equal(true);
    expect(await subtle.verify('HMAC', mac, tag, SALT)).to.equal(false);
    const digest = Buffer.from(await subtle.digest('SHA-256', SECRET));
    expect(digest).to.deep.equal(createHash('sha256').update(SECRET).digest());
    expect(world.operations).to.deep.equal([]);
  });

  it('has the workshop name what is wrong with such calls', async () => {
    const cipher = await subtle.generateKey(AES, false, ['encrypt']);
    const cbc = await subtle.generateKey({ ...AES, name: 'AES-CBC' }, false, ['decrypt']);
    world.operations.length = 0;
    const gcm = { name: 'AES-GCM', iv: SALT };
    const names = await Promise.all(
      [
        subtle.decrypt(gcm, cipher, SECRET),
        subtle.encrypt({ ...gcm, tagLength: 7 }, cipher, SECRET),
        subtle.encrypt({ ...gcm, iv: new Uint8Array(0) }, cipher, SECRET),
        subtle.encrypt({ name: 'AES-CBC', iv: SALT }, cipher, SECRET),
        // No number of blocks: of whole blocks, one in 256 ends like a padding.
        subtle.decrypt({ name: 'AES-CBC', iv: SALT }, cbc, SALT.subarray(1)),
        subtle.decrypt({ name: 'AES-CTR', counter: SALT, length: 64 }, cbc, SALT),
      ].map(errorName),
    );
    expect(names).to.deep.equal([
      ...['InvalidAccessError', 'OperationError', 'OperationError', 'InvalidAccessError'],
      ...['OperationError', 'InvalidAccessError'],
    ]);
    expect(world.operations).to.have.length(names.length);
  });

  it('has all else done in the workshop of the origin, and gives each call the keys that it names', async () => {
    const inputs: {
      readonly owner: string;
      readonly keys: readonly { readonly key: StoredKey }[];
    }[] = [];
    const { workshop } = world;
    world.workshop = {
      call: (owner, operation, input, options) => {
        inputs.push({ owner, ...(input.secrets as unknown as { keys: [] }) });
        return workshop.call(owner, operation, input, options);
      },
    };
    const ecdh = { ...EC, name: 'ECDH' };
    const own = await subtle.generateKey(ecdh, false, ['deriveBits']);
    const peer = await subtle.generateKey(ecdh, true, ['deriveBits']);
    const agreed = await Promise.all([
      subtle.deriveBits({ name: 'ECDH', public: peer.publicKey }, own.privateKey, 256),
      subtle.deriveBits({ name: 'ECDH', public: own.publicKey }, peer.privateKey, 256),
    ]);
    expect(new Uint8Array(agreed[0])).to.deep.equal(new Uint8Array(agreed[1]));
    const signing = await subtle.generateKey(EC, false, ['sign', 'verify']);
    const ecdsa = { name: 'ECDSA', hash: 'SHA-256' };
    const signature = await subtle.sign(ecdsa, signing.privateKey, SECRET);
    expect(await subtle.verify(ecdsa, signing.publicKey, signature, SECRET)).to.equal(true);
    expect(new Set(inputs.map(({ owner }) => owner))).to.deep.equal(
      new Set(['origin https://a.example']),
    );
    const counts = inputs.map(({ keys }) => keys.length);
    expect(counts).to.deep.equal([0, 0, 2, 2, 0, 1, 1]);
    expect(inputs.every(({ keys }) => keys.every(({ key }) => key.content !== ''))).to.equal(true);
    // What a call may not do with a key, the worker cannot do either.
    inputs.length = 0;
    const refused = [
      subtle.sign(ecdsa, signing.publicKey, SECRET),
      subtle.exportKey('pkcs8', signing.privateKey),
      subtle.deriveBits({ name: 'ECDH', public: peer.privateKey }, own.privateKey, 256),
    ];
    const names = await Promise.all(refused.map(errorName));
    expect(names).to.deep.equal(['InvalidAccessError', 'InvalidAccessError', 'InvalidAccessError']);
    const contents = inputs.map(({ keys }) => keys.map(({ key }) => key.content !== ''));
    expect(contents).to.deep.equal([[false], [false], [true, false]]);
  });

  it('takes no other keys from the workshop than were asked for', async () => {
    const attempts: readonly (readonly [object[], () => Promise<unknown>])[] = [
      [[{ ...MADE, extractable: true }], () => subtle.generateKey(OCB, false, ['encrypt'])],
      [[{ ...MADE, usages: ['decrypt'] }], () => subtle.generateKey(OCB, false, ['encrypt'])],
      [[{ ...MADE, type: 'private' }], () => subtle.generateKey(OCB, false, ['encrypt'])],
      [[{ ...MADE, algorithm: EC }], () => subtle.generateKey(OCB, false, ['encrypt'])],
      [[MADE, MADE], () => subtle.importKey('raw', SALT, OCB, false, ['encrypt'])],
      [PAIR, () => subtle.importKey('raw', SALT, EC, false, ['verify', 'sign'])],
      [PAIR.toReversed(), () => subtle.generateKey(EC, false, ['sign', 'verify'])],
      [
        [PAIR[0]!, { ...PAIR[1]!, extractable: true }],
        () => subtle.generateKey(EC, false, ['sign', 'verify']),
      ],
    ];
    for (const [answer, ask] of attempts) {
      world.workshop = workshopWith(answer);
      expect(await errorName(ask()), JSON.stringify(answer)).to.equal('OperationError');
    }
    world.workshop = workshopWith(PAIR);
    expect(await errorName(subtle.generateKey(EC, false, ['sign', 'verify']))).to.equal('none');
  });

  it('says why where a worker fails, or none can be started', async () => {
    const why = (error: Error) => {
      world.workshop = failingWorkshop(error);
      return subtle.digest('SHA3-256', SECRET).then(String, String);
    };
    expect(await why(new NoWorker())).to.match(/^NotSupportedError: This needs a worker/);
    const secret = new WorkshopFailed('Error: the key is 42');
    expect(await why(secret)).to.equal('OperationError: The operation failed in its worker');
    world.workshop = failingWorkshop(new NoWorker());
    expect(await errorName(subtle.digest('SHA-256', SECRET))).to.equal('none');
  });

  it('starts short work before long work that waits', async () => {
    const key = await secretFor('scrypt');
    const { workshop } = world;
    const { workshop: endless, signals } = endlessWorkshop();
    world.workshop = endless;
    void derivedFrom(key, SCRYPT).catch(() => undefined);
    await until(() => signals.length > 0);
    world.workshop = workshop;
    const small = { ...SCRYPT, N: 16 };
    const bits = scryptSync(SECRET, SALT, 32, { N: 16, r: 8, p: 1 });
    expect(await derivedFrom(key, small)).to.deep.equal(bits);
    expect(signals[0]!.aborted).to.equal(false);
  });

  it('has RSA done in the workshop: WebCrypto may do it on the calling thread', async () => {
    const algorithm = { hash: 'SHA-256', publicExponent: Uint8Array.of(1, 0, 1) };
    const hashed = { ...algorithm, modulusLength: 2048 };
    const signing = { ...hashed, name: 'RSASSA-PKCS1-v1_5' };
    const pair = await subtle.generateKey(signing, true, ['sign', 'verify']);
    const signature = await subtle.sign(signing.name, pair.privateKey, SECRET);
    expect(await subtle.verify(signing.name, pair.publicKey, signature, SECRET)).to.equal(true);
    const oaep = { ...hashed, name: 'RSA-OAEP' };
    const uses = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] as const;
    const wrapping = await subtle.generateKey(oaep, true, uses);
    const sealed = await subtle.encrypt(oaep.name, wrapping.publicKey, SECRET);
    const opened = await subtle.decrypt(oaep.name, wrapping.privateKey, sealed);
    expect(new Uint8Array(opened)).to.deep.equal(SECRET);
    const spki = await subtle.exportKey('spki', pair.publicKey);
    await subtle.importKey('spki', spki, signing, true, ['verify']);
    const aes = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
    const wrapped = await subtle.wrapKey('raw', aes, wrapping.publicKey, oaep.name);
    const args = ['raw', wrapped, wrapping.privateKey, oaep.name, 'AES-GCM', true] as const;
    await subtle.unwrapKey(...args, ['encrypt']);
    expect(world.operations).to.deep.equal([
      ...['subtle.generateKey', 'subtle.sign', 'subtle.verify', 'subtle.generateKey'],
      ...['subtle.encrypt', 'subtle.decrypt', 'subtle.exportKey', 'subtle.importKey'],
      ...['subtle.wrapKey', 'subtle.unwrapKey'],
    ]);
  });

  it('ends RSA with its page', async () => {
    const signing = { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 2048, saltLength: 32 };
    const made = { ...signing, publicExponent: Uint8Array.of(1, 0, 1) };
    const { value } = (await world.call('subtle.generateKey', {
      ...{ algorithm: made, extractable: false, usages: ['sign', 'verify'] },
    })) as { value: { privateKey: { handle: string } } };
    const { workshop, signals } = endlessWorkshop();
    world.workshop = workshop;
    const params = { algorithm: signing, key: value.privateKey.handle, data: SECRET };
    const { close } = world.begin('subtle.sign', params, pageCaller());
    await until(() => signals.length > 0);
    close();
    await until(() => signals[0]!.aborted);
  });

  it('makes a key once for each request', async () => {
    const baseKey = (await world.call('subtle.importKey', {
      ...{ format: 'raw', keyData: SECRET, algorithm: { name: 'scrypt' } },
      ...{ extractable: false, usages: ['deriveKey'] },
    })) as { value: { handle: string } };
    const request = {
      ...{ algorithm: SCRYPT, baseKey: baseKey.value.handle, extractable: true },
      ...{ derivedKeyType: { name: 'HMAC', hash: 'SHA-512' }, usages: ['sign' as const] },
    };
    world.operations.length = 0;
    const first = await world.call('subtle.deriveKey', request, pageCaller(), 'one');
    expect(await world.call('subtle.deriveKey', request, pageCaller(), 'one')).to.deep.equal(first);
    expect(world.operations).to.have.length(1);
    expect(first).to.have.nested.property('value.algorithm.length', 1024);
  });

  it('makes pairs, and agrees with them', async () => {
    const { p, g, q } = namedGroup('modp1536') as { p: bigint; g: bigint; q?: bigint };
    const order = q ?? (p - 1n) / 2n;
    // g² has the order of g modulo a safe prime, and is no known group's.
    const own = { name: 'DH', p, g: g * g, q: order } as never;
    // Below 2,048 bits no pair is made: the refusal comes from the worker.
    expect(await errorName(subtle.generateKey(own, true, ['deriveBits']))).to.equal(
      'OperationError',
    );
    // As the DOM's types have it, no other algorithm gives a pair.
    const known = { name: 'DH', group: 'ffdhe3072' } as unknown as EcKeyGenParams;
    const pairs = await Promise.all(
      [1, 2].map(() => subtle.generateKey(known, true, ['deriveBits'])),
    );
    const agree = (i: number) =>
      subtle.deriveBits({ name: 'DH', public: pairs[1 - i]!.publicKey }, pairs[i]!.privateKey, 256);
    expect(new Uint8Array(await agree(0))).to.deep.equal(new Uint8Array(await agree(1)));
    expect(world.operations).to.deep.equal([
      ...['subtle.generateKey', 'subtle.generateKey', 'subtle.generateKey'],
      ...['subtle.deriveBits', 'subtle.deriveBits'],
    ]);
  });

  it('refuses what is above the bound, before any work', async () => {
    const key = await secretFor('Argon2id');
    const { workshop, signals } = endlessWorkshop();
    world.workshop = workshop;
    const above = { name: 'Argon2id', memory: 262_144, passes: 8, parallelism: 17, nonce: SALT };
    expect(await errorName(derivedFrom(key, above))).to.equal('OperationError');
    const group = { name: 'DH', p: 2n ** 8192n, g: 2n } as never;
    expect(await errorName(subtle.generateKey(group, false, ['deriveBits']))).to.equal(
      'OperationError',
    );
    expect(signals).to.have.length(0);
  });

  it('keeps no key that is longer than its bound', async () => {
    const params = (['p', 'q', 'g'] as const).map((name) => toBigint(hex(largeDsaKey, name)));
    const long = writePkcs8({
      oid: OID.dsa,
      params: [...params.slice(0, 2), 2n ** 9000n],
      value: SALT,
    });
    const importing = subtle.importKey('pkcs8', long as BufferSource, { name: 'DSA' }, false, [
      'sign',
    ]);
    expect(await errorName(importing)).to.equal('OperationError');
  });

  it('charges the origin: QUOTA when an origin has spent its effort, and others go on', async () => {
    const ours = await secretFor('PBKDF2');
    const other = pageSubtle(
      world,
      pageCaller({ origin: 'https://b.example', documentId: 'b', tabId: 2 }),
    );
    const key = await other.importKey('raw', SECRET, 'PBKDF2', false, ['deriveBits']);
    const { workshop } = endlessWorkshop();
    const most = { name: 'PBKDF2', hash: 'SHA3-256', salt: SALT, iterations: 1_000_000 };
    world.workshop = workshopWith(new Uint8Array(32));
    const calls = Math.floor(LIMITS.burstEffortMs / 2_000);
    for (let i = 0; i < calls; i++) await derivedFrom(ours, most);
    world.workshop = workshop;
    expect(await errorName(derivedFrom(ours, most))).to.equal('QuotaExceededError');
    world.workshop = workshopWith(new Uint8Array(32));
    expect((await other.deriveBits(most, key, 256)).byteLength).to.equal(32);
  });

  it('ends work with the page that asked for it', async () => {
    const { value } = (await world.call('subtle.importKey', {
      ...{ format: 'raw', keyData: SECRET, algorithm: { name: 'scrypt' } },
      ...{ extractable: false, usages: ['deriveBits'] },
    })) as { value: { handle: string } };
    const { workshop, signals } = endlessWorkshop();
    world.workshop = workshop;
    const params = { algorithm: SCRYPT, baseKey: value.handle, length: 256 };
    const { close } = world.begin('subtle.deriveBits', params, pageCaller());
    await until(() => signals.length > 0);
    close();
    await until(() => signals[0]!.aborted);
  });

  it('ends work on a key of the user with the lock', async () => {
    world = await World.unlocked();
    const [grant] = await world.connect({ capabilities: ['mac'] });
    const { value } = (await world.call('subtle.importNamedKey', {
      ...{ keyId: grant!.keyId, algorithm: { name: 'scrypt' } },
      ...{ extractable: false, usages: ['deriveBits'] },
    })) as { value: { handle: string } };
    const { workshop, signals } = endlessWorkshop();
    world.workshop = workshop;
    const params = { algorithm: SCRYPT, baseKey: value.handle, length: 256 };
    const code = codeOf(world.call('subtle.deriveBits', params));
    await until(() => signals.length > 0);
    await world.surface('ui.lock', {});
    expect(await code).to.equal('LOCKED');
    expect(signals[0]!.aborted).to.equal(true);
  });
});

/** Prices count neither: they are not to take the thread that all sites share. */
describe('Public keys of imports and exports, and hashes of long data', () => {
  it('are computed in the workshop of the origin', async () => {
    const world = World.fresh();
    const subtle = pageSubtle(world);
    const wrapping = await subtle.generateKey(AES, false, ['wrapKey', 'unwrapKey']);
    const gcm = { name: 'AES-GCM', iv: SALT };
    world.operations.length = 0;
    const long = new Uint8Array(2 ** 20);
    const asked: string[] = [];
    const after = async <T>(operation: string, call: Promise<T>): Promise<T> => {
      asked.push(`subtle.${operation}`);
      return call;
    };
    for (const [name, usages] of [
      ['Ed448', ['sign']],
      ['X448', ['deriveBits']],
      ['ML-DSA-44', ['sign']],
      ['ML-KEM-768', ['decapsulateBits']],
    ] as [string, KeyUsage[]][]) {
      const made = subtle.generateKey({ name }, true, usages) as Promise<CryptoKeyPair>;
      const { privateKey } = await after('generateKey', made);
      const jwk = await after('exportKey', subtle.exportKey('jwk', privateKey));
      await after('importKey', subtle.importKey('jwk', jwk, { name }, true, usages));
      const wrapped = await after('wrapKey', subtle.wrapKey('jwk', privateKey, wrapping, gcm));
      const unwrapped = subtle.unwrapKey('jwk', wrapped, wrapping, gcm, { name }, true, usages);
      await after('unwrapKey', unwrapped);
    }
    const cshake = { name: 'cSHAKE256', outputLength: 256 };
    await after('digest', subtle.digest(cshake, long));
    const hmac = { name: 'HMAC', hash: 'SHA3-256' };
    const made = subtle.generateKey(hmac, false, ['sign']) as Promise<CryptoKey>;
    const mac = await after('generateKey', made);
    await after('sign', subtle.sign('HMAC', mac, long));
    expect(world.operations).to.deep.equal(asked);
  });
});
