/** Blocks on their own (ECB, SP 800-38A, section 6.1), in place. */
import type { Local } from '../kernel/body.ts';
import { i32, v128 } from '../kernel/expression.ts';
import type { Lookup } from '../kernel/lookup.ts';
import type { ModuleText } from '../kernel/module.ts';
import { INTO_ORDER, OUT_OF_ORDER } from './aes-constants.ts';
import { CONTEXT, GROUP_BYTES, SLICED_KEYS } from './aes-layout.ts';
import { Permuter } from './aes-permute.ts';
import {
  addKey,
  decryptRounds,
  encryptRounds,
  PLANES,
  planeVariables,
  setPlanes,
  transpose,
} from './aes-sliced.ts';

export function blockFunctions(module: ModuleText, lookup: Lookup): void {
  encryptFew(module, lookup);
  encryptMany(module, lookup);
  decryptMany(module, lookup);
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

const MANY = { params: { offset: 'i32', groups: 'i32' } } as const;

/** Groups of 8 blocks. */
function encryptMany(module: ModuleText, lookup: Lookup): void {
  module.func('encryptMany', MANY, (body, { offset, groups }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    const order = body.let(v128.load(i32.shl(i32.and(rounds, 3), 4), INTO_ORDER));
    const state = planeVariables(body);
    body.loop(groups, () => {
      const blocks = PLANES.map((i) => body.let(lookup(v128.load(offset, 16 * i), order)));
      setPlanes(body, state, addKey(body, transpose(body, blocks), SLICED_KEYS));
      const planes = encryptRounds(body, lookup, state, rounds, 1);
      transpose(body, planes).forEach((block, i) => body.store(offset, block, 16 * i));
      body.set(offset, i32.add(offset, GROUP_BYTES));
    });
  });
}

/** Groups of 8 blocks, with the inverse cipher. */
function decryptMany(module: ModuleText, lookup: Lookup): void {
  module.func('decryptMany', MANY, (body, { offset, groups }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    const order = body.let(v128.load(i32.shl(i32.and(rounds, 3), 4), OUT_OF_ORDER));
    const state = planeVariables(body);
    body.loop(groups, () => {
      const blocks = PLANES.map((i) => body.let(v128.load(offset, 16 * i)));
      setPlanes(body, state, transpose(body, blocks));
      const planes = decryptRounds(body, lookup, state, rounds);
      transpose(body, planes).forEach((block, i) =>
        body.store(offset, lookup(block, order), 16 * i),
      );
      body.set(offset, i32.add(offset, GROUP_BYTES));
    });
  });
}
