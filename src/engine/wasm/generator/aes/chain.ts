/**
 * Modes with chained blocks: CBC (SP 800-38A, section 6.2), CBC-MAC, CCM's two streams.
 *
 * The speed of a chain is limited by one block's latency, so work that does not depend on the chain is done
 * early: data are permuted, converted and keyed while the previous block is computed, and the chain value
 * stays in the representation of permute.ts.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, v128 } from '../dsl/expression.ts';
import type { V128 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import { REVERSE } from './constants.ts';
import {
  BLOCKS,
  CBC_LANE_BYTES,
  CBC_LANES,
  CHAIN,
  CONTEXT,
  COUNTER,
  PAIR_BYTES,
  STREAM,
} from './layout.ts';
import { Permuter } from './permute.ts';
import type { Inverted } from './permute.ts';
import { decryptPair, encryptPair, wipePair } from './sliced.ts';

/** Adds the exports that chain blocks: CBC and CBC-MAC. */
export function chainFunctions(module: ModuleText, lookup: Lookup): void {
  cbcEncrypt(module, lookup, true);
  cbcEncrypt(module, lookup, false);
  cbcEncryptLanes(module);
  cbcDecryptMany(module);
  ccmBlocks(module, lookup);
}

/**
 * A chain value, also as bytes for later users. The value itself is in the representation and order of the
 * first round, and lacks the last round's key, which is added to the next block beforehand.
 */
class Chain {
  private readonly held: Local<'v128'>;
  private readonly bytes: Local<'v128'>;
  private readonly body: Body;
  private readonly permuter: Permuter;
  private readonly lookup: Lookup;
  private readonly order: V128;
  /** The last key of one block and the first of the next. */
  private readonly keys: V128;

  constructor(body: Body, permuter: Permuter, lookup: Lookup) {
    this.body = body;
    this.permuter = permuter;
    this.lookup = lookup;
    this.order = permuter.intoOrder();
    const lastKey = body.let(this.enter(permuter.lastKey));
    this.keys = body.let(v128.xor(lastKey, permuter.firstKey));
    this.bytes = body.local('v128', v128.load(0, CHAIN));
    this.held = body.local('v128', v128.xor(this.enter(this.bytes), lastKey));
  }

  /** The next block's state at the first round. */
  with(block: V128): V128 {
    const ahead = this.body.let(v128.xor(this.enter(block), this.keys));
    return v128.xor(this.held, ahead);
  }

  follow(last: Inverted): V128 {
    const { body, permuter, lookup, order } = this;
    body.set(this.held, lookup(permuter.heldWithoutKey(last), order));
    body.set(this.bytes, permuter.plain(last));
    return this.bytes;
  }

  save(): void {
    this.body.store(0, this.bytes, CHAIN);
  }

  private enter(block: V128): V128 {
    return this.permuter.hold(this.lookup(block, this.order));
  }
}

/** CHAIN := E(CHAIN ⊕ block) for each block; `cbcEncrypt` also writes it over the block. */
function cbcEncrypt(module: ModuleText, lookup: Lookup, writes: boolean): void {
  const name = writes ? 'cbcEncrypt' : 'cbcMac';
  const params = { offset: 'i32', blocks: 'i32' } as const;
  module.func(name, { params }, (body, { offset, blocks }) => {
    const permuter = new Permuter(body, lookup, true);
    const chain = new Chain(body, permuter, lookup);
    const state = body.local('v128');
    body.loop(blocks, () => {
      body.set(state, chain.with(v128.load(offset)));
      const [last] = permuter.allButLast([state]);
      const bytes = chain.follow(last!);
      if (writes) body.store(offset, bytes);
      body.set(offset, i32.add(offset, 16));
    });
    chain.save();
  });
}

/**
 * Encrypts one block of each of 16 messages at once. The messages are CBC_LANE_BYTES apart from `offset` on;
 * their chains take the places of the blocks of a pair. BLOCKS has the chain values before and after.
 */
function cbcEncryptLanes(module: ModuleText): void {
  const params = { offset: 'i32', steps: 'i32' } as const;
  module.func('cbcEncryptLanes', { params }, (body, { offset, steps }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    const chain = (lane: number): V128 => v128.load(0, BLOCKS + 16 * lane);
    body.loop(steps, () => {
      for (let lane = 0; lane < CBC_LANES; lane++) {
        const block = v128.load(offset, CBC_LANE_BYTES * lane);
        body.store(0, v128.xor(chain(lane), block), BLOCKS + 16 * lane);
      }
      encryptPair(body, BLOCKS, rounds);
      for (let lane = 0; lane < CBC_LANES; lane++) {
        body.store(offset, chain(lane), CBC_LANE_BYTES * lane);
      }
      body.set(offset, i32.add(offset, 16));
    });
  });
}

/** 16 blocks at once: CHAIN is the previous ciphertext block, and is updated to the last one. */
function cbcDecryptMany(module: ModuleText): void {
  const params = { offset: 'i32', pairs: 'i32' } as const;
  module.func('cbcDecryptMany', { params }, (body, { offset, pairs }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    const chain = body.local('v128', v128.load(0, CHAIN));
    body.loop(pairs, () => {
      decryptPair(body, offset, rounds);
      const next = body.let(v128.load(offset, PAIR_BYTES - 16));
      // From the last to the first, so that the previous ciphertext is still there.
      for (let i = PAIR_BYTES - 16; i >= 0; i -= 16) {
        const before = i === 0 ? chain : v128.load(offset, i - 16);
        body.store(offset, v128.xor(v128.load(0, BLOCKS + i), before), i);
      }
      body.set(chain, next);
      body.set(offset, i32.add(offset, PAIR_BYTES));
    });
    body.store(0, chain, CHAIN);
    wipePair(body);
  });
}

/**
 * CCM's CBC-MAC over the plaintext and its counter mode in one loop: the MAC leaves most of the processor
 * idle, so the counter mode costs little. The key stream is one block ahead, because opening needs it before
 * the MAC: STREAM is the first block's, COUNTER the counter of the next one. Both are updated accordingly.
 *
 * @param opening 0 to seal, -1 to open
 */
function ccmBlocks(module: ModuleText, lookup: Lookup): void {
  const params = { offset: 'i32', blocks: 'i32', opening: 'i32' } as const;
  module.func('ccmBlocks', { params }, (body, { offset, blocks, opening }) => {
    const permuter = new Permuter(body, lookup, true);
    const chain = new Chain(body, permuter, lookup);
    const reverse = body.let(v128.load(0, REVERSE));
    const counterOrder = body.let(lookup(reverse, permuter.intoOrder()));
    const counter = body.local('v128', lookup(v128.load(0, COUNTER), reverse));
    const one = body.let(i32x4.replace(0, i32x4.splat(0), 1));
    const stream = body.local('v128', v128.load(0, STREAM));
    const whenOpening = body.let(i32x4.splat(opening));
    const mac = body.local('v128');
    const ahead = body.local('v128');
    body.loop(blocks, () => {
      const block = body.let(v128.load(offset));
      const plaintext = body.let(v128.xor(block, v128.and(stream, whenOpening)));
      body.set(mac, chain.with(plaintext));
      const held = permuter.hold(lookup(counter, counterOrder));
      body.set(ahead, v128.xor(held, permuter.firstKey));
      body.store(offset, v128.xor(block, stream));
      const [last, lastAhead] = permuter.allButLast([mac, ahead]);
      chain.follow(last!);
      body.set(stream, permuter.plain(lastAhead!));
      body.set(counter, i32x4.add(counter, one));
      body.set(offset, i32.add(offset, 16));
    });
    chain.save();
    body.store(0, stream, STREAM);
    body.store(0, lookup(counter, reverse), COUNTER);
  });
}
