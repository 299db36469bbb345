/**
 * Poly1305 (RFC 8439, section 2.5) with limbs of 32 bits in 64.
 *
 * The clamp leaves four bits of each word of r zero, and two more at the end of all but the first. The four
 * bits leave space for carries: limbs may grow to 3.6 · 2^32 and a sum of four products stays below 2^64, so
 * that all four carries of a block are computed at once and none waits for another. The two bits make r_i / 4
 * an integer, so that products beyond 2^130 are reduced with s_i = 5/4 · r_i: 2^128 · r_i = 2^130 · r_i / 4,
 * which is 5 · r_i / 4 modulo the prime.
 *
 * The message needs no unpacking: its words are the limbs.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i64, v128 } from '../dsl/expression.ts';
import type { Expr, I32, I64 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { HEAD, PAD, R, SUM, TAG } from './layout.ts';

const WORD = 0xffff_ffffn;

/** Adds the exports of Poly1305 (RFC 8439, section 2.5). */
export function polyFunctions(module: ModuleText): void {
  macStart(module);
  mac(module);
  macEnd(module);
}

/** R and PAD from the 32 bytes at HEAD, clamped (section 2.5.1); SUM = 0. */
function macStart(module: ModuleText): void {
  module.func('macStart', {}, (body) => {
    const clamp = [0x0fff_ffff, 0x0fff_fffc, 0x0fff_fffc, 0x0fff_fffc];
    clamp.forEach((mask, i) => {
      body.store(0, i32.and(i32.load(0, HEAD + 4 * i), mask), R + 4 * i);
    });
    body.store(0, v128.load(0, HEAD + 16), PAD);
    for (let i = 0; i < 5; i++) body.store(0, i64.const(0n), SUM + 8 * i);
  });
}

/**
 * Authenticates whole blocks.
 *
 * @param end 1, or 0 for a last block that contains its end, a byte 1
 */
function mac(module: ModuleText): void {
  const params = { offset: 'i32', blocks: 'i32', end: 'i32' } as const;
  module.func('mac', { params }, (body, { offset, blocks, end }) => {
    const sum = new Poly(body, body.let(i64.extendU(end)));
    body.loop(blocks, () => {
      sum.block(offset, 0);
      body.set(offset, i32.add(offset, 16));
    });
    sum.store();
  });
}

/** Poly1305's sum and key in locals, between loading and storing the sum. */
export class Poly {
  private readonly body: Body;
  private readonly h: readonly Local<'i64'>[];
  private readonly r: readonly I64[];
  private readonly s: readonly I64[];
  private readonly end: I64;

  /** @param end the last limb of a block in addition to its bytes: 1 for 2^128 */
  constructor(body: Body, end: I64) {
    this.body = body;
    this.end = end;
    this.h = [0, 1, 2, 3, 4].map((i) => body.local('i64', i64.load(0, SUM + 8 * i)));
    this.r = [0, 1, 2, 3].map((i) => body.let(i64.load32u(0, R + 4 * i)));
    // s_0 is not needed
    this.s = this.r.map((r) => body.let(i64.add(r, i64.shrU(r, 2n))));
  }

  /** h = (h + block) · r. */
  block(address: I32, offset: number): void {
    const { body, h } = this;
    const [r0, r1, r2, r3] = this.r as Four;
    const [, s1, s2, s3] = this.s as Four;
    const a = [0, 1, 2, 3].map((i) =>
      body.let(i64.add(h[i]!, i64.load32u(address, offset + 4 * i))),
    ) as Four;
    const a4 = body.let(i64.add(h[4]!, this.end));
    // The first limb comes last: it is the last result of the previous block.
    const d0 = this.products([a[1], s3], [a[2], s2], [a[3], s1], [a[0], r0]);
    const d1 = this.products([a[1], r0], [a[2], s3], [a[3], s2], [a4, s1], [a[0], r1]);
    const d2 = this.products([a[1], r1], [a[2], r0], [a[3], s3], [a4, s2], [a[0], r2]);
    const d3 = this.products([a[1], r2], [a[2], r1], [a[3], r0], [a4, s3], [a[0], r3]);
    const d4 = body.let(i64.add(i64.mul(a4, r0), i64.shrU(d3, 32n)));
    // The part from 2^130 on is added times 5.
    const beyond = body.let(i64.shrU(d4, 2n));
    body.set(h[0]!, i64.add(i64.and(d0, WORD), i64.add(beyond, i64.shl(beyond, 2n))));
    [d1, d2, d3].forEach((d, i) => {
      body.set(h[i + 1]!, i64.add(i64.and(d, WORD), i64.shrU([d0, d1, d2][i]!, 32n)));
    });
    body.set(h[4]!, i64.and(d4, 3n));
  }

  store(): void {
    this.h.forEach((limb, i) => this.body.store(0, limb, SUM + 8 * i));
  }

  private products(...pairs: readonly (readonly [I64, I64])[]): Expr<'i64'> {
    const sum = pairs.map(([a, b]) => i64.mul(a, b)).reduce((total, each) => i64.add(total, each));
    return this.body.let(sum);
  }
}

type Four = [I64, I64, I64, I64];

/** TAG = (SUM mod 2^130 - 5) + PAD mod 2^128. */
function macEnd(module: ModuleText): void {
  module.func('macEnd', {}, (body) => {
    const h = [0, 1, 2, 3, 4].map((i) => body.local('i64', i64.load(0, SUM + 8 * i)));
    const carry = body.local('i64', 0n);
    /** Reduces every limb but the last to 32 bits. @param carry added to the first */
    const settle = (limbs: readonly Local<'i64'>[]) => {
      limbs.forEach((limb, i) => {
        body.set(limb, i64.add(limb, carry));
        if (i === 4) return;
        body.set(carry, i64.shrU(limb, 32n));
        body.set(limb, i64.and(limb, WORD));
      });
    };
    for (let turn = 0; turn < 2; turn++) {
      settle(h);
      body.set(carry, i64.mul(i64.shrU(h[4]!, 2n), 5n));
      body.set(h[4]!, i64.and(h[4]!, 3n));
    }
    settle(h);
    // h + 5 reaches 2^130 if h ≥ 2^130 - 5; without that bit it is then h reduced.
    const reduced = h.map((limb) => body.local('i64', limb));
    body.set(carry, i64.const(5n));
    settle(reduced);
    const take = body.let(i64.sub(0n, i64.shrU(reduced[4]!, 2n)));
    body.set(carry, i64.const(0n));
    for (let i = 0; i < 4; i++) {
      const chosen = i64.xor(h[i]!, i64.and(take, i64.xor(h[i]!, reduced[i]!)));
      const word = body.let(i64.add(i64.add(chosen, i64.load32u(0, PAD + 4 * i)), carry));
      body.store(0, i32.wrap(word), TAG + 4 * i);
      body.set(carry, i64.shrU(word, 32n));
    }
  });
}
