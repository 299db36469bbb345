/**
 * ChaCha20-Poly1305 (RFC 8439, section 2.8) in one pass over the data: while the vector units compute the
 * rounds of four blocks, the scalar units authenticate as much ciphertext. This fills the idle slots of one
 * group so well that a second one, as in `chacha`, gains nothing here.
 *
 * When opening, the ciphertext is available before the rounds. When sealing, it is that of the previous
 * group.
 */
import { i32, v128 } from '../dsl/expression.ts';
import type { Body } from '../dsl/body.ts';
import type { Expr, I32 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import { BLOCK_BYTES, BUFFER, GROUP_BYTES, HEAD, HEAD_BYTES, LENGTHS, STATE } from './layout.ts';
import { ChachaGroups, DOUBLE_ROUNDS } from './chacha.ts';
import { Poly } from './poly1305.ts';

/** Adds the exports of ChaCha20-Poly1305 (RFC 8439, section 2.8). */
export function chachaPolyFunctions(module: ModuleText, lookup: Lookup): void {
  aeadStart(module);
  absorb(module);
  cryptAndMac(module, lookup);
  seal(module);
  open(module);
  sealFirst(module);
  openFirst(module);
  aeadEnd(module);
}

const ZERO = v128.const(new Uint8Array(16));

/** HEAD and Poly1305's key (section 2.6) from STATE, whose counter is 0. */
function aeadStart(module: ModuleText): void {
  module.func('aeadStart', {}, (body) => {
    for (let at = 0; at < GROUP_BYTES; at += 16) body.store(0, ZERO, HEAD + at);
    body.call('chacha', HEAD, 1);
    body.call('macStart');
  });
}

/** Authenticates data at `at`, padded with zeros to whole blocks. */
function macPadded(body: Body, at: I32, bytes: I32): void {
  body.store(i32.add(at, bytes), ZERO);
  body.call('mac', at, i32.shrU(i32.add(bytes, 15), 4), 1);
}

/** Authenticates associated data in BUFFER, padded: all of it, or a part of whole blocks. */
function absorb(module: ModuleText): void {
  module.func('absorb', { params: { bytes: 'i32' } }, (body, { bytes }) => {
    macPadded(body, BUFFER, bytes);
  });
}

/** XORs key stream to whole groups, and authenticates as many bytes from `behind` bytes before on. */
function cryptAndMac(module: ModuleText, lookup: Lookup): void {
  const params = { offset: 'i32', groups: 'i32', behind: 'i32' } as const;
  module.func('cryptAndMac', { params, exported: false }, (body, { offset, groups, behind }) => {
    const group = new ChachaGroups(body, lookup, 1);
    const sum = new Poly(body, 1n);
    const taken = body.local('i32', i32.sub(offset, behind));
    body.loop(groups, () => {
      group.begin();
      // Eight double rounds with two blocks each
      const count = body.local('i32', 8);
      body.loop(count, () => {
        group.doubleRound();
        sum.block(taken, 0);
        sum.block(taken, 16);
        body.set(taken, i32.add(taken, 32));
      });
      body.set(count, i32.const(DOUBLE_ROUNDS - 8));
      body.loop(count, () => group.doubleRound());
      group.end(offset);
      body.set(offset, i32.add(offset, GROUP_BYTES));
    });
    sum.store();
  });
}

/** Encrypts and authenticates data of any length from `offset` on, padded at the end. */
function seal(module: ModuleText): void {
  module.func('seal', { params: { offset: 'i32', bytes: 'i32' } }, (body, { offset, bytes }) => {
    body.if(bytes, () => {
      const more = body.let(i32.shrU(i32.sub(bytes, 1), 8));
      body.call('chacha', offset, 1);
      body.call('cryptAndMac', i32.add(offset, GROUP_BYTES), more, GROUP_BYTES);
      const done = body.let(i32.shl(more, 8));
      macPadded(body, body.let(i32.add(offset, done)), body.let(i32.sub(bytes, done)));
    });
  });
}

/** Authenticates and decrypts data of any length from `offset` on, padded at the end. */
function open(module: ModuleText): void {
  module.func('open', { params: { offset: 'i32', bytes: 'i32' } }, (body, { offset, bytes }) => {
    body.call('cryptAndMac', offset, i32.shrU(bytes, 8), 0);
    const rest = body.let(i32.and(bytes, GROUP_BYTES - 1));
    body.if(rest, () => {
      const last = body.let(i32.add(offset, i32.sub(bytes, rest)));
      macPadded(body, last, rest);
      body.call('chacha', last, 1);
    });
  });
}

/** XORs the rest of HEAD to the beginning of BUFFER. */
function addHead(body: Body): void {
  for (let at = 0; at < HEAD_BYTES; at += 16) {
    const sum = v128.xor(v128.load(0, BUFFER + at), v128.load(0, HEAD + BLOCK_BYTES + at));
    body.store(0, sum, BUFFER + at);
  }
}

const isBeyondHead = (bytes: I32): Expr<'i32'> => i32.gtU(bytes, HEAD_BYTES);

/** `seal` for the beginning of a message, in BUFFER. */
function sealFirst(module: ModuleText): void {
  module.func('sealFirst', { params: { bytes: 'i32' } }, (body, { bytes }) => {
    addHead(body);
    body.if(
      isBeyondHead(bytes),
      () => {
        body.call('mac', BUFFER, HEAD_BYTES / 16, 1);
        body.call('seal', BUFFER + HEAD_BYTES, i32.sub(bytes, HEAD_BYTES));
      },
      () => macPadded(body, BUFFER, bytes),
    );
  });
}

/** `open` for the beginning of a message, in BUFFER. */
function openFirst(module: ModuleText): void {
  module.func('openFirst', { params: { bytes: 'i32' } }, (body, { bytes }) => {
    body.if(
      isBeyondHead(bytes),
      () => {
        body.call('mac', BUFFER, HEAD_BYTES / 16, 1);
        body.call('open', BUFFER + HEAD_BYTES, i32.sub(bytes, HEAD_BYTES));
      },
      () => macPadded(body, BUFFER, bytes),
    );
    addHead(body);
  });
}

/** Computes TAG, after LENGTHS. Wipes the values that depend on key and nonce. */
function aeadEnd(module: ModuleText): void {
  module.func('aeadEnd', {}, (body) => {
    body.call('mac', LENGTHS, 1, 1);
    body.call('macEnd');
    for (let at = STATE; at < LENGTHS; at += 16) body.store(0, ZERO, at);
  });
}
