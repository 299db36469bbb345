/**
 * The old block ciphers in both engines: the suite of each, the engines against each other, what
 * is left in the memory of a module, and the choice of an engine.
 */
import { expect } from 'chai';
import { sumOf } from '../../src/crypto/aead/ocb.ts';
import type {
  BlockCipherName,
  CipherDefinition,
  ModeName,
  ModeParams,
  ModesOfCipher,
} from '../../src/crypto/ciphers/block-cipher.ts';
import { BLOCK_CIPHERS, modesOfCipher } from '../../src/crypto/ciphers/block-cipher.ts';
import { createBlockCipher } from '../../src/engine/block-ciphers.ts';
import { testBlockCipher } from '../../src/engine/known-answers/block-ciphers.ts';
import { loadCipher } from '../../src/engine/wasm/ciphers/ciphers.ts';
import {
  SECRETS,
  TABLES,
  TEXT,
  TEXT_BYTES,
} from '../../src/engine/wasm/generator/ciphers/layout.ts';
import { describeBlockCipher } from '../conformance/block-cipher.ts';
import { inDepth } from '../support/depth.ts';
import { unaligned } from '../support/edge-lengths.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { randomBytes } from '../support/random-bytes.ts';
import { loadWasm } from '../support/wasm.ts';

const NAMES = Object.keys(BLOCK_CIPHERS) as BlockCipherName[];

for (const name of NAMES) {
  describeBlockCipher(name, 'js', BLOCK_CIPHERS[name]);
  describeBlockCipher(name, 'wasm-simd', await loadCipher(loadWasm, name));
}

/** Of each cipher and mode: the project's figure in `npm run nightly`. */
const RANDOM_CASES = IS_NIGHTLY ? 100_000 : inDepth(150, 30);
const MODES = ['ECB', 'CBC', 'CTR', 'OCB', 'CBC-MAC'] as const;

/** A mode with its own parameters, for any message. */
type Run = (cipher: ModesOfCipher, key: Uint8Array, data: Uint8Array) => Promise<Uint8Array>;

function runOf(mode: (typeof MODES)[number], blockBytes: number): { seal: Run; open?: Run } {
  if (mode === 'CBC-MAC') {
    return { seal: (cipher, key, data) => cipher.cbcMac(key, data, { padding: 'zeros' }) };
  }
  const iv = randomBytes(blockBytes);
  // A counter that wraps soon, every second time
  if (mode === 'CTR' && iv[0]! % 2 === 0) iv.fill(0xff, 1);
  const params = {
    ECB: {},
    CBC: { iv },
    CTR: { iv },
    OCB: { iv: iv.subarray(1), additionalData: randomBytes(iv[0]! % 50) },
  } satisfies { [M in ModeName]: ModeParams[M] };
  return {
    seal: (cipher, key, data) => cipher.encrypt(mode, key, params[mode], data),
    open: (cipher, key, data) => cipher.decrypt(mode, key, params[mode], data),
  };
}

for (const name of NAMES) {
  describe(`${name} in the engines js and wasm-simd`, () => {
    const js = modesOfCipher(BLOCK_CIPHERS[name]);
    const { blockBytes, keyBytes } = js;
    let wasm: ModesOfCipher;
    before(async () => {
      wasm = modesOfCipher(await loadCipher(loadWasm, name));
    });

    async function agree(mode: (typeof MODES)[number], data: Uint8Array): Promise<void> {
      const { seal, open } = runOf(mode, blockBytes);
      const key = randomBytes(keyBytes[data.length % keyBytes.length]!);
      const sealed = await seal(js, key, data);
      const where = `${mode}, ${data.length} bytes, key ${key.join()}`;
      expect(await seal(wasm, key, data), where).to.deep.equal(sealed);
      if (open) expect(await open(wasm, key, unaligned(sealed, 5)), where).to.deep.equal(data);
    }

    for (const mode of MODES) {
      it(`${mode}: the same at every number of blocks from 0 to 40, and around the buffer`, async () => {
        for (let blocks = 0; blocks <= 40; blocks += blocks < 18 ? 1 : inDepth(1, 5)) {
          for (const more of [0, 1, blockBytes - 1]) {
            await agree(mode, unaligned(randomBytes(blocks * blockBytes + more), blocks % 8));
          }
        }
        for (const length of [-blockBytes, -1, 0, 1, blockBytes]) {
          await agree(mode, randomBytes(TEXT_BYTES + length));
          await agree(mode, randomBytes(2 * TEXT_BYTES + length));
        }
      });

      it(`${mode}: the same in ${RANDOM_CASES} random cases`, async function () {
        this.timeout(IS_NIGHTLY ? 1_200_000 : 60_000);
        for (let i = 0; i < RANDOM_CASES; i++) {
          const [length, shift] = randomBytes(2) as unknown as [number, number];
          await agree(mode, unaligned(randomBytes(length), shift % 8));
        }
      });
    }

    it('OCB: the same offsets and sums from any block on', async () => {
      const key = randomBytes(16);
      const definition: CipherDefinition = BLOCK_CIPHERS[name];
      const ciphers = [definition, await loadCipher(loadWasm, name)].map(({ withKey }) =>
        withKey(key),
      );
      const masks = randomBytes(9 * blockBytes);
      for (const index of [0, 1, 7, 8, 15, 16, 33]) {
        for (const inverse of [false, true]) {
          const [data, offset] = [randomBytes(37 * blockBytes), randomBytes(blockBytes)];
          const [js, wasm] = ciphers.map((cipher) => {
            const run = { offset: offset.slice(), masks, index, sum: new Uint8Array(blockBytes) };
            const target = new Uint8Array(data.length);
            cipher.offsetBlocks!(run, data, target, inverse);
            if (cipher.sumsPlaintext !== true) {
              run.sum.set(sumOf(inverse ? target : data, blockBytes));
            }
            return { run, target };
          });
          expect(wasm, `after ${index} blocks`).to.deep.equal(js);
        }
      }
    });

    it('the same under keys with the factors 0, 1, 2^15 and their neighbours, one after the other', () => {
      const words = [0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xffff];
      const data = new Uint8Array(33 * blockBytes);
      words.forEach((word, i) => data.fill(word >> 8, 2 * i, 2 * i + 1).fill(word, 2 * i + 1));
      const definition: CipherDefinition = BLOCK_CIPHERS[name];
      const both = [definition.withKey, wasmKeys];
      for (const word of words) {
        const key = Uint8Array.from({ length: 16 }, (_, i) => (i % 2 ? word : word >> 8));
        const [expected, result] = both.map((withKey) => {
          const cipher = withKey(key);
          const text = data.slice();
          cipher.encryptBlocks(text, text);
          const back = text.slice();
          cipher.decryptBlocks(back, back);
          cipher.wipe();
          expect(back).to.deep.equal(data);
          return text;
        });
        expect(result).to.deep.equal(expected);
      }
    });
    let wasmKeys: CipherDefinition['withKey'];
    before(async () => {
      wasmKeys = (await loadCipher(loadWasm, name)).withKey;
    });

    it('leaves no data in the memory of its module, and after `wipe` no key', async () => {
      const { memory, definition } = await withMemory(name);
      const isClear = (from: number, to: number) => memory.subarray(from, to).every((b) => b === 0);
      const cipher = definition.withKey(randomBytes(16));
      for (const blocks of [1, 2, 3, 16, 17, 40, TEXT_BYTES / blockBytes + 1]) {
        const data = randomBytes(blocks * blockBytes);
        const room = new Uint8Array(data.length);
        const state = () => randomBytes(blockBytes);
        const masks = randomBytes(16 * blockBytes);
        for (const work of [
          () => cipher.encryptBlocks(data, room),
          () => cipher.decryptBlocks(data, room),
          () => cipher.ctrBlocks!(state(), data, room),
          () => cipher.cbcEncryptBlocks!(state(), data, room),
          () => cipher.cbcEncryptBlocks!(state(), data),
          () => cipher.cbcDecryptBlocks!(state(), data, room),
          ...[false, true].map((inverse) => () => {
            cipher.offsetBlocks!(
              { offset: state(), masks, index: 0, sum: state() },
              data,
              room,
              inverse,
            );
          }),
        ]) {
          work();
          expect(isClear(TEXT, TABLES), `${blocks} blocks, ${String(work)}`).to.equal(true);
        }
      }
      expect(isClear(SECRETS, TEXT)).to.equal(false);
      cipher.wipe();
      expect(isClear(SECRETS, TABLES)).to.equal(true);
    });
  });
}

/** A cipher and the memory of its module. */
async function withMemory(name: BlockCipherName) {
  const { instantiate } = WebAssembly;
  let memory: Uint8Array | undefined;
  WebAssembly.instantiate = (async (source: BufferSource) => {
    const made = await instantiate(source);
    memory = new Uint8Array((made.instance.exports['memory'] as WebAssembly.Memory).buffer);
    return made;
  }) as typeof instantiate;
  try {
    const definition = await loadCipher(loadWasm, name);
    return { memory: memory!, definition };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

describe('the engine of an old block cipher', () => {
  const nameOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'no error',
      (error: unknown) => (error as Error).name,
    );

  it('is wasm-simd, or what was asked for', async () => {
    const blockCipher = createBlockCipher(() => loadWasm);
    for (const name of NAMES) {
      expect((await blockCipher(name)).engine, name).to.equal('wasm-simd');
      for (const engine of ['js', 'wasm-simd'] as const) {
        expect((await blockCipher(name, { engine })).engine, name).to.equal(engine);
      }
    }
  });

  it('loads the module of a cipher once, and no other', async () => {
    const loaded: string[] = [];
    const blockCipher = createBlockCipher(() => (name) => {
      loaded.push(name);
      return loadWasm(name);
    });
    await blockCipher('IDEA', { engine: 'js' });
    await blockCipher('Twofish', { engine: 'js' });
    expect(loaded).to.deep.equal([]);
    await Promise.all([blockCipher('IDEA'), blockCipher('IDEA'), blockCipher('IDEA')]);
    await blockCipher('IDEA', { engine: 'wasm-simd' });
    expect(loaded).to.deep.equal(['idea']);
  });

  it('is js where the module is missing or gives a wrong answer; a named one is never replaced', async () => {
    for (const load of [
      () => Promise.reject(new Error('no such file')),
      // Another cipher with other keys
      (name: string) => loadWasm(name === 'idea' ? 'serpent' : 'idea'),
    ]) {
      const blockCipher = createBlockCipher(() => load);
      for (const name of NAMES) {
        expect((await blockCipher(name)).engine, name).to.equal('js');
        const named = blockCipher(name, { engine: 'wasm-simd' });
        expect(await nameOf(named), name).to.equal('NotSupportedError');
      }
    }
  });

  it('has known answers that find a fault in each operation', () => {
    const definition: CipherDefinition = BLOCK_CIPHERS.IDEA;
    expect(testBlockCipher('IDEA', definition)).to.equal(undefined);
    for (const operation of [
      'encryptBlocks',
      'decryptBlocks',
      'ctrBlocks',
      'cbcEncryptBlocks',
      'cbcDecryptBlocks',
      'offsetBlocks',
    ] as const) {
      const withKey: CipherDefinition['withKey'] = (key) =>
        Object.assign(definition.withKey(key), { [operation]: () => undefined });
      expect(testBlockCipher('IDEA', { ...definition, withKey }), operation).to.be.a('string');
    }
  });
});
