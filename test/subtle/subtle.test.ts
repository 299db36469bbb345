import { expect } from 'chai';
import fc from 'fast-check';
import { inspect } from 'node:util';
import { Registry } from '../../src/engine/registry.ts';
import { createSubtle, engines } from '../../src/library/subtle.ts';
import type { SubtleKey, SubtleOptions } from '../../src/library/subtle.ts';
import { fakeEngine } from '../engine/fake-engine.ts';
import { unaligned } from '../support/edge-lengths.ts';

const auto = await createSubtle();
const js = await createSubtle({ engine: 'js' });
const native = await createSubtle({ engine: 'native' });
const node = globalThis.crypto.subtle;

const iv = new Uint8Array(12).fill(7);
const data = new Uint8Array(Array.from({ length: 100 }, (_, i) => i));
const RAW = new Uint8Array(Array.from({ length: 16 }, (_, i) => 0xa0 + i));

function gcmKey(extractable = true): Promise<SubtleKey> {
  return auto.importKey('raw', RAW, 'AES-GCM', extractable, [
    ...(['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] as const),
  ]);
}

async function nameOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'none';
  } catch (error) {
    return (error as Error).name;
  }
}

describe('keys', () => {
  it('cannot be cloned, which would lose them silently, and are {} in JSON', async () => {
    const pair = await auto.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
    for (const key of [await gcmKey(), pair.privateKey]) {
      for (const value of [key, { key }, [key]]) {
        expect(await nameOf(() => structuredClone(value))).to.equal('DataCloneError');
      }
      const { port1, port2 } = new MessageChannel();
      expect(await nameOf(() => port1.postMessage(key))).to.equal('DataCloneError');
      port1.close();
      port2.close();
      expect(JSON.stringify(key)).to.equal('{}');
    }
  });
});

describe('createSubtle and engines', () => {
  it('pick native for AES-GCM, js for what only it has, and say so', () => {
    expect(auto.engineFor('AES-GCM', 1 << 20)).to.equal('native');
    expect(auto.engineFor('aes-ocb', 16)).to.equal('js');
    expect(js.engineFor({ name: 'AES-GCM' }, 16)).to.equal('js');
  });

  it('refuse options that do not exist, and a name in their place', async () => {
    const wrong = [{ wasm: 'js' }, 'js', null] as unknown as SubtleOptions[];
    for (const options of wrong) {
      expect(await nameOf(() => createSubtle(options))).to.equal('TypeError');
    }
  });

  it('take the engines that a caller allows, in that order, and no others', async () => {
    const some = await createSubtle({ engines: ['native', 'wasm-simd'] });
    expect(some.engineFor('AES-GCM', 1 << 20)).to.equal('native');
    expect(some.engineFor('RSA-OAEP', 1)).to.equal('native');
    const key = await some.generateKey({ name: 'AES-OCB', length: 128 }, false, ['encrypt']);
    const error = await some.encrypt({ name: 'AES-OCB', iv }, key, data).catch((e: unknown) => e);
    expect(error).to.include({ name: 'NotSupportedError' });
    expect((error as Error).message).to.match(
      /native: has no AES-OCB; wasm-simd: .*its script could not be imported/,
    );
    expect((error as Error).message).to.not.include('js:');
    const jsFirst = await createSubtle({ engines: ['js', 'native'] });
    expect(jsFirst.engineFor('SHA-256', 1 << 20)).to.equal('js');
  });

  it('refuse engines that do not exist, an empty list, and options that exclude each other', async () => {
    const wrong = [
      { engines: [] },
      { engines: ['wasm-smid'] },
      { engines: 'js' },
      { engines: ['js'], engine: 'js' },
      { engines: ['js'], gpu: true },
      { wasmBase: 'not a URL' },
      { registry: new Registry([]), constantTime: true },
    ] as unknown as SubtleOptions[];
    for (const options of wrong) {
      expect(await nameOf(() => createSubtle(options)), Object.keys(options).join()).to.equal(
        'TypeError',
      );
    }
    expect(await nameOf(() => engines({ wasm: 1 } as never))).to.equal('TypeError');
  });

  it('never take what does not claim to be constant-time, if a caller says so', async () => {
    for (const options of [{}, { engine: 'js' }, { engines: ['js'] }] as const) {
      const safe = await createSubtle({ ...options, constantTime: true });
      expect(() => safe.engineFor('AES-OCB', 1)).to.throw(/js: its AES-OCB is not constant-time/);
      expect(safe.engineFor('ChaCha20-Poly1305', 1)).to.equal('js');
      const key = await safe.importKey('raw', RAW, 'AES-OCB', false, ['encrypt']);
      const encrypt = () => safe.encrypt({ name: 'AES-OCB', iv }, key, data);
      expect(await nameOf(encrypt)).to.equal('NotSupportedError');
    }
    const safe = await createSubtle({ constantTime: true });
    expect(safe.engineFor('AES-GCM', 1 << 20)).to.equal('native');
  });

  it('cross the shipped threshold of SHA-256', () => {
    expect(auto.engineFor('SHA-256', 2047)).to.equal('js');
    expect(auto.engineFor('SHA-256', 2048)).to.equal('native');
  });

  it('never fall back from a named engine', async () => {
    expect(await nameOf(() => native.engineFor('AES-OCB', 1))).to.equal('NotSupportedError');
    const key = await native.importKey('raw', RAW, 'AES-OCB', true, ['encrypt']);
    const encrypt = () => native.encrypt({ name: 'AES-OCB', iv }, key, data);
    expect(await nameOf(encrypt)).to.equal('NotSupportedError');
    const short = await native.importKey('raw', RAW, 'AES-GCM', true, ['encrypt']);
    const gap = () => native.encrypt({ name: 'AES-GCM', iv: iv.slice(0, 1) }, short, data);
    expect(await nameOf(gap)).to.equal('NotSupportedError');
  });

  it('take nonces of any length with auto, which native may lack', async () => {
    const key = await gcmKey();
    for (const length of [1, 8, 12, 129, 1000]) {
      const params = { name: 'AES-GCM', iv: new Uint8Array(length).fill(1) };
      const sealed = await auto.encrypt(params, key, data);
      const opened = await auto.decrypt(params, key, sealed);
      expect(new Uint8Array(opened)).to.deep.equal(data);
    }
  });

  it('exist for an engine that is not there, and reject with its reason', async () => {
    const gpu = await createSubtle({ engine: 'webgpu' });
    const error = await gpu.digest('SHA-256', data).catch((reason: unknown) => reason as Error);
    expect(error).to.include({ name: 'NotSupportedError' });
    expect((error as Error).message).to.contain('webgpu: no WebGPU here');
  });

  it('refuse an engine that has no name', async () => {
    expect(await nameOf(() => createSubtle({ engine: 'fast' as never }))).to.equal('TypeError');
  });

  it('take 2 to 16 threads, off unless asked for', async () => {
    for (const [threads, name] of [
      [1, 'RangeError'],
      [17, 'RangeError'],
      [2.5, 'TypeError'],
      ['2', 'TypeError'],
    ] as const) {
      const create = () => createSubtle({ threads: threads as number });
      expect(await nameOf(create), `${threads}`).to.equal(name);
    }
    const registry = new Registry([fakeEngine('js', {})]);
    expect(await nameOf(() => createSubtle({ threads: 2, registry }))).to.equal('TypeError');
    const off = (await engines()).find(({ name }) => name === 'wasm-threads');
    expect(off).to.deep.include({ available: false, algorithms: [] });
    expect(off!.reason).to.match(/^off: /);
  });

  it('reject with the reason of a signal, before and after the work began', async () => {
    const key = await gcmKey();
    const reason = new Error('no longer needed');
    const calls = (signal: AbortSignal): Promise<unknown>[] => [
      auto.encrypt({ name: 'AES-GCM', iv, signal }, key, data),
      auto.decrypt({ name: 'AES-GCM', iv, signal }, key, data),
      auto.digest({ name: 'BLAKE3', signal }, data),
    ];
    const controller = new AbortController();
    const begun = calls(controller.signal);
    controller.abort(reason);
    const [encrypted, , digested] = await Promise.allSettled(begun);
    for (const result of [
      encrypted,
      digested,
      ...(await Promise.allSettled(calls(controller.signal))),
    ]) {
      expect(result).to.deep.equal({ status: 'rejected', reason });
    }
    const wrong = { name: 'BLAKE3', signal: {} as AbortSignal };
    expect(await nameOf(() => auto.digest(wrong, data))).to.equal('TypeError');
  });

  it('report each engine with its algorithms and self-test', async () => {
    const report = await engines();
    const webgpu = report.find(({ name }) => name === 'webgpu');
    expect(webgpu).to.deep.include({ available: false, algorithms: [] });
    expect(webgpu!.reason).to.match(/^off: /);
    const found = report.find(({ name }) => name === 'js');
    expect(found).to.include({ available: true, selfTest: 'passed' });
    expect(found!.algorithms).to.include.members(['AES-OCB', 'AES-CMAC', 'PBKDF2']);
  });

  it('turn a broken registry into NotSupportedError with all reasons', async () => {
    const registry = new Registry([fakeEngine('js', {})]);
    const subtle = await createSubtle({ registry });
    const error = (await subtle.digest('SHA-1', data).catch((e: unknown) => e)) as Error;
    expect(error.name).to.equal('NotSupportedError');
    expect(error.message).to.contain('js: has no SHA-1');
  });
});

describe('keys', () => {
  it('are frozen, opaque and not printable', async () => {
    const key = await gcmKey();
    const hidden = Buffer.from(RAW).toString('hex');
    for (const shown of [inspect(key, { depth: 9, showHidden: true }), JSON.stringify(key)]) {
      expect(shown).to.not.contain('a0, a1').and.not.contain(hidden).and.not.contain('160, 161');
    }
    expect(Object.isFrozen(key) && Object.isFrozen(key.algorithm)).to.equal(true);
    expect(Object.isFrozen(key.usages)).to.equal(true);
    const names = ['type', 'extractable', 'algorithm', 'usages', 'toJSON'];
    expect(Reflect.ownKeys(key)).to.have.members(names);
    expect(Object.prototype.toString.call(key)).to.equal('[object CryptoKey]');
  });

  it('cannot be forged', async () => {
    const forged = Object.create(Object.getPrototypeOf(await gcmKey()) as object) as SubtleKey;
    const use = () => auto.encrypt({ name: 'AES-GCM', iv }, forged, data);
    expect(await nameOf(use)).to.equal('TypeError');
    const platforms = await node.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']);
    const foreign = () => auto.encrypt({ name: 'AES-GCM', iv }, platforms as never, data);
    expect(await nameOf(foreign)).to.equal('TypeError');
  });

  it('look like those of the platform', async () => {
    for (const [algorithm, usages] of [
      [{ name: 'aes-gcm', length: 256 }, ['unwrapKey', 'encrypt', 'encrypt']],
      [{ name: 'AES-KW', length: 192 }, ['wrapKey']],
      [{ name: 'hmac', hash: 'sha-384' }, ['verify', 'sign']],
      [{ name: 'HMAC', hash: 'SHA-1', length: 160 }, ['sign']],
    ] as const) {
      const ours = await auto.generateKey(algorithm, true, usages);
      const theirs = await node.generateKey(algorithm as HmacKeyGenParams, true, [
        ...new Set(usages),
      ]);
      expect(ours.algorithm).to.deep.equal(theirs.algorithm);
      expect([...ours.usages]).to.have.members([...theirs.usages]);
      expect([ours.type, ours.extractable]).to.deep.equal([theirs.type, theirs.extractable]);
    }
  });

  it('list their usages once, in the order of the standard', async () => {
    const key = await auto.importKey('raw', RAW, 'AES-CTR', true, [
      'unwrapKey',
      'decrypt',
      'decrypt',
    ]);
    expect(key.usages).to.deep.equal(['decrypt', 'unwrapKey']);
  });

  for (const name of ['AES-GCM', 'AES-CTR', 'AES-CBC', 'AES-OCB', 'AES-CCM', 'AES-ECB'] as const) {
    it(`${name}: raw, raw-secret and jwk give the same key`, async () => {
      const usages = ['encrypt', 'decrypt'] as const;
      const key = await auto.generateKey({ name, length: 192 }, true, usages);
      const raw = await auto.exportKey('raw', key);
      expect(await auto.exportKey('raw-secret', key)).to.deep.equal(raw);
      const jwk = await auto.exportKey('jwk', key);
      expect(jwk).to.include({ kty: 'oct', alg: `A192${name.slice(4)}`, ext: true });
      expect(Buffer.from(jwk.k!, 'base64url')).to.deep.equal(Buffer.from(raw));
      for (const [format, material] of [
        ['raw', raw],
        ['raw-secret', raw],
        ['jwk', jwk],
      ] as const) {
        const again = await auto.importKey(format, material, name, true, usages);
        expect(await auto.exportKey('raw', again)).to.deep.equal(raw);
      }
    });
  }

  it('export to a jwk that the platform reads, and read its', async () => {
    const ours = await auto.generateKey({ name: 'HMAC', hash: 'SHA-512' }, true, ['sign']);
    const jwk = await auto.exportKey('jwk', ours);
    const hmac = { name: 'HMAC', hash: 'SHA-512' };
    const theirs = await node.importKey('jwk', jwk, hmac, true, ['sign']);
    const tag = await node.sign('HMAC', theirs, data);
    expect(await auto.sign('HMAC', ours, data)).to.deep.equal(tag);
    const back = await node.exportKey('jwk', theirs);
    const again = await auto.importKey('jwk', back, hmac, true, ['sign']);
    expect(await auto.sign('HMAC', again, data)).to.deep.equal(tag);
  });

  it('of a number of bits that is not whole bytes hold zeros behind them', async () => {
    const hmac = { name: 'HMAC', hash: 'SHA-256', length: 15 };
    const key = await auto.importKey('raw', Uint8Array.of(0xff, 0xff), hmac, true, ['sign']);
    expect(key.algorithm.length).to.equal(15);
    const exported = await auto.exportKey('raw', key);
    expect([...new Uint8Array(exported)]).to.deep.equal([0xff, 0xfe]);
  });

  it('are generated from the random source that was handed in', async () => {
    const random = { bytes: (length: number) => new Uint8Array(length).fill(0x42) };
    const subtle = await createSubtle({ random });
    const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
    expect(new Uint8Array(await subtle.exportKey('raw', key))).to.deep.equal(
      new Uint8Array(32).fill(0x42),
    );
  });
});

describe('wrapping and deriving', () => {
  for (const format of ['raw', 'jwk'] as const) {
    for (const wrapAlgorithm of [
      { name: 'AES-KW' },
      { name: 'AES-GCM', iv },
      { name: 'AES-OCB', iv },
    ]) {
      it(`${format} through ${wrapAlgorithm.name} and back`, async () => {
        const { name } = wrapAlgorithm;
        const usages = ['wrapKey', 'unwrapKey'] as const;
        const algorithm = { name, length: 128 };
        const wrapper = (await auto.generateKey(algorithm, false, usages)) as SubtleKey;
        const key = await gcmKey();
        const wrapped = await auto.wrapKey(format, key, wrapper, wrapAlgorithm);
        const back = await auto.unwrapKey(
          ...([format, wrapped, wrapper, wrapAlgorithm, 'AES-GCM', true, ['encrypt']] as const),
        );
        expect(await auto.exportKey('raw', back)).to.deep.equal(await auto.exportKey('raw', key));
      });
    }
  }

  it('wrap so that the platform unwraps', async () => {
    const wrapper = await auto.importKey('raw', RAW, 'AES-KW', false, ['wrapKey']);
    const wrapped = await auto.wrapKey('jwk', await gcmKey(), wrapper, 'AES-KW');
    const theirs = await node.importKey('raw', RAW, 'AES-KW', false, ['unwrapKey']);
    const usages: KeyUsage[] = ['encrypt'];
    const key = await node.unwrapKey(
      ...(['jwk', wrapped, theirs, 'AES-KW', 'AES-GCM', true, usages] as const),
    );
    expect(new Uint8Array(await node.exportKey('raw', key))).to.deep.equal(RAW);
  });

  it('derive the same key as the platform', async () => {
    const params = { name: 'PBKDF2', hash: 'SHA-256', salt: iv, iterations: 100 };
    const base = await auto.importKey('raw', RAW, 'PBKDF2', false, ['deriveKey']);
    const theirs = await node.importKey('raw', RAW, 'PBKDF2', false, ['deriveKey']);
    for (const target of [
      { name: 'AES-GCM', length: 192 },
      { name: 'HMAC', hash: 'SHA-512' },
    ]) {
      const usages = target.name === 'HMAC' ? (['sign'] as const) : (['encrypt'] as const);
      const ours = await auto.deriveKey(params, base, target, true, usages);
      const same = await node.deriveKey(params, theirs, target, true, [...usages]);
      expect(await auto.exportKey('raw', ours)).to.deep.equal(await node.exportKey('raw', same));
    }
  });
});

describe('data', () => {
  it('are copied at call time', async () => {
    const key = await gcmKey();
    const expected = await auto.encrypt({ name: 'AES-GCM', iv }, key, data);
    for (const subtle of [auto, js, native]) {
      const mine = data.slice();
      const nonce = iv.slice();
      const pending = subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, mine);
      mine.fill(0);
      nonce.fill(0);
      expect(await pending).to.deep.equal(expected);
    }
  });

  it('are read through views of every kind, and only there', async () => {
    const expected = await auto.digest('SHA-256', data);
    const room = unaligned(data, 3);
    const view = new DataView(room.buffer, room.byteOffset, room.length);
    expect(await auto.digest('SHA-256', view)).to.deep.equal(expected);
    expect(await auto.digest('SHA-256', room)).to.deep.equal(expected);
    expect(await auto.digest('SHA-256', data.buffer)).to.deep.equal(expected);
    expect(await auto.digest('SHA-256', Buffer.from(data))).to.deep.equal(expected);
    const words = new Uint32Array(data.slice().buffer, 4, 2);
    expect(await auto.digest('SHA-1', words)).to.deep.equal(
      await auto.digest('SHA-1', data.subarray(4, 12)),
    );
  });

  it('come out as ArrayBuffers of just the right length', async () => {
    const key = await gcmKey();
    for (const subtle of [js, native]) {
      const sealed = await subtle.encrypt({ name: 'AES-GCM', iv }, key, data);
      expect(sealed).to.be.instanceOf(ArrayBuffer);
      expect(sealed.byteLength).to.equal(116);
      const opened = await subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed);
      expect(opened.byteLength).to.equal(100);
    }
  });

  it('with into go where they are wanted, even over themselves', async () => {
    const key = await gcmKey();
    const expected = new Uint8Array(await auto.encrypt({ name: 'AES-GCM', iv }, key, data));
    for (const subtle of [js, native]) {
      const room = new Uint8Array(130);
      room.set(data, 5);
      const into = room.subarray(5);
      const params = { name: 'AES-GCM', iv, into };
      const sealed = await subtle.encrypt(params, key, room.subarray(5, 105));
      expect(sealed).to.deep.equal(expected);
      expect((sealed as Uint8Array).buffer).to.equal(room.buffer);
      const opened = await subtle.decrypt(params, key, room.subarray(5, 121));
      expect(opened).to.deep.equal(data);
      const short = () => subtle.encrypt({ ...params, into: room.subarray(0, 115) }, key, data);
      expect(await nameOf(short)).to.equal('RangeError');
    }
    const wrong = { name: 'AES-GCM', iv, into: [] as never };
    expect(await nameOf(() => auto.encrypt(wrong, key, data))).to.equal('TypeError');
  });

  it('of any length, nonce and associated data come back, on any engine', async () => {
    const key = await gcmKey();
    const bytes = (max: number, min = 0) => fc.uint8Array({ minLength: min, maxLength: max });
    await fc.assert(
      fc.asyncProperty(bytes(300), bytes(40, 1), bytes(50), async (message, nonce, associated) => {
        const params = { name: 'AES-GCM', iv: nonce.slice(), additionalData: associated.slice() };
        const sealed = await auto.encrypt(params, key, message.slice());
        const opened = await js.decrypt(params, key, sealed);
        expect(new Uint8Array(opened)).to.deep.equal(message);
      }),
      { numRuns: 100 },
    );
  });

  it('too long for CCM under its nonce are refused', async () => {
    const key = await auto.importKey('raw', RAW, 'AES-CCM', true, ['encrypt']);
    const seal = (nonceBytes: number, length: number) => () =>
      auto.encrypt(
        { name: 'AES-CCM', iv: new Uint8Array(nonceBytes) },
        key,
        new Uint8Array(length),
      );
    expect(await nameOf(seal(13, 65_535))).to.equal('none');
    expect(await nameOf(seal(13, 65_536))).to.equal('OperationError');
    expect(await nameOf(seal(12, 65_536))).to.equal('none');
    expect(await nameOf(seal(6, 1))).to.equal('OperationError');
    expect(await nameOf(seal(14, 1))).to.equal('OperationError');
  });

  it('under nonces or tags that OCB does not have are refused', async () => {
    const key = await auto.importKey('raw', RAW, 'AES-OCB', true, ['encrypt']);
    const seal = (nonceBytes: number, tagLength: number) => () =>
      auto.encrypt({ name: 'AES-OCB', iv: new Uint8Array(nonceBytes), tagLength }, key, data);
    for (const tagLength of [64, 96, 128]) {
      expect(await nameOf(seal(15, tagLength))).to.equal('none');
    }
    expect(await nameOf(seal(1, 128))).to.equal('none');
    for (const [nonceBytes, tagLength] of [
      [0, 128],
      [16, 128],
      [12, 32],
      [12, 120],
    ] as const) {
      expect(await nameOf(seal(nonceBytes, tagLength))).to.equal('OperationError');
    }
  });

  it('that are no whole blocks are refused by ECB and CBC-MAC', async () => {
    const ecb = await auto.importKey('raw', RAW, 'AES-ECB', true, ['encrypt', 'decrypt']);
    const mac = await auto.importKey('raw', RAW, 'AES-CBC-MAC', true, ['sign', 'verify']);
    const odd = new Uint8Array(17);
    expect(await nameOf(() => auto.encrypt('AES-ECB', ecb, odd))).to.equal('OperationError');
    expect(await nameOf(() => auto.decrypt('AES-ECB', ecb, odd))).to.equal('OperationError');
    expect(await nameOf(() => auto.encrypt('AES-ECB', ecb, new Uint8Array(0)))).to.equal('none');
    expect(await nameOf(() => auto.sign('AES-CBC-MAC', mac, odd))).to.equal('OperationError');
    const empty = new Uint8Array(0);
    expect(await nameOf(() => auto.verify('AES-CBC-MAC', mac, odd, empty))).to.equal(
      'OperationError',
    );
  });
});

describe('createHash', () => {
  it('digests in pieces what digest does at once', async () => {
    for (const name of ['SHA-1', 'sha-256', 'SHA-384', 'SHA-512']) {
      const hash = auto.createHash(name);
      const begun = hash.update(data.subarray(0, 33)).clone();
      const whole = hash.update(data.subarray(33)).digest();
      expect(whole.buffer).to.deep.equal(await auto.digest(name, data));
      expect(whole.length).to.equal(hash.digestBytes);
      expect(begun.digest()).to.deep.equal(
        new Uint8Array(await auto.digest(name, data.subarray(0, 33))),
      );
    }
  });

  it('rejects what is no hash, and engines that cannot stream', async () => {
    expect(await nameOf(() => auto.createHash('AES-GCM'))).to.equal('NotSupportedError');
    expect(await nameOf(() => native.createHash('SHA-256'))).to.equal('NotSupportedError');
    expect(await nameOf(() => auto.createHash('SHA-256').update('x' as never))).to.equal(
      'TypeError',
    );
  });
});
