import { Aes } from '../../src/crypto/aes/block.ts';
import { ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import type { Registry } from '../../src/engine/registry.ts';
import { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../src/engine/wasm/aes/block-cipher.ts';
import { cardEngine as webgl } from '../../src/engine/webgl/webgl.ts';
import { cardEngine as webgpu } from '../../src/engine/webgpu/webgpu.ts';
import { cardsHere } from '../../lab/runs/yang.ts';
import { asBytes, type Contender } from '../contender.ts';
import { JS, WASM } from '../names.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { sjclBlocks } from '../peers/sjcl.ts';
import { rowOf } from '../row.ts';
import { CARD_SIZES, cardRow, nameOnCard, YANG } from './names.ts';
import { YangsAes } from './yang-2013.ts';

/* Figure 3 of the work of 2013 and longer messages: AES-128 in ECB, with all transfers. */
const KEY = pattern(16, 7);

interface Task {
  readonly plaintext: Uint8Array;
}

const onProcessor = (aesModule: AesModule): Contender<Task>[] => [
  {
    name: JS,
    kind: 'ours',
    prepare: ({ plaintext }) => {
      const [aes, into] = [new Aes(KEY), new Uint8Array(plaintext.length)];
      return { run: () => ecbEncrypt(aes, plaintext, into), bytes: asBytes };
    },
  },
  {
    name: WASM,
    kind: 'ours',
    prepare: ({ plaintext }) => {
      const [aes, into] = [new WasmAesKey(aesModule, KEY), new Uint8Array(plaintext.length)];
      return { run: () => ecbEncrypt(aes, plaintext, into), bytes: asBytes };
    },
  },
  { name: 'sjcl', kind: 'pure js', prepare: ({ plaintext }) => sjclBlocks(KEY, plaintext) },
];

/** Our engines on a card, as far as the browser has them. */
async function onCard(registry: Registry, isSoftware: boolean): Promise<Contender<Task>[]> {
  await registry.ready();
  return (['webgl', 'webgpu'] as const).map((engine) => ({
    name: nameOnCard(`Sealwright ${engine}`, isSoftware),
    kind: 'ours',
    prepare: async ({ plaintext }) => {
      const ecb = registry.algorithmsOf(engine)['AES-ECB'];
      if (ecb === undefined) return undefined;
      const into = new Uint8Array(plaintext.length);
      const key = await ecb.withKey(KEY);
      return { run: () => key.encrypt({}, plaintext, into), bytes: asBytes };
    },
  }));
}

/** The design of 2013, by WebGL 1. */
function yang(isSoftware: boolean): Contender<Task> {
  return {
    name: nameOnCard(YANG, isSoftware),
    kind: 'ours',
    prepare: ({ plaintext }) => {
      if (!('OffscreenCanvas' in globalThis)) return undefined;
      const gl = new OffscreenCanvas(1, 1).getContext('webgl');
      if (gl === null) return undefined;
      const aes = new YangsAes(gl, KEY);
      return { run: () => aes.encrypt(plaintext), bytes: asBytes };
    },
  };
}

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const cards = {
    webgl: () => Promise.resolve({ cardEngine: webgl }),
    webgpu: () => Promise.resolve({ cardEngine: webgpu }),
  };
  const isSoftware = (await cardsHere()).some((card) => card.isSoftware);
  const contenders = [
    ...onProcessor(await AesModule.load(loadWasm)),
    yang(isSoftware),
    ...(await onCard(defaultRegistry({ loadWasm, cards }), isSoftware)),
  ];
  return CARD_SIZES.filter((size) => size <= largest).map((size) =>
    rowOf({ ...cardRow(size), bytes: size }, { plaintext: pattern(size, 3) }, contenders),
  );
};
