/*
 * The steps to add an AEAD mode: a row of src/crypto/algorithms.ts, an implementation in an engine, and known
 * answers. Here the test adds all three before anything else is imported, in its own process
 * (new-aead.test.ts). Everything else is derived from them.
 */
import { expect } from 'chai';
import { AEAD_NAMES, AEADS, type AeadSizes } from '../../src/crypto/algorithms.ts';

const NAME = 'AES-FIXTURE' as 'AES-OCB';
const SIZES: AeadSizes = {
  keyBits: [128],
  nonceBytes: { min: 13, max: 15 },
  tagBytes: [16],
  maxBytes: () => 1000,
  encryptingDecrypts: true,
};
(AEADS as Record<string, AeadSizes>)[NAME] = SIZES;
(AEAD_NAMES as string[]).push(NAME);

const { KNOWN_ANSWERS } = await import('../../src/engine/known-answers/table.ts');
const ANSWERS = KNOWN_ANSWERS as Record<string, unknown>;
ANSWERS[NAME] = KNOWN_ANSWERS['AES-OCB'].filter(({ params }) => params.tagBytes === 16);
const { VECTORS, describeAead } = await import('../conformance/aead.ts');
VECTORS[NAME] = () => undefined;

const { Registry } = await import('../../src/engine/registry.ts');
const { selfTest } = await import('../../src/engine/self-test/self-test.ts');
const { createSubtle } = await import('../../src/library/subtle.ts');
const { ALGORITHMS } = await import('../../extension/page/subtle/dictionaries.ts');
const { fakeEngine, jsAlgorithms } = await import('./fake-engine.ts');
const { engineSubject } = await import('../conformance/subject.ts');

const engine = () => fakeEngine('js', { [NAME]: jsAlgorithms()['AES-OCB']! });
const registry = () => new Registry([engine()]);

describe('An AEAD mode that is registered by a row', () => {
  it('has its known answers tested, and refuses a forged tag', async () => {
    expect((await registry().report())[0]).to.deep.include({ selfTest: 'passed' });
    ANSWERS[NAME] = KNOWN_ANSWERS['AES-OCB'].map((one) => ({ ...one, plaintext: one.key }));
    expect((await registry().report())[0]!.selfTest).not.to.equal('passed');
    ANSWERS[NAME] = KNOWN_ANSWERS['AES-OCB'];
  });

  it('is timed by the self-test', async () => {
    const timed: string[] = [];
    const run = { registry: registry(), sizes: [16], rounds: 1, minimumMs: 0 } as const;
    for await (const event of selfTest(run)) {
      if (event.type === 'speed') timed.push(event.algorithm);
    }
    expect(timed).to.deep.equal([NAME]);
  });

  it('is in subtle, with the lengths of its row', async () => {
    const subtle = await createSubtle({ registry: registry(), engine: 'js' });
    const algorithm = { name: NAME, iv: new Uint8Array(13) };
    const key = await subtle.generateKey({ name: NAME, length: 128 }, true, ['encrypt', 'decrypt']);
    const sealed = await subtle.encrypt(algorithm, key, Uint8Array.of(1, 2, 3));
    expect(sealed.byteLength).to.equal(3 + 16);
    expect([
      ...new Uint8Array(await subtle.decrypt(algorithm, key, new Uint8Array(sealed))),
    ]).to.deep.equal([1, 2, 3]);
    expect(await subtle.exportKey('jwk', key)).to.include({ alg: 'A128FIXTURE' });
    for (const [params, length] of [
      [{ ...algorithm, iv: new Uint8Array(12) }, 3],
      [{ ...algorithm, tagLength: 96 }, 3],
      [algorithm, 1001],
    ] as const) {
      const failing = subtle.encrypt(params, key, new Uint8Array(length));
      const error: unknown = await failing.catch((reason: unknown) => reason);
      expect(error).to.have.property('name', 'OperationError');
    }
  });

  it('is in the dictionaries of the page', () => {
    const operations = ['encrypt', 'decrypt', 'generateKey', 'importKey', 'getKeyLength'];
    expect(ALGORITHMS[NAME]!.operations).to.have.all.keys(operations);
  });
});

describeAead({ ...(await engineSubject(engine())), title: 'the fixture' });
