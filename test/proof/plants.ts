/**
 * Planted leaks: modules of the generator, each with one, some of them in functions of the product. The proof must find
 * each one, at its place and of its kind.
 */
import { MODULES } from '../../scripts/make-wasm.ts';
import { Body, call } from '../../src/engine/wasm/generator/dsl/body.ts';
import * as aes from '../../src/engine/wasm/generator/aes/layout.ts';
import * as arx from '../../src/engine/wasm/generator/arx/layout.ts';
import * as keccak from '../../src/engine/wasm/generator/hash/keccak-layout.ts';
import { LAYOUTS } from '../../src/engine/wasm/generator/montgomery/layout.ts';
import { f64, f64x2 } from '../../src/engine/wasm/generator/montgomery/lanes.ts';
import {
  i32,
  i32x4,
  i64,
  i8x16,
  op,
  v128,
} from '../../src/engine/wasm/generator/dsl/expression.ts';
import type { Expr } from '../../src/engine/wasm/generator/dsl/expression.ts';
import { ModuleText } from '../../src/engine/wasm/generator/dsl/module.ts';
import { assembleCached } from '../support/wasm.ts';
import { instrument } from './instrument.ts';
import { functionNames } from './prove.ts';
import { ShadowModule } from './shadow.ts';
import type { LeakKind } from './opcodes.ts';
import { subjectOf } from './calls.ts';
import type { Subject } from './calls.ts';

/** The secrets of modules that are made here. */
const SECRET = 1024;
const MEMORY_BYTES = 65536;
const montgomery = LAYOUTS.simd;

export interface Plant {
  readonly title: string;
  readonly kind: LeakKind;
  /** The function that has the leak. */
  readonly func: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly args: readonly number[] }[];
  readonly secretArgs?: readonly number[];
  /** Of a module of the product. */
  readonly subject?: Subject;
}

type Write = (body: Body, module: ModuleText) => void;

/** A module with one function, `leak`, which is called once. */
function planted(title: string, kind: LeakKind, write: Write, more: Partial<Plant> = {}): Plant {
  const module = new ModuleText(MEMORY_BYTES);
  module.func('leak', {}, (body) => write(body, module));
  const calls = [{ name: 'leak', args: [] }];
  return { title, kind, func: 'leak', text: module.toString(), calls, ...more };
}

const byte = i32.load8u(0, SECRET);
const word = i32.load(0, SECRET);
const long = i64.load(0, SECRET);
const double = f64.load(0, SECRET);
const vector = v128.load(0, SECRET);
const keep = (body: Body, value: Expr): void => body.store(0, value, SECRET + 64);

/** A function of the product, changed. */
function mutated(
  [title, kind]: readonly [string, LeakKind],
  [module, func]: readonly [string, string],
  change: (text: string) => string,
  more: Partial<Plant> & { readonly args: readonly number[] },
): Plant {
  const text = MODULES[module]!();
  const at = text.indexOf(`(func $${func} `);
  const next = text.indexOf('\n(func $', at);
  const end = next < 0 ? text.lastIndexOf(')') : next;
  const original = text.slice(at, end);
  const changed = change(original);
  if (changed === original) throw new Error(`${title}: nothing was changed`);
  const calls = [{ name: func, args: more.args }];
  const whole = text.slice(0, at) + changed + text.slice(end);
  return { title, kind, func, text: whole, calls, subject: subjectOf(module), ...more };
}

/** Adds statements at the end of a function. */
const append = (write: (body: Body) => void) => {
  const body = new Body();
  write(body);
  return (text: string): string => `${text.slice(0, text.lastIndexOf(')'))}\n${body.toString()})`;
};

/** The generator never imports. */
function imported(): Plant {
  const plant = planted('an argument of an imported function', 'call', (body) => {
    body.call('log', byte);
  });
  const declaration = '(import "env" "log" (func $log (param i32)))';
  return { ...plant, text: plant.text.replace('(module', `(module ${declaration}`) };
}

export const PLANTS: readonly Plant[] = [
  planted('a table of bytes by a secret byte', 'address', (body) => {
    keep(body, i32.load8u(byte));
  }),
  planted('a vector from a secret place', 'address', (body) => {
    keep(body, v128.load(i32.shl(i32.and(word, 15), 4)));
  }),
  planted('a store to a secret place', 'address', (body) => {
    body.store(i32.and(word, 0xfff0), i32.const(1));
  }),
  planted('an index that passed through lanes of vectors', 'address', (body) => {
    const moved = i8x16.shuffle(i32x4.splat(0), vector, new Uint8Array(16).fill(16));
    keep(body, i32.load(i32.and(i32x4.extract(2, moved), 255)));
  }),
  planted('an index that passed through a double', 'address', (body) => {
    const integer = f64.toI64(f64.add(double, f64.const(1)));
    keep(body, i32.load(i32.and(i32.wrap(integer), 255)));
  }),
  planted('an index that passed through memory below the secrets', 'address', (body) => {
    body.store(0, i32.and(word, 255), 512);
    keep(body, i32.load(i32.load(0, 512)));
  }),
  planted('an index that passed through memory.copy', 'address', (body) => {
    body.emit('memory.copy', 512, SECRET, 16);
    keep(body, i32.load(i32.load8u(0, 520)));
  }),
  planted(
    'an index that another function gets as its argument',
    'address',
    (body, module) => {
      module.func('inner', { params: { at: 'i32' }, exported: false }, (inner, { at }) => {
        keep(inner, i32.load8u(at));
      });
      body.call('inner', byte);
    },
    { func: 'inner' },
  ),
  planted('memory.copy from a secret place', 'address', (body) => {
    body.emit('memory.copy', 512, byte, 16);
  }),
  planted('a comparison of tags that ends early', 'branch', (body) => {
    const at = body.local('i32', 16);
    const isEqual = i32.eq(i32.load8u(at, SECRET), i32.load8u(at, SECRET + 64));
    body.while(i32.and(isEqual, at), () => body.set(at, i32.sub(at, 1)));
  }),
  planted('a secret number of turns', 'branch', (body) => {
    const count = body.local('i32', i32.and(word, 3));
    body.loop(count, () => body.store(0, i32.const(0), 512));
  }),
  planted('a branch by whether a vector is zero', 'branch', (body) => {
    body.if(op('i32', 'v128.any_true', vector), () => body.store(0, i32.const(0), 512));
  }),
  planted('a branch by the highest bits of the bytes of a vector', 'branch', (body) => {
    const mask = op('i32', 'i8x16.bitmask', vector);
    body.if(i32.and(mask, 1), () => body.store(0, i32.const(0), 512));
  }),
  planted('a branch by the result of another function', 'branch', (body, module) => {
    module.func('inner', { result: 'i32', exported: false }, (inner) => {
      inner.result(i32.eqz(word));
    });
    body.if(call('i32', 'inner'), () => body.store(0, i32.const(0), 512));
  }),
  planted('a branch in the third turn of a loop', 'branch', (body) => {
    const count = body.local('i32', 5);
    const sum = body.local('i32', 0);
    body.loop(count, () => {
      const isThird = i32.eq(count, 3);
      body.if(isThird, () => body.if(sum, () => body.store(0, i32.const(0), 512)));
      body.set(sum, i32.add(sum, i32.load8u(count, SECRET)));
    });
  }),
  planted(
    'a branch by a secret argument',
    'branch',
    (_, module) => {
      module.func('pick', { params: { index: 'i32' } }, (body, { index }) => {
        body.if(i32.eq(index, 3), () => body.store(0, i32.const(0), 512));
      });
    },
    { func: 'pick', calls: [{ name: 'pick', args: [5] }], secretArgs: [0] },
  ),
  planted('a jump by a table', 'table', (body) => {
    body.emit('block', op('i32', 'br_table 0 0 0', i32.and(word, 3)));
  }),
  planted('a selection by a secret', 'select', (body) => {
    keep(body, op('i32', 'select', i32.const(1), i32.const(2), i32.and(word, 1)));
  }),
  planted('a remainder of a secret', 'division', (body) => {
    keep(body, op('i32', 'i32.rem_u', word, i32.const(10)));
  }),
  planted('a division by a secret', 'division', (body) => {
    keep(body, op('i64', 'i64.div_u', i64.const(1000n), i64.or(long, 1n)));
  }),
  planted('a division of doubles', 'division', (body) => {
    keep(body, op('f64', 'f64.div', f64.const(1), double));
  }),
  planted('a square root', 'division', (body) => {
    keep(body, op('f64', 'f64.sqrt', double));
  }),
  planted('a division of vectors of doubles', 'division', (body) => {
    keep(body, op('v128', 'f64x2.div', f64x2.splat(f64.const(1)), vector));
  }),
  planted('a conversion that traps', 'trap', (body) => {
    const small = f64.mul(f64.fromI64(i64.and(long, 255n)), f64.const(1));
    keep(body, op('i64', 'i64.trunc_f64_u', small));
  }),
  planted('a secret length of memory.fill', 'length', (body) => {
    body.emit('memory.fill', 512, 0, i32.and(word, 63));
  }),
  planted('a secret length of memory.copy', 'length', (body) => {
    body.emit('memory.copy', 512, 600, i32.and(word, 63));
  }),
  planted('memory that grows by a secret', 'length', (body) => {
    keep(body, op('i32', 'memory.grow', i32.and(word, 1)));
  }),
  planted(
    'a secret result',
    'result',
    (_, module) => {
      module.func('tell', { result: 'i32' }, (body) => body.result(i32.and(word, 1)));
    },
    { func: 'tell', calls: [{ name: 'tell', args: [] }] },
  ),
  imported(),
  mutated(
    ['rounds of Keccak by its state', 'branch'],
    ['keccak', 'absorb'],
    (text) =>
      text.replace(
        /(\(local\.set \$\w+) \(local\.get \$rounds\)/, // the counter of the loop
        '$1 (i32.or (local.get $rounds) (i32.load8_u offset=512 (i32.const 0)))',
      ),
    { args: [keccak.BUFFER, 1, 17, 24] },
  ),
  mutated(
    ['the place of the last round key of AES by a secret word', 'address'],
    ['aes.relaxed', 'encryptFew'],
    (text) => text.replaceAll('i32.load offset=4096', 'i32.load offset=4128'),
    { args: [aes.BUFFER, 0] },
  ),
  mutated(
    ['one entry of the table of powers, by its index', 'address'],
    ['montgomery.simd', 'pick'],
    (text) =>
      text.replaceAll(
        '(local.set $v2 (local.get $v0))',
        '(local.set $v2 (i32.add (local.get $v0) (i32.shl (local.get $index) (i32.const 5))))',
      ),
    { args: [3, 1, montgomery.x, 2], secretArgs: [0] },
  ),
  mutated(
    ['a reciprocal of the modulus by division', 'division'],
    ['montgomery.simd', 'prepare'],
    append((body) => {
      const top = f64.load(0, montgomery.n);
      body.store(0, op('f64', 'f64.div', f64.const(1), top), montgomery.topInverse);
    }),
    { args: [2] },
  ),
  mutated(
    ['a last subtraction of Poly1305 only where it is needed', 'branch'],
    ['arx.simd', 'macEnd'],
    append((body) => {
      body.if(i64.ltU(i64.load(0, arx.SUM), 5n), () => body.store(0, i64.const(0n), arx.SUM));
    }),
    { args: [] },
  ),
  {
    title: 'counter mode by table under a secret counter',
    kind: 'address',
    func: 'vary',
    text: MODULES['aes.simd']!(),
    calls: [{ name: 'counterMany', args: [aes.BUFFER, 2, 0] }],
    subject: { ...subjectOf('aes.simd'), words: subjectOf('aes.simd').words.slice(0, 1) },
  },
];

/** What the proof finds in a module with a leak: kinds with their functions. @param isSecret false for a control */
export async function foundIn(plant: Plant, isSecret: boolean): Promise<string[]> {
  const { text, calls, secretArgs = [], subject } = plant;
  const name = `plant-${plant.title.replaceAll(/\W+/g, '-')}`;
  const instrumented = instrument(await assembleCached(name, text), functionNames(text));
  const { secrets = SECRET, words = [], states = [] } = subject ?? {};
  const shadow = await ShadowModule.load(instrumented, {
    secrets: isSecret ? secrets : instrumented.memoryBytes,
    open: isSecret ? words : [],
    imports: { log: () => undefined },
  });
  states[0]?.(new DataView(shadow.memory.buffer));
  for (const { name: func, args } of calls) shadow.call(func, args, isSecret ? secretArgs : []);
  return [
    ...shadow.reached.map(({ func, kind }) => `${kind} in ${func}`),
    ...shadow.secretResults.map((func) => `result in ${func}`),
  ];
}
