/** Independent blocks (ECB, SP 800-38A, section 6.1), in place. */
import type { Local } from '../dsl/body.ts';
import { i32, v128 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import { BLOCKS, CONTEXT, PAIR_BYTES } from './layout.ts';
import { Permuter } from './permute.ts';
import { decryptPair, encryptPair, wipePair } from './sliced.ts';

/** Adds the exports that encrypt and decrypt independent blocks (ECB). */
export function blockFunctions(module: ModuleText, lookup: Lookup): void {
  encryptFew(module, lookup);
  encryptMany(module);
  decryptMany(module);
}

/** Any number of blocks; best for few. */
function encryptFew(module: ModuleText, lookup: Lookup): void {
  const params = { offset: 'i32', blocks: 'i32' } as const;
  module.func('encryptFew', { params }, (body, { offset, blocks }) => {
    const permuter = new Permuter(body, lookup);
    const order = permuter.intoOrder();
    const turn = (states: readonly Local<'v128'>[]) => {
      states.forEach((state, i) => {
        const held = permuter.hold(lookup(v128.load(offset, 16 * i), order));
        body.set(state, v128.xor(held, permuter.firstKey));
      });
      permuter.encrypt(states);
      states.forEach((state, i) => body.store(offset, state, 16 * i));
      body.set(offset, i32.add(offset, 16 * states.length));
      body.set(blocks, i32.sub(blocks, states.length));
    };
    const states = [0, 1, 2, 3].map(() => body.local('v128'));
    body.while(i32.geU(blocks, 4), () => turn(states));
    body.while(blocks, () => turn(states.slice(0, 1)));
  });
}

/** Pairs of groups: 16 blocks at once. */
function encryptMany(module: ModuleText): void {
  many(module, 'encryptMany', encryptPair);
}

/** The same with the inverse cipher. */
function decryptMany(module: ModuleText): void {
  many(module, 'decryptMany', decryptPair);
}

function many(module: ModuleText, name: string, crypt: typeof encryptPair): void {
  const params = { offset: 'i32', pairs: 'i32' } as const;
  module.func(name, { params }, (body, { offset, pairs }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    body.loop(pairs, () => {
      crypt(body, offset, rounds);
      for (let i = 0; i < PAIR_BYTES; i += 16) body.store(offset, v128.load(0, BLOCKS + i), i);
      body.set(offset, i32.add(offset, PAIR_BYTES));
    });
    wipePair(body);
  });
}
