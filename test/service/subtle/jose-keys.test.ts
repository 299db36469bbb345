import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  randomBytes,
  verify,
} from 'node:crypto';
import type { JsonWebKeyInput } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Awaitable } from '../../../src/engine/contract.ts';
import { deriveJoseSecret } from '../../../src/keys/ring/key-derivation.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../../src/keys/vault/vault.ts';
import { joseKey, type JoseAlgorithm } from '../../../src/service/subtle/named/jose-keys.ts';
import {
  P256Points,
  p256PrivateKey,
  workshopPoint,
} from '../../../src/service/subtle/named/p256-keys.ts';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import type { Workshop } from '../../../src/rpc/workshop.ts';
import { errorName, pageSubtle } from '../../support/page-subtle.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };
const ECDH = { name: 'ECDH', namedCurve: 'P-256' };
const DATA = new TextEncoder().encode('header.payload');
const A = pageCaller();
const JOSE: Pick<ParamsOf<'connect'>, 'key' | 'capabilities'> = {
  key: { kind: 'jose' },
  capabilities: ['signToken', 'openToken'],
};
/** The order n of P-256 (SEC 2, 2.4.2). */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** By OpenSSL. */
const computedPoint = (privateKey: Uint8Array): Promise<Uint8Array> => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  return Promise.resolve(new Uint8Array(ecdh.getPublicKey()));
};

const publicNode = (key: unknown) =>
  createPublicKey({ key, format: 'jwk' } as unknown as JsonWebKeyInput);
const privateNode = (key: unknown) =>
  createPrivateKey({ key, format: 'jwk' } as unknown as JsonWebKeyInput);

describe('The private keys of JOSE', () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const origin = 'https://a.example';

  it('come from HKDF-Expand with SHA-512, by algorithm and origin', () => {
    const prefixed = (text: string) =>
      Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]);
    for (const algorithm of ['ECDSA', 'Ed25519']) {
      const info = Buffer.concat([Buffer.from('SWM1 jose'), prefixed(algorithm), prefixed(origin)]);
      // Of 64 bytes or fewer, T(1) is all that is needed (RFC 5869, section 2.3).
      const first = createHmac('sha512', key).update(info).update(Uint8Array.of(1)).digest();
      const ours = Buffer.from(deriveJoseSecret(key, { origin, algorithm }, 48));
      expect(ours).to.deep.equal(first.subarray(0, 48));
    }
  });

  /** As OpenSSL reads it. */
  const read = async (algorithm: JoseAlgorithm, site = origin) =>
    createPrivateKey({
      key: Buffer.from(await joseKey(key, site, algorithm, computedPoint)),
      format: 'der',
      type: 'pkcs8',
    }).export({ format: 'jwk' });

  it('of P-256 are the secret modulo n − 1, plus 1, of Ed25519 and X25519 the secret itself', async () => {
    for (const algorithm of ['ECDSA', 'ECDH'] as const) {
      const secret = Buffer.from(deriveJoseSecret(key, { origin, algorithm }, 48));
      const expected = (BigInt(`0x${secret.toString('hex')}`) % (N - 1n)) + 1n;
      const d = Buffer.from((await read(algorithm)).d!, 'base64url');
      expect(d).to.have.length(32);
      expect(BigInt(`0x${d.toString('hex')}`)).to.equal(expected);
    }
    for (const algorithm of ['Ed25519', 'X25519'] as const) {
      const secret = Buffer.from(deriveJoseSecret(key, { origin, algorithm }, 32));
      const { d, crv } = await read(algorithm);
      expect([crv, d]).to.deep.equal([algorithm, secret.toString('base64url')]);
    }
  });

  it('of P-256 have the public point that OpenSSL computes; all differ by algorithm and origin', async () => {
    const seen = new Set<string>();
    for (const site of [origin, 'https://b.example']) {
      for (const algorithm of ['ECDSA', 'ECDH', 'Ed25519', 'X25519'] as const) {
        const { kty, d, x, y } = await read(algorithm, site);
        seen.add(d!);
        if (kty !== 'EC') continue;
        const point = createECDH('prime256v1');
        point.setPrivateKey(d!, 'base64url');
        const parts = [x!, y!].map((part) => Buffer.from(part, 'base64url'));
        expect(point.getPublicKey()).to.deep.equal(Buffer.concat([Uint8Array.of(4), ...parts]));
      }
    }
    expect(seen.size).to.equal(8);
  });
});

describe('Private keys of P-256', () => {
  const asBytes = (value: bigint, length: number) =>
    Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex'));

  it('are the remainder plus 1 at every edge', () => {
    const top = 2n ** 384n - 1n;
    const multiples = [1n, 2n, 3n, 2n ** 64n, 2n ** 127n, top / (N - 1n)].map((k) => k * (N - 1n));
    const edges = multiples.flatMap((value) => [value - 1n, value, value + 1n]);
    const drawn = Array.from({ length: 200 }, () => BigInt(`0x${randomBytes(48).toString('hex')}`));
    for (const value of [0n, 1n, N, N - 2n, top, top - 1n, 2n ** 255n, ...edges, ...drawn]) {
      const expected = asBytes((value % (N - 1n)) + 1n, 32);
      expect(p256PrivateKey(asBytes(value, 48)), value.toString(16)).to.deep.equal(expected);
    }
  });

  it('have their public point computed in the workshop, for the vault alone', async () => {
    const { workshop } = await World.unlocked();
    const owners: string[] = [];
    const call: Workshop['call'] = (owner, ...rest) => {
      owners.push(owner);
      return workshop.call(owner, ...rest);
    };
    for (let i = 0; i < 5; i++) {
      const key = p256PrivateKey(randomBytes(48));
      expect(await workshopPoint({ call })(key, 'id')).to.deep.equal(await computedPoint(key));
    }
    expect(new Set(owners)).to.deep.equal(new Set(['vault']));
    const wrong: Workshop['call'] = () => Promise.resolve(new Uint8Array(64) as never);
    expect(await errorName(workshopPoint({ call: wrong })(new Uint8Array(32), 'id'))).to.equal(
      'WorkshopFailed',
    );
  });

  it('have their public point computed once, at any rate of use, by restarts too', async () => {
    const vault = memoryVault();
    const compute = sinon.spy(computedPoint);
    const key = Uint8Array.from({ length: 32 }, (_, i) => i);
    const started = () => new P256Points(vault, compute);
    const made = (points: P256Points, origin = 'https://a.example') =>
      joseKey(key, origin, 'ECDSA', points.of);
    const first = started();
    const keys = await Promise.all([made(first), made(first), made(first)]);
    const expected = await joseKey(key, 'https://a.example', 'ECDSA', computedPoint);
    expect(keys).to.deep.equal([expected, expected, expected]);
    expect(compute.callCount).to.equal(1);
    expect(await made(started())).to.deep.equal(keys[0]);
    expect(compute.callCount, 'after a restart').to.equal(1);
    await made(first, 'https://b.example');
    expect(compute.callCount, 'of another site').to.equal(2);
    vault.isFull = true;
    const full = started();
    await made(full, 'https://c.example');
    await made(full, 'https://c.example');
    expect(compute.callCount, 'where nothing is saved').to.equal(3);
  });
});

/** What a vault keeps of its records. */
function memoryVault() {
  const records = new Map<string, VaultRecord>();
  const vault = {
    isFull: false,
    read: (id: string) => Promise.resolve(records.get(id)),
    async commit(change: (draft: VaultDraft) => Awaitable<void>) {
      if (vault.isFull) throw new VaultError('QUOTA');
      await change({
        put: (one: VaultRecord) => records.set(one.id, one),
      } as unknown as VaultDraft);
    },
  };
  return vault as typeof vault & Pick<Vault, 'read' | 'commit'>;
}

describe('A key of the user for tokens', function () {
  this.timeout(30_000);
  let world: World;
  let subtle: SubtleCrypto;

  beforeEach(async () => {
    world = await World.unlocked();
    subtle = pageSubtle(world);
  });

  const granted = async (more: object = {}, label = 'Tokens'): Promise<string> =>
    (await world.connect({ ...JOSE, ...more }, A, { newKeyLabel: label }))[0]!.keyId;
  const imported = (keyId: string, algorithm: object, usages: KeyUsage[], of = subtle) =>
    of.importKey('sealwright' as 'raw', keyId as never, algorithm as never, false, usages);
  const publicHalf = async (key: CryptoKey, usages: KeyUsage[] = ['verify']) => {
    const half = await (subtle as never as PublicHalves).getPublicKey(key, usages);
    expect(half).to.include({ type: 'public', extractable: true });
    return subtle.exportKey('jwk', half);
  };

  it('signs for ES256 and EdDSA what its public key verifies, in OpenSSL too', async () => {
    const keyId = await granted();
    const ecdsa = await imported(keyId, ES256, ['sign']);
    expect(ecdsa).to.deep.include({ type: 'private', extractable: false, usages: ['sign'] });
    expect(ecdsa.algorithm).to.deep.equal(ES256);
    const signature = new Uint8Array(await subtle.sign(SIGNING, ecdsa, DATA));
    const key = { key: publicNode(await publicHalf(ecdsa)), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', DATA, key, signature)).to.equal(true);

    const ed25519 = await imported(keyId, { name: 'Ed25519' }, ['sign']);
    const edSignature = new Uint8Array(await subtle.sign('Ed25519', ed25519, DATA));
    const edPublic = publicNode(await publicHalf(ed25519));
    expect(verify(null, DATA, edPublic, edSignature)).to.equal(true);
  });

  it('agrees on the secret that OpenSSL computes from its public key', async () => {
    const keyId = await granted();
    for (const algorithm of [ECDH, { name: 'X25519' }]) {
      const key = await imported(keyId, algorithm, ['deriveBits']);
      const pair = (await subtle.generateKey(algorithm, true, ['deriveBits'])) as CryptoKeyPair;
      const peer = { name: algorithm.name, public: pair.publicKey };
      const secret = Buffer.from(await subtle.deriveBits(peer, key, 256));
      const privateKey = privateNode(await subtle.exportKey('jwk', pair.privateKey));
      const publicKey = publicNode(await publicHalf(key, []));
      expect(secret).to.deep.equal(diffieHellman({ privateKey, publicKey }));
    }
  });

  it('is not made a BigInt, nor looked up by its bits, at a page’s rate', async () => {
    const keyId = await granted();
    const ecdsa = await imported(keyId, ES256, ['sign']);
    const ecdh = await imported(keyId, ECDH, ['deriveBits']);
    const pair = await subtle.generateKey(ECDH, true, ['deriveBits']);
    const use = async () => {
      await subtle.sign(SIGNING, ecdsa, DATA);
      await subtle.deriveBits({ name: 'ECDH', public: pair.publicKey }, ecdh, 256);
      await publicHalf(ecdsa);
    };
    await use();
    await world.surface('ui.lock', {});
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    const { BigInt: real } = globalThis;
    const made: unknown[] = [];
    globalThis.BigInt = new Proxy(real, {
      apply(target, self, [value]: [string | number]) {
        if (typeof value === 'string') made.push(value);
        return Reflect.apply(target, self, [value]);
      },
    });
    try {
      await use();
      expect(made).to.deep.equal([]);
      await joseKey(new Uint8Array(32), A.origin, 'ECDSA', workshopPoint(world.workshop));
      expect(made, 'the computation is seen').to.not.deep.equal([]);
    } finally {
      globalThis.BigInt = real;
    }
  });

  it('takes one use each time, and none for the public half', async () => {
    const keyId = await granted({ maxUses: 2 });
    const key = await imported(keyId, ES256, ['sign']);
    await publicHalf(key);
    await subtle.sign(SIGNING, key, DATA);
    await publicHalf(key);
    await subtle.sign(SIGNING, key, DATA);
    expect(await errorName(subtle.sign(SIGNING, key, DATA))).to.equal('InvalidAccessError');
    await publicHalf(key);
  });

  it('is for what was granted alone, and stops with the grant and the vault', async () => {
    const keyId = await granted({ capabilities: ['signToken'] });
    const key = await imported(keyId, ES256, ['sign']);
    const refused = async (work: Promise<unknown>) =>
      expect(await errorName(work)).to.equal('InvalidAccessError');
    await refused(imported(keyId, ECDH, ['deriveBits']));
    await refused(imported(keyId, { name: 'X25519' }, ['deriveKey']));
    await world.surface('ui.lock', {});
    await refused(subtle.sign(SIGNING, key, DATA));
    await refused(publicHalf(key));
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await subtle.sign(SIGNING, key, DATA);
    await world.call('revoke', {});
    await refused(subtle.sign(SIGNING, key, DATA));
    await refused(publicHalf(key));
  });

  it('does nothing else, and no other key does its work', async () => {
    const keyId = await granted();
    const names = async (work: Promise<unknown>, name: string) =>
      expect(await errorName(work)).to.equal(name);
    for (const [algorithm, usage] of [
      [{ name: 'AES-GCM', length: 256 }, 'encrypt'],
      [{ name: 'HMAC', hash: 'SHA-256' }, 'sign'],
      [{ name: 'HKDF' }, 'deriveBits'],
    ] as const) {
      await names(imported(keyId, algorithm, [usage]), 'InvalidAccessError');
    }
    expect(await codeOf(world.call('publicKey', { keyId }))).to.equal('NOT_GRANTED');
    expect(await codeOf(world.call('sign', { data: DATA, key: keyId }))).to.equal('NOT_GRANTED');
    expect(await codeOf(world.call('seal', { plaintext: DATA, key: keyId }))).to.equal(
      'NOT_GRANTED',
    );

    const others = [
      { capabilities: ['seal', 'open', 'mac'] },
      { key: { kind: 'sealing' }, capabilities: ['seal', 'open', 'mac'] },
      { key: { kind: 'signing' }, capabilities: ['sign', 'publicKey'] },
      { key: { kind: 'sharing' }, capabilities: ['seal', 'open', 'publicKey'] },
    ] as const;
    for (const request of others) {
      const [grant] = await world.connect(request as never, A, { newKeyLabel: 'Other' });
      for (const [algorithm, usage] of [
        [ES256, 'sign'],
        [{ name: 'Ed25519' }, 'sign'],
        [ECDH, 'deriveBits'],
        [{ name: 'X25519' }, 'deriveKey'],
      ] as const) {
        await names(imported(grant!.keyId, algorithm, [usage]), 'InvalidAccessError');
      }
      const asked = { ...JOSE, ...('key' in request && { key: request.key }) };
      if (!('key' in request)) Object.assign(asked, { key: 'app' });
      expect(await codeOf(world.call('connect', { purpose: 'p', ...asked }))).to.equal(
        'INVALID_ARGUMENT',
      );
    }
  });

  it('refuses other curves and usages, and is never exported, wrapped or stored', async () => {
    const keyId = await granted();
    const names = async (work: Promise<unknown>, name: string) =>
      expect(await errorName(work)).to.equal(name);
    await names(imported(keyId, { ...ES256, namedCurve: 'P-384' }, ['sign']), 'NotSupportedError');
    await names(imported(keyId, { name: 'ECDSA' }, ['sign']), 'NotSupportedError');
    await names(imported(keyId, ES256, ['verify']), 'SyntaxError');
    await names(imported(keyId, ES256, ['sign', 'deriveBits']), 'SyntaxError');
    await names(imported(keyId, ES256, []), 'SyntaxError');
    await names(imported(keyId, { ...ES256, generation: 2 }, ['sign']), 'OperationError');
    const extractable = subtle.importKey(
      ...(['sealwright' as 'raw', keyId as never, ES256 as never, true, ['sign']] as const),
    );
    await names(extractable, 'SyntaxError');
    const key = await imported(keyId, ES256, ['sign']);
    for (const format of ['jwk', 'pkcs8', 'sealwright-ref'] as const) {
      await names(subtle.exportKey(format as 'jwk', key), 'InvalidAccessError');
    }
    const wrapper = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['wrapKey']);
    const gcm = { name: 'AES-GCM', iv: new Uint8Array(12) };
    await names(subtle.wrapKey('pkcs8', key, wrapper, gcm), 'InvalidAccessError');
  });

  it('stays with its generation; a later import has the newest', async () => {
    const keyId = await granted();
    const before = await imported(keyId, ES256, ['sign']);
    const first = await publicHalf(before);
    const rotating = world.call('rotateKey', { keyId });
    while (world.prompter.shown.length === 1) await new Promise(setImmediate);
    await world.surface('ui.answerPrompt', { promptId: world.prompter.shown[1]!, allow: true });
    expect(await rotating).to.include({ kind: 'jose', generation: 2 });
    expect((await publicHalf(before)).x).to.equal(first.x);
    const second = await publicHalf(await imported(keyId, ES256, ['sign']));
    expect(second.x).to.not.equal(first.x);
    const named = await imported(keyId, { ...ES256, generation: 1 }, ['sign']);
    expect((await publicHalf(named)).x).to.equal(first.x);
  });

  it('is made for one site, and is offered to no other', async () => {
    await granted({}, 'For a');
    const keys = await world.surface('ui.keys', {});
    expect(keys.find(({ kind }) => kind === 'jose')).to.include({
      origin: A.origin,
      label: 'For a',
    });
    expect(keys.find(({ kind }) => kind === 'app')).to.include({ origin: null });
    const ref = keys.find(({ kind }) => kind === 'jose')!.ref;
    const b = pageCaller({ origin: 'https://b.example', topOrigin: 'https://b.example' });
    const code = codeOf(world.call('connect', { purpose: 'p', ...JOSE }, b));
    while (world.prompter.shown.length === 1) await new Promise(setImmediate);
    const promptId = world.prompter.shown[1]!;
    expect((await world.surface('ui.prompt', { promptId })).keys).to.deep.equal([]);
    const picked = world.surface('ui.answerPrompt', { promptId, allow: true, ref });
    expect(await codeOf(picked)).to.equal('INVALID_ARGUMENT');
    await world.surface('ui.answerPrompt', { promptId, allow: false });
    expect(await code).to.equal('USER_REJECTED');
  });
});

interface PublicHalves {
  getPublicKey(key: CryptoKey, usages: KeyUsage[]): Promise<CryptoKey>;
}
