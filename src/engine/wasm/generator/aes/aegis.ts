/**
 * AEGIS-128L and AEGIS-256 (draft-irtf-cfrg-aegis-aead) on bit planes. A state is eight blocks, or six, and
 * an update applies one round of AES to each of them and adds it to the next one: a bit of a lane is a block
 * of the state, so that all rounds of an update are one substitution, and the next block is the next bit. The
 * state stays in planes between updates; only a message's blocks, and the key stream, are converted.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i64x2, i8x16, v128 } from '../dsl/expression.ts';
import type { I32, V128 } from '../dsl/expression.ts';
import { lookupOf } from '../dsl/lookup.ts';
import type { Lookup, Variant } from '../dsl/lookup.ts';
import { ModuleText } from '../dsl/module.ts';
import { INTO_ORDER, placeConstants, ROTATIONS } from './constants.ts';
import { AEGIS_BLOCKS, AEGIS_STATE, MEMORY_BYTES } from './layout.ts';
import { mixColumns, planeVariables, PLANES, setPlanes, subBytes, transpose } from './sliced.ts';
import type { Planes } from './sliced.ts';

/** One of the two algorithms. */
interface Form {
  /** Begins the names of its functions. */
  readonly name: 'aegis128l' | 'aegis256';
  /** Bytes of a message that one update takes: whole blocks. */
  readonly rate: 16 | 32;
  /** The blocks of the state to which they are XORed, as bits of a lane. */
  readonly inputs: number;
  /** S'_i := S_{i-1}, of all blocks. */
  readonly next: (body: Body, plane: V128) => V128;
  /** The key stream, at the bits of `inputs`. */
  readonly stream: (body: Body, plane: V128) => V128;
}

const bytes = (value: number) => v128.const(new Uint8Array(16).fill(value));
const masked = (x: V128, value: number): V128 => v128.and(x, bytes(value));

const FORMS: readonly Form[] = [
  {
    name: 'aegis128l',
    rate: 32,
    // M_0 is XORed to S_0, M_1 to S_4.
    inputs: 0x11,
    next: (_, x) => v128.xor(i8x16.add(x, x), masked(i64x2.shrU(x, 7), 1)),
    // z_0 = S_6 ^ S_1 ^ (S_2 & S_3) and z_1 = S_2 ^ S_5 ^ (S_6 & S_7)
    stream: (body, x) => {
      const following = body.let(i64x2.shrU(x, 1));
      const product = i64x2.shrU(v128.and(x, following), 2);
      const near = masked(v128.xor(following, product), 0x11);
      const far = v128.xor(masked(i64x2.shrU(x, 6), 0x01), masked(i64x2.shl(x, 2), 0x10));
      return body.let(v128.xor(near, far));
    },
  },
  {
    name: 'aegis256',
    rate: 16,
    inputs: 0x01,
    next: (_, x) => v128.xor(masked(i8x16.add(x, x), 0x3e), masked(i64x2.shrU(x, 5), 1)),
    // z = S_1 ^ S_4 ^ S_5 ^ (S_2 & S_3)
    stream: (body, x) => {
      const following = body.let(i64x2.shrU(x, 1));
      const product = i64x2.shrU(v128.and(x, following), 2);
      const far = body.let(i64x2.shrU(v128.xor(x, following), 4));
      return body.let(masked(v128.xor(v128.xor(following, product), far), 0x01));
    },
  },
];

/** @returns the module of both algorithms in WebAssembly's text format; its memory is that of the AES module */
export function aegisModule(variant: Variant): string {
  const module = new ModuleText(MEMORY_BYTES);
  placeConstants(module);
  const lookup = lookupOf(variant);
  convert(module, 'aegisLoad', AEGIS_BLOCKS, AEGIS_STATE);
  convert(module, 'aegisStore', AEGIS_STATE, AEGIS_BLOCKS);
  for (const form of FORMS) {
    absorb(module, lookup, form);
    crypt(module, lookup, form);
    addStream(module, form);
  }
  return module.toString();
}

/** Between the blocks of the state and its planes: the transposition is its own inverse. */
function convert(module: ModuleText, name: string, source: number, target: number): void {
  module.func(name, {}, (body) => {
    const vectors = PLANES.map((i) => body.let(v128.load(0, source + 16 * i)));
    transpose(body, vectors).forEach((vector, i) => body.store(0, vector, target + 16 * i));
  });
}

/** Updates the state by each `rate` bytes of `count` at `offset`. */
function absorb(module: ModuleText, lookup: Lookup, form: Form): void {
  const params = { offset: 'i32', count: 'i32' } as const;
  module.func(`${form.name}Absorb`, { params }, (body, { offset, count }) => {
    const update = new Update(body, lookup, form);
    body.loop(count, () => {
      update.run(planesOf(body, form, loadInput(body, form, offset)));
      body.set(offset, i32.add(offset, form.rate));
    });
    update.end();
  });
}

/**
 * Encrypts, or decrypts, `count` times `rate` bytes at `offset` in place.
 *
 * @param opening all ones to decrypt, which XORs the key stream to what updates the state; 0 to encrypt
 */
function crypt(module: ModuleText, lookup: Lookup, form: Form): void {
  const params = { offset: 'i32', count: 'i32', opening: 'i32' } as const;
  module.func(`${form.name}Crypt`, { params }, (body, { offset, count, opening }) => {
    const update = new Update(body, lookup, form);
    const isOpening = body.let(i8x16.splat(opening));
    body.loop(count, () => {
      const input = loadInput(body, form, offset);
      const stream = update.state.map((plane) => form.stream(body, plane));
      const message = planesOf(body, form, input).map((plane, i) =>
        body.let(v128.xor(plane, v128.and(stream[i]!, isOpening))),
      );
      storeSum(body, form, offset, input, stream);
      update.run(message);
      body.set(offset, i32.add(offset, form.rate));
    });
    update.end();
  });
}

/** XORs the next `rate` bytes of the key stream to those at `offset`, and leaves the state. */
function addStream(module: ModuleText, form: Form): void {
  const params = { offset: 'i32' } as const;
  module.func(`${form.name}Stream`, { params }, (body, { offset }) => {
    const state = PLANES.map((i) => body.let(v128.load(0, AEGIS_STATE + 16 * i)));
    const stream = state.map((plane) => form.stream(body, plane));
    storeSum(body, form, offset, loadInput(body, form, offset), stream);
  });
}

/** The state in variables, and what updates it. */
class Update {
  readonly state: readonly Local<'v128'>[];
  private readonly body: Body;
  private readonly lookup: Lookup;
  private readonly form: Form;
  private readonly shiftRows: V128;
  private readonly rotations: { readonly one: V128; readonly two: V128 };

  constructor(body: Body, lookup: Lookup, form: Form) {
    this.body = body;
    this.lookup = lookup;
    this.form = form;
    this.state = planeVariables(body);
    const loaded = PLANES.map((i) => v128.load(0, AEGIS_STATE + 16 * i));
    setPlanes(body, this.state, loaded);
    this.shiftRows = body.let(v128.load(0, INTO_ORDER + 16));
    // Bytes stay in natural order, because a round's result is added to the state before it.
    this.rotations = {
      one: body.let(v128.load(0, ROTATIONS)),
      two: body.let(v128.load(0, ROTATIONS + 16)),
    };
  }

  /** S'_i = AESRound(S_{i-1}, S_i ^ M_i). @param message planes with bits of `inputs` alone */
  run(message: Planes): void {
    const { body, lookup, form, state } = this;
    const substituted = subBytes(body, state);
    const shifted = substituted.map((plane) => body.let(lookup(plane, this.shiftRows)));
    const mixed = mixColumns(body, lookup, shifted, this.rotations);
    // A column of 0x63, which SubBytes lacks, is one of 0x63 after MixColumns.
    const whole = mixed.map((plane, i) => ((0x63 >> i) & 1 ? body.let(v128.not(plane)) : plane));
    const updated = whole.map((plane, i) => {
      const kept = v128.xor(state[i]!, message[i]!);
      return body.let(v128.xor(form.next(body, plane), kept));
    });
    setPlanes(body, state, updated);
  }

  /** Keeps the state in the memory. */
  end(): void {
    this.state.forEach((plane, i) => this.body.store(0, plane, AEGIS_STATE + 16 * i));
  }
}

/** The blocks of one update. */
function loadInput(body: Body, { rate }: Form, offset: I32): V128[] {
  const blocks = rate === 32 ? [0, 16] : [0];
  return blocks.map((at) => body.let(v128.load(offset, at)));
}

/** Planes of one block, or of two: bit 0 of a lane is the first one's, bit 4 the second one's. */
function planesOf(body: Body, { inputs }: Form, [first, second]: readonly V128[]): Planes {
  if (second === undefined) {
    return PLANES.map((i) => body.let(masked(i === 0 ? first! : i64x2.shrU(first!, i), inputs)));
  }
  const low = body.let(v128.or(masked(first!, 0x0f), masked(i64x2.shl(second, 4), 0xf0)));
  const high = body.let(v128.or(masked(i64x2.shrU(first!, 4), 0x0f), masked(second, 0xf0)));
  return PLANES.map((i) => {
    const half = i < 4 ? low : high;
    return body.let(masked((i & 3) === 0 ? half : i64x2.shrU(half, i & 3), inputs));
  });
}

/** Stores the input XOR the key stream, whose planes have bits of `inputs` alone. */
function storeSum(body: Body, form: Form, offset: I32, input: readonly V128[], stream: Planes) {
  const joined = (planes: Planes) =>
    body.let(
      planes
        .map((plane, i) => (i === 0 ? plane : i64x2.shl(plane, i)))
        .reduce((sum, plane) => v128.or(sum, plane)),
    );
  if (form.rate === 16) {
    body.store(offset, v128.xor(input[0]!, joined(stream)));
    return;
  }
  const [low, high] = [joined(stream.slice(0, 4)), joined(stream.slice(4))];
  const first = v128.or(masked(low, 0x0f), masked(i64x2.shl(high, 4), 0xf0));
  const second = v128.or(masked(i64x2.shrU(low, 4), 0x0f), masked(high, 0xf0));
  body.store(offset, v128.xor(input[0]!, first));
  body.store(offset, v128.xor(input[1]!, second), 16);
}
