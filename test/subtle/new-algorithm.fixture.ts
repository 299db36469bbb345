/*
 * The steps to add an algorithm of `subtle` that is no AEAD, here a key derivation: the five files below. The test changes
 * their tables before anything else is imported, in its own process (new-algorithm.test.ts). Everything
 * else is derived from them: where another file had to name the algorithm, one of these tests would fail.
 */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Algorithms } from '../../src/engine/contract.ts';
import type { RunDerive } from '../../src/subtle/algorithms/definition.ts';

const NAME = 'FIXTURE-KDF';

// 1. Its implementation, in src/crypto/kdf.
function fixtureKdf(
  secret: Uint8Array,
  { salt, iterations }: { readonly salt: Uint8Array; readonly iterations: number },
  lengthBytes: number,
): Uint8Array {
  let state: Uint8Array = secret;
  for (let i = 0; i < iterations; i++) {
    state = createHash('sha512').update(salt).update(state).digest();
  }
  return Uint8Array.from(state.subarray(0, lengthBytes));
}

// 2. Its row: the members of its operations, and its price.
const { ALGORITHMS, optional, required } = await import('../../src/crypto/subtle/table.ts');
const { ms } = await import('../../src/crypto/subtle/prices.ts');
(ALGORITHMS as Record<string, unknown>)[NAME] = {
  operations: {
    deriveBits: [
      optional('hash', 'refused'),
      required('iterations', 'long'),
      required('salt', 'bytes'),
    ],
    importKey: [],
    getKeyLength: [],
  },
  prices: {
    deriveBits: ({ members }: { readonly members: Record<string, number> }) =>
      members.iterations! * ms(2),
  },
  limits: {
    deriveBits: [
      {
        what: 'length in bytes',
        of: ({ derivedBytes }: { readonly derivedBytes: number }) => derivedBytes,
        most: 64,
      },
    ],
  },
};

// 3. Its line in an engine.
const { JS_KDFS } = await import('../../src/engine/js/kdfs.ts');
(JS_KDFS as Record<string, unknown>)[NAME] = { constantTime: 'no', derive: fixtureKdf };

// 4. Its known answers.
const { KDF_ANSWERS } = await import('../../src/engine/known-answers/kdf.ts');
const SALT = new Uint8Array(16).fill(5);
const SECRET = new TextEncoder().encode('a password');
const output = fixtureKdf(SECRET, { salt: SALT, iterations: 3 }, 32);
const answer = { source: 'here', secret: SECRET, params: { salt: SALT, iterations: 3 }, output };
(KDF_ANSWERS as unknown as Record<string, unknown>)[NAME] = [answer];

// 5. Its definition, in the file of its family.
const { KDFS, secretKeys, wholeBytes } = await import('../../src/subtle/algorithms/kdfs.ts');
(KDFS as unknown[]).push({
  name: NAME,
  instead: { hash: 'it is SHA-512' },
  deriveBits:
    (params: object): RunDerive =>
    ({ runtime, key, lengthBits }) =>
      runtime.derive(NAME as never, params as never, key, wholeBytes(NAME as never, lengthBits)),
  ...secretKeys(NAME as never),
});

const { DEFINITIONS } = await import('../../src/subtle/algorithms/table.ts');
const { Registry } = await import('../../src/engine/registry.ts');
const { fakeEngine } = await import('../engine/fake-engine.ts');
const { createSubtle } = await import('../../src/library/subtle.ts');
const page = await import('../../extension/page/subtle/dictionaries.ts');
const { effortOf } = await import('../../src/service/subtle/effort.ts');
const { World } = await import('../support/service-world.ts');
const { pageSubtle } = await import('../support/page-subtle.ts');

const PARAMS = { name: NAME, salt: SALT, iterations: 3 };
const algorithms = { [NAME]: JS_KDFS[NAME as 'HKDF'] } as Algorithms;

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('none'),
    (error: unknown) => error as Error,
  );
}

describe('An algorithm that is added by five files', () => {
  it('has its known answers tested', async () => {
    const registry = () => new Registry([fakeEngine('js', algorithms)]);
    expect((await registry().report())[0]).to.deep.include({ selfTest: 'passed' });
    const { KNOWN_ANSWERS } = await import('../../src/engine/known-answers/table.ts');
    const answers = KNOWN_ANSWERS as unknown as Record<string, unknown>;
    answers[NAME] = [{ ...answer, output: SALT }];
    expect((await registry().report())[0]!.selfTest).not.to.equal('passed');
    answers[NAME] = [answer];
  });

  it('is in subtle of the library, over the members of its row', async () => {
    expect(DEFINITIONS.map(({ name }) => name)).to.include(NAME);
    const registry = new Registry([fakeEngine('js', algorithms)]);
    const subtle = await createSubtle({ registry, engine: 'js' });
    const key = await subtle.importKey('raw', SECRET, NAME, false, ['deriveBits']);
    const derived = await subtle.deriveBits({ ...PARAMS, name: NAME.toLowerCase() }, key, 256);
    expect(new Uint8Array(derived)).to.deep.equal(output);
    const withoutSalt = { name: NAME, iterations: 3 };
    expect(await errorOf(subtle.deriveBits(withoutSalt, key, 256))).to.deep.include({
      name: 'TypeError',
      message: 'FIXTURE-KDF: salt is missing',
    });
    expect(
      (await errorOf(subtle.deriveBits({ ...PARAMS, hash: 'SHA-1' }, key, 256))).message,
    ).to.equal('FIXTURE-KDF has no hash: it is SHA-512');
    expect(subtle.supports('deriveBits', PARAMS, 256)).to.equal(true);
  });

  it('is in the dictionaries of the page', () => {
    const { operations } = page.ALGORITHMS[NAME]!;
    expect(operations.deriveBits!.map(({ name }) => name)).to.deep.equal([
      ...['hash', 'iterations', 'salt'],
    ]);
  });

  it('has the price of its row, and its limits', () => {
    const effort = (iterations: number, length = 256) =>
      effortOf('subtle.deriveBits', { algorithm: { ...PARAMS, iterations }, baseKey: '', length }, [
        { type: 'secret', algorithm: { name: NAME } },
      ]);
    expect(effort(5)).to.equal(10);
    expect(() => effort(1001)).to.throw(DOMException, '1.00 times the work');
    expect(() => effort(1, 8 * 65)).to.throw(DOMException, 'length in bytes is 64 at most');
  });

  it('is served to pages', async () => {
    const world = World.fresh();
    const subtle = pageSubtle(world);
    const key = await subtle.importKey('raw', SECRET, NAME, false, ['deriveBits', 'deriveKey']);
    const derived = await subtle.deriveBits(PARAMS, key, 256);
    expect(new Uint8Array(derived)).to.deep.equal(output);
    const type = { name: 'AES-GCM', length: 256 };
    const aes = await subtle.deriveKey(PARAMS, key, type, true, ['encrypt']);
    expect(new Uint8Array(await subtle.exportKey('raw', aes))).to.deep.equal(output);
    const costly = subtle.deriveBits({ ...PARAMS, iterations: 2000 }, key, 256);
    expect(await errorOf(costly)).to.have.property('name', 'OperationError');
  });

  it('is in supports, for what pages can do with it', () => {
    const { supports } = pageSubtle(World.fresh()) as unknown as {
      readonly supports: (...args: unknown[]) => boolean;
    };
    expect([
      supports('deriveBits', PARAMS, 256),
      supports('deriveKey', PARAMS, { name: 'AES-GCM', length: 256 }),
      supports('importKey', NAME),
      supports('deriveBits', PARAMS),
      supports('deriveBits', { ...PARAMS, salt: 5 }, 256),
      supports('exportKey', NAME),
      supports('sign', NAME),
    ]).to.deep.equal([true, true, true, false, false, false, false]);
  });
});
