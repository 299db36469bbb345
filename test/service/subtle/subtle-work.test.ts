import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { expect } from 'chai';
import { namedGroup } from '../../../src/crypto/classical/dh-groups.ts';
import { writePkcs8, OID } from '../../../src/subtle/algorithms/classical-keys.ts';
import { toBigint } from '../../../src/crypto/bigint/integers.ts';
import { LIMITS } from '../../../src/service/calls/rate-limits.ts';
import { IN_PLACE } from '../../../src/service/subtle/subtle-work.ts';
import type { Workshop } from '../../../src/rpc/workshop.ts';
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
function workshopWith(result: Uint8Array): Workshop {
  return { call: (() => Promise.resolve(result)) as Workshop['call'] };
}

describe('Work of subtle that takes long', () => {
  let world: World;
  let subtle: SubtleCrypto;

  beforeEach(() => {
    world = World.fresh();
    subtle = pageSubtle(world);
  });

  const secretFor = (name: string) =>
    subtle.importKey('raw', SECRET, name, false, ['deriveBits', 'deriveKey']);
  const derived = async (algorithm: object, length = 256) => {
    const key = await secretFor((algorithm as { name: string }).name);
    return Buffer.from(await subtle.deriveBits(algorithm as never, key, length));
  };

  it('is done in a worker, and short work in place', async () => {
    const small = { ...SCRYPT, N: 16 };
    expect(await derived(small)).to.deep.equal(scryptSync(SECRET, SALT, 32, { N: 16, r: 8, p: 1 }));
    expect(world.operations).to.have.length(0);
    const { N, r, p } = SCRYPT;
    expect(await derived(SCRYPT)).to.deep.equal(scryptSync(SECRET, SALT, 32, { N, r, p }));
    expect(world.operations).to.deep.equal(['subtle.deriveBits']);
  });

  it('is done in a worker too while there is much of it, of all sites together', async () => {
    // 6.6 ms of effort: three of them fit into IN_PLACE.burstMs.
    const short = { ...SCRYPT, N: 2 ** 11 };
    const inPlace = scryptSync(SECRET, SALT, 32, { N: short.N, r: short.r, p: short.p });
    const inWorker = Buffer.alloc(32, 7);
    world.workshop = workshopWith(new Uint8Array(inWorker));
    const caller = pageCaller({ origin: 'https://b.example', documentId: 'b', tabId: 2 });
    const other = pageSubtle(world, caller);
    const key = await other.importKey('raw', SECRET, 'scrypt', false, ['deriveBits']);
    for (let i = 0; i < 3; i++) expect(await derived(short)).to.deep.equal(inPlace);
    expect(await derived(short)).to.deep.equal(inWorker);
    const others = await other.deriveBits(short, key, 256);
    expect(Buffer.from(others)).to.deep.equal(inWorker);
    world.now -= 60_000; // a clock set back gives nothing
    expect(await derived(short)).to.deep.equal(inWorker);
    world.now += 1_000;
    expect(await derived(short)).to.deep.equal(inPlace);
  });

  it('with RSA is done in the workshop, whatever it is: WebCrypto may do it on the calling thread', async () => {
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

  it('with RSA ends with its page', async () => {
    const signing = { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 4096, saltLength: 32 };
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

  it('with much HKDF is done in the workshop: WebCrypto may derive on the calling thread', async () => {
    // 1.2 ms of effort.
    const hkdf = { name: 'HKDF', hash: 'SHA-512', salt: SALT, info: new Uint8Array(1024) };
    for (let i = 0; i < IN_PLACE.burstMs; i++) await derived(hkdf, 8 * 255 * 64);
    expect(world.operations).to.include('subtle.deriveBits');
  });

  it('stays here where the platform’s own threads do it', async () => {
    const native = { name: 'PBKDF2', hash: 'SHA-256', salt: SALT, iterations: 100_000 };
    const bits = await derived(native);
    expect(bits).to.deep.equal(pbkdf2Sync(SECRET, SALT, 100_000, 32, 'sha256'));
    expect(world.operations).to.have.length(0);
    await derived({ ...native, hash: 'SHA3-256', iterations: 12_000 });
    expect(world.operations).to.have.length(1);
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

  it('refuses in place what is above the bound', async () => {
    const { workshop, signals } = endlessWorkshop();
    world.workshop = workshop;
    const above = { name: 'Argon2id', memory: 262_144, passes: 8, parallelism: 17, nonce: SALT };
    expect(await errorName(derived(above))).to.equal('OperationError');
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
    expect(signals).to.have.length(0);
  });

  it('is charged: QUOTA when an origin has spent its effort, and others go on', async () => {
    const { workshop } = endlessWorkshop();
    const most = { name: 'PBKDF2', hash: 'SHA3-256', salt: SALT, iterations: 1_000_000 };
    world.workshop = workshopWith(new Uint8Array(32));
    const calls = Math.floor(LIMITS.burstEffortMs / 2_000);
    for (let i = 0; i < calls; i++) await derived(most);
    world.workshop = workshop;
    expect(await errorName(derived(most))).to.equal('QuotaExceededError');
    world.workshop = workshopWith(new Uint8Array(32));
    const other = pageSubtle(world, pageCaller({ origin: 'https://b.example', documentId: 'b' }));
    const key = await other.importKey('raw', SECRET, 'PBKDF2', false, ['deriveBits']);
    expect((await other.deriveBits(most, key, 256)).byteLength).to.equal(32);
  });

  it('ends with the page that asked for it', async () => {
    const { workshop, signals } = endlessWorkshop();
    world.workshop = workshop;
    const { value } = (await world.call('subtle.importKey', {
      ...{ format: 'raw', keyData: SECRET, algorithm: { name: 'scrypt' } },
      ...{ extractable: false, usages: ['deriveBits'] },
    })) as { value: { handle: string } };
    const params = { algorithm: SCRYPT, baseKey: value.handle, length: 256 };
    const { close } = world.begin('subtle.deriveBits', params, pageCaller());
    await until(() => signals.length > 0);
    close();
    await until(() => signals[0]!.aborted);
  });

  it('on a key of the user ends with the lock', async () => {
    world = await World.unlocked();
    const { workshop, signals } = endlessWorkshop();
    world.workshop = workshop;
    const [grant] = await world.connect({ capabilities: ['mac'] });
    const { value } = (await world.call('subtle.importNamedKey', {
      ...{ keyId: grant!.keyId, algorithm: { name: 'scrypt' } },
      ...{ extractable: false, usages: ['deriveBits'] },
    })) as { value: { handle: string } };
    const params = { algorithm: SCRYPT, baseKey: value.handle, length: 256 };
    const code = codeOf(world.call('subtle.deriveBits', params));
    await until(() => signals.length > 0);
    await world.surface('ui.lock', {});
    expect(await code).to.equal('LOCKED');
    expect(signals[0]!.aborted).to.equal(true);
  });
});
