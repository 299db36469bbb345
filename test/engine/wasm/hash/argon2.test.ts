import { expect } from 'chai';
import fc from 'fast-check';
import { restore, stub, useFakeTimers } from 'sinon';
import { toHex } from '../../../../src/crypto/bytes.ts';
import { ARGON2_NAMES, argon2 } from '../../../../src/crypto/kdf/argon2.ts';
import type { Argon2Name, Argon2Options } from '../../../../src/crypto/kdf/argon2.ts';
import { EngineError } from '../../../../src/engine/contract.ts';
import { loadArgon2 } from '../../../../src/engine/wasm/hash/argon2.ts';
import { inDepth } from '../../../support/depth.ts';
import { unaligned } from '../../../support/edge-lengths.ts';
import { describeVectors, hex, parseRsp } from '../../../support/vectors.ts';
import type { Fields } from '../../../support/vectors.ts';
import { loadWasm } from '../../../support/wasm.ts';
import { once } from './hash-suite.ts';

const load = once(() => loadArgon2(loadWasm));

/** RFC 9106, section 5 */
const PASSWORD = new Uint8Array(32).fill(1);
const RFC_9106: Argon2Options = {
  nonce: new Uint8Array(16).fill(2),
  secret: new Uint8Array(8).fill(3),
  associatedData: new Uint8Array(12).fill(4),
  memoryKiB: 32,
  passes: 3,
  parallelism: 4,
};
const TAGS: Readonly<Record<Argon2Name, string>> = {
  Argon2d: '512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb',
  Argon2i: 'c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8',
  Argon2id: '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659',
};

/** Around the ends of a block of addresses, and of a call of the module (4,096 blocks). */
const SEGMENTS = [2, 3, 127, 128, 129, 255, 256, 257, 4095, 4096, 4097];
/** `npm test` has the long ones with Argon2id, which has the addresses of both others. */
const isSampled = (name: Argon2Name, segment: number) =>
  inDepth(true, name === 'Argon2id' || segment < 130);

describe('Argon2 in WebAssembly', function () {
  this.timeout(60_000);

  for (const name of ARGON2_NAMES) {
    it(`${name}: RFC 9106, section 5`, async () => {
      const tag = (await load()).derive(name, PASSWORD, RFC_9106, 32);
      expect(toHex(tag)).to.equal(TAGS[name]);
    });

    describeVectors('vectors/libraries/botan-argon2.vec', botan(name), async (v) => {
      const [password, nonce] = [bytesOf(v, 'passphrase'), hex(v, 'salt')];
      const cost = {
        memoryKiB: Number(v['m']),
        passes: Number(v['t']),
        parallelism: Number(v['p']),
      };
      const more = { secret: bytesOf(v, 'secret'), associatedData: bytesOf(v, 'ad') };
      const expected = hex(v, 'output');
      const derived = (await load()).derive(
        name,
        password,
        { ...cost, nonce, ...more },
        expected.length,
      );
      expect(derived).to.deep.equal(expected);
    });

    it(`${name}: gives what JavaScript gives, for segments of every kind`, async () => {
      const engine = await load();
      for (const segment of SEGMENTS.filter((each) => isSampled(name, each))) {
        for (const parallelism of segment > 300 ? [1] : [1, 2, 3]) {
          const memoryKiB = 4 * parallelism * segment + (segment % 3);
          const options = { ...RFC_9106, memoryKiB, parallelism, passes: segment > 300 ? 1 : 2 };
          const derived = engine.derive(name, PASSWORD, options, 40);
          const expected = argon2(name, PASSWORD, options, 40);
          expect(toHex(derived), `${segment} blocks`).to.equal(toHex(expected));
        }
      }
    });

    it(`${name}: gives what JavaScript gives, for inputs of any length`, async () => {
      const engine = await load();
      const bytes = fc.uint8Array({ maxLength: 200 });
      const costs = fc.tuple(
        fc.integer({ min: 0, max: 70 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
      );
      fc.assert(
        fc.property(
          bytes,
          bytes,
          bytes,
          bytes,
          costs,
          fc.integer({ min: 4, max: 200 }),
          (password, nonce, secret, associatedData, [more, passes, parallelism], length) => {
            const cost = { memoryKiB: 8 * parallelism + more, passes, parallelism };
            const options = { ...cost, nonce: unaligned(nonce, 5), secret, associatedData };
            const derived = engine.derive(name, unaligned(password, 3), options, length);
            expect(toHex(derived)).to.equal(toHex(argon2(name, password, options, length)));
          },
        ),
        { numRuns: inDepth(40, 15) },
      );
    });
  }

  describeVectors('cryptography_vectors/KDF/argon2id.txt', parseRsp, async (v) => {
    const cost = {
      memoryKiB: Number(v['memcost']),
      passes: Number(v['iter']),
      parallelism: Number(v['lanes']),
    };
    const more = { secret: bytesOf(v, 'secret'), associatedData: bytesOf(v, 'ad') };
    const options = { ...cost, nonce: hex(v, 'salt'), ...more };
    const derived = (await load()).derive('Argon2id', hex(v, 'pass'), options, Number(v['length']));
    expect(toHex(derived)).to.equal(v['output']);
  });

  it('refuses what RFC 9106, section 3.1 does not allow, before any step', async () => {
    const engine = await load();
    for (const [wrong, length] of [
      [{ memoryKiB: 31 }, 32],
      [{ passes: 0 }, 32],
      [{ parallelism: 0 }, 32],
      [{ nonce: 'x' as never }, 32],
      [{}, 3],
    ] as const) {
      const call = () => engine.steps('Argon2id', PASSWORD, { ...RFC_9106, ...wrong }, length);
      expect(call, JSON.stringify(wrong)).to.throw(
        /^(nonce|memoryKiB|passes|parallelism|lengthBytes) must/,
      );
    }
  });
});

describe('Argon2 in WebAssembly: memory', () => {
  afterEach(() => restore());

  const options = (memoryKiB: number): Argon2Options => ({ ...RFC_9106, memoryKiB, passes: 1 });

  it('throws EngineError if WebAssembly does not get enough', async () => {
    const steps = (await load()).steps('Argon2id', PASSWORD, options(2 ** 22), 32);
    expect(() => steps.next()).to.throw(EngineError, 'memory');
  });

  it('tells how much is done, to the end', async () => {
    const shares = [...(await load()).steps('Argon2id', PASSWORD, options(40_000), 32)];
    expect(shares.length).to.be.at.least(16);
    expect(shares).to.deep.equal([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).to.equal(1);
  });

  it('gives the same keys in kept memory, in grown memory, and after its release', async () => {
    const engine = await load();
    const derive = (memoryKiB: number): string =>
      toHex(engine.derive('Argon2id', PASSWORD, options(memoryKiB), 32));
    const sizes = [32, 4096, 70_000, 1024];
    const first = sizes.map(derive);
    engine.release();
    expect([...sizes].reverse().map(derive)).to.deep.equal([...first].reverse());
  });

  it('keeps it for ten seconds, and not beyond 64 MiB', async () => {
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const instances = watchedInstances();
    const engine = await loadArgon2(loadWasm);
    const derive = (memoryKiB: number) =>
      engine.derive('Argon2i', PASSWORD, options(memoryKiB), 32);
    derive(65_536);
    clock.tick(9_999);
    derive(64);
    expect(instances).to.have.lengthOf(1);
    clock.tick(10_000);
    derive(65_600);
    derive(64);
    expect(instances).to.have.lengthOf(3);
    clock.restore();
  });

  it('leaves nothing of a derivation in its memory, completed or stopped', async () => {
    const instances = watchedInstances();
    const engine = await loadArgon2(loadWasm);
    const used = (): number[] =>
      instances.map(({ exports }) => {
        const { buffer } = exports['memory'] as WebAssembly.Memory;
        return new Uint8Array(buffer).findIndex((byte) => byte !== 0);
      });
    for (const name of ARGON2_NAMES) engine.derive(name, PASSWORD, options(1024), 32);
    expect(used()).to.deep.equal([-1]);
    const steps = engine.steps('Argon2id', PASSWORD, options(40_000), 32);
    for (let i = 0; i < 4; i++) steps.next();
    expect(used()[0]).to.be.at.least(0);
    steps.return(new Uint8Array(0));
    expect(used()).to.deep.equal([-1]);
  });
});

/** The instances that are made from now on. */
function watchedInstances(): WebAssembly.Instance[] {
  const instances: WebAssembly.Instance[] = [];
  const { Instance } = WebAssembly;
  stub(WebAssembly, 'Instance').callsFake(function (module: WebAssembly.Module) {
    const instance = new Instance(module);
    instances.push(instance);
    return instance;
  });
  return instances;
}

const bytesOf = (v: Fields, field: string): Uint8Array =>
  v[field] === undefined ? new Uint8Array(0) : hex(v, field);

function botan(name: Argon2Name): (text: string) => Fields[] {
  return (text) => parseRsp(text).filter((v) => v['section'] === name && 'output' in v);
}
