/** The key schedule (FIPS 197, section 5.2), and the round keys in the forms of both implementations. */
import type { Body } from '../dsl/body.ts';
import { i32, i32x4, v128 } from '../dsl/expression.ts';
import type { Expr } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import { AFFINE, INTO_ORDER } from './constants.ts';
import { CONTEXT, KEY, PERMUTE_KEYS, ROUND_KEYS, SLICED_KEYS } from './layout.ts';
import { Permuter } from './permute.ts';
import { spreadBits } from './sliced.ts';

/** Nk words of key, then up to 60 words (algorithm 2 of FIPS 197). */
const WORDS_BYTES = 240;

/** Adds the exports of the key schedule (FIPS 197, section 5.2). */
export function keyFunctions(module: ModuleText, lookup: Lookup): void {
  expandKey(module, lookup);
  sliceKeys(module);
}

/** Expands KEY into CONTEXT and wipes it. @param words of key: 4, 6 or 8 */
function expandKey(module: ModuleText, lookup: Lookup): void {
  module.func('expandKey', { params: { words: 'i32' } }, (body, { words }) => {
    body.store(0, i32.add(words, 6), CONTEXT); // Nr = Nk + 6
    const permuter = new Permuter(body, lookup);
    expandWords(body, permuter, words);
    // Round t's key in the order Nr - t, from round 1 on with the constant of SubBytes before it
    const constant = body.local('v128');
    const round = body.local('i32', 0);
    const count = body.local('i32', i32.add(permuter.rounds, 1));
    body.loop(count, () => {
      const order = body.let(v128.load(i32.shl(i32.and(i32.sub(count, 1), 3), 4), INTO_ORDER));
      const key = v128.xor(lookup(v128.load(round, KEY), order), constant);
      const bytes = body.let(key);
      body.store(round, bytes, ROUND_KEYS);
      body.store(round, permuter.hold(bytes), PERMUTE_KEYS);
      body.set(constant, v128.load(0, AFFINE));
      body.set(round, i32.add(round, 16));
    });
    // The last round gives bytes of the standard representation.
    body.store(i32.sub(round, 16), v128.load(i32.sub(round, 16), ROUND_KEYS), PERMUTE_KEYS);
    body.emit('memory.fill', KEY, 0, WORDS_BYTES);
  });
}

/** KEYEXPANSION: words Nk … 4Nr + 3 after the key. */
function expandWords(body: Body, permuter: Permuter, words: Expr<'i32'>): void {
  /** SUBWORD, with four copies of the word at once. */
  const subWord = (word: Expr<'i32'>) =>
    i32.xor(i32x4.extract(0, permuter.substitute(permuter.hold(i32x4.splat(word)))), 0x6363_6363);
  const keyBytes = body.let(i32.shl(words, 2));
  const end = body.let(i32.shl(i32.add(permuter.rounds, 1), 4));
  const i = body.local('i32', keyBytes);
  const inKey = body.local('i32', 0); // 4 · (i mod Nk)
  const rcon = body.local('i32', 1);
  const temp = body.local('i32', i32.load(i32.sub(keyBytes, 4), KEY));
  body.while(i32.ltU(i, end), () => {
    body.if(
      i32.eqz(inKey),
      () => {
        // temp = SUBWORD(ROTWORD(temp)) ⊕ Rcon[i / Nk]
        body.set(temp, i32.xor(subWord(i32.rotr(temp, 8)), rcon));
        body.set(rcon, i32.xor(i32.shl(rcon, 1), i32.mul(i32.shrU(rcon, 7), 0x11b)));
      },
      () => {
        const fourth = i32.and(i32.eq(inKey, 16), i32.eq(words, 8));
        body.if(fourth, () => body.set(temp, subWord(temp)));
      },
    );
    body.set(temp, i32.xor(temp, i32.load(i32.sub(i, keyBytes), KEY)));
    body.store(i, temp, KEY);
    body.set(i, i32.add(i, 4));
    body.set(inKey, i32.add(inKey, 4));
    body.if(i32.eq(inKey, keyBytes), () => body.set(inKey, 0));
  });
}

/** Computes SLICED_KEYS from CONTEXT: each bit of a round key for all eight blocks. */
function sliceKeys(module: ModuleText): void {
  module.func('sliceKeys', {}, (body) => {
    const source = body.local('i32', 0);
    const target = body.local('i32', SLICED_KEYS);
    const count = body.local('i32', i32.add(i32.load(0, CONTEXT), 1));
    body.loop(count, () => {
      const key = body.let(v128.load(source, ROUND_KEYS));
      spreadBits(body, key).forEach((plane, i) => body.store(target, plane, 16 * i));
      body.set(source, i32.add(source, 16));
      body.set(target, i32.add(target, 128));
    });
  });
}
