/**
 * The instructions that the generator emits, and those of planted leaks: encoding, types, and how taint passes
 * from operands to the result. An instruction that is not here is an error of the proof.
 */
export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

/** How an instruction uses a value that must not be secret. */
export type LeakKind =
  'address' | 'branch' | 'call' | 'division' | 'length' | 'result' | 'select' | 'table' | 'trap';

/**
 * How the taint of operands becomes that of the result:
 *
 * - `any`: a scalar is tainted if an operand is. In vectors the same for each lane of `laneBytes`, where a scalar
 *   operand (the count of a shift) taints all lanes
 * - `shuffle`, `swizzle`, `splat`, `extract`, `replace`, `reduce`: by the bytes that they move
 */
export type Rule = 'any' | 'shuffle' | 'swizzle' | 'splat' | 'extract' | 'replace' | 'reduce';

export interface Operation {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly result: ValueType;
  readonly rule: Rule;
  /** Of vectors: 1, 2, 4, 8 or 16. */
  readonly laneBytes: number;
  /** Set if the time of the instruction, or whether it traps, depends on its operands. */
  readonly leak?: LeakKind;
  /** Bytes of immediates: a lane, or 16 lanes. */
  readonly immediateBytes: number;
}

/** A load or store; the address is its first operand. */
export interface Access {
  readonly name: string;
  readonly type: ValueType;
  readonly stores: boolean;
  /** The instruction that reads or writes the taint of the same bytes. */
  readonly shadow: readonly number[];
}

/** Codes are the opcode, or prefix · 2^16 + number for those after 0xfc and 0xfd. */
export const codeOf = (prefix: number, number: number): number => prefix * 0x1_0000 + number;
export const VECTOR = 0xfd;
export const MISC = 0xfc;

export const OPERATIONS: ReadonlyMap<number, Operation> = operations();
export const ACCESSES: ReadonlyMap<number, Access> = accesses();

function operations(): Map<number, Operation> {
  const all = new Map<number, Operation>();
  const add = (
    code: number,
    name: string,
    params: readonly ValueType[],
    result: ValueType,
    more: Partial<Operation> = {},
  ): void => {
    if (all.has(code)) throw new Error(`${name}: its code is taken`);
    all.set(code, { name, params, result, rule: 'any', laneBytes: 1, immediateBytes: 0, ...more });
  };
  /** Names in the order of their codes; '-' leaves one out. */
  const scalars = (first: number, names: string, arity: number, type: ValueType, result = type) =>
    names.split(' ').forEach((name, i) => {
      if (name === '-') return;
      const divides = /^(div|rem|sqrt)/.test(name);
      const params = Array.from({ length: arity }, () => type);
      add(first + i, `${type}.${name}`, params, result, divides ? { leak: 'division' } : {});
    });
  const COMPARE = 'eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
  const BINARY = 'add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
  scalars(0x45, 'eqz', 1, 'i32');
  scalars(0x46, COMPARE, 2, 'i32');
  scalars(0x50, 'eqz', 1, 'i64', 'i32');
  scalars(0x51, COMPARE, 2, 'i64', 'i32');
  scalars(0x61, 'eq ne lt gt le ge', 2, 'f64', 'i32');
  scalars(0x67, 'clz ctz popcnt', 1, 'i32');
  scalars(0x6a, BINARY, 2, 'i32');
  scalars(0x79, 'clz ctz popcnt', 1, 'i64');
  scalars(0x7c, BINARY, 2, 'i64');
  scalars(0x99, 'abs neg - - - nearest sqrt', 1, 'f64');
  scalars(0xa0, 'add sub mul div', 2, 'f64');
  add(0xa7, 'i32.wrap_i64', ['i64'], 'i32');
  add(0xac, 'i64.extend_i32_s', ['i32'], 'i64');
  add(0xad, 'i64.extend_i32_u', ['i32'], 'i64');
  add(0xb1, 'i64.trunc_f64_u', ['f64'], 'i64', { leak: 'trap' });
  add(0xb9, 'f64.convert_i64_s', ['i64'], 'f64');
  add(0xbd, 'i64.reinterpret_f64', ['f64'], 'i64');
  add(0xbf, 'f64.reinterpret_i64', ['i64'], 'f64');
  add(codeOf(MISC, 6), 'i64.trunc_sat_f64_s', ['f64'], 'i64');

  const vector = (
    number: number,
    name: string,
    params: readonly ValueType[],
    result: ValueType,
    more: Partial<Operation> = {},
  ) => add(codeOf(VECTOR, number), name, params, result, more);
  const lanes = (list: string, arity: number, laneBytes: number, shift = false) => {
    for (const entry of list.split(' ')) {
      const [number, name] = entry.split(':') as [string, string];
      const params = Array.from({ length: arity }, (_, i): ValueType => {
        return shift && i === 1 ? 'i32' : 'v128';
      });
      const divides = name.endsWith('.div') ? { leak: 'division' as const } : {};
      vector(Number(number), name, params, 'v128', { laneBytes, ...divides });
    }
  };
  vector(13, 'i8x16.shuffle', ['v128', 'v128'], 'v128', { rule: 'shuffle', immediateBytes: 16 });
  vector(14, 'i8x16.swizzle', ['v128', 'v128'], 'v128', { rule: 'swizzle' });
  vector(0x100, 'i8x16.relaxed_swizzle', ['v128', 'v128'], 'v128', { rule: 'swizzle' });
  vector(15, 'i8x16.splat', ['i32'], 'v128', { rule: 'splat' });
  vector(16, 'i16x8.splat', ['i32'], 'v128', { rule: 'splat' });
  vector(17, 'i32x4.splat', ['i32'], 'v128', { rule: 'splat' });
  vector(18, 'i64x2.splat', ['i64'], 'v128', { rule: 'splat' });
  vector(20, 'f64x2.splat', ['f64'], 'v128', { rule: 'splat' });
  const lane = { immediateBytes: 1 };
  const extract = { ...lane, rule: 'extract' as const };
  const replace = { ...lane, rule: 'replace' as const };
  vector(22, 'i8x16.extract_lane_u', ['v128'], 'i32', extract);
  vector(27, 'i32x4.extract_lane', ['v128'], 'i32', { ...extract, laneBytes: 4 });
  vector(28, 'i32x4.replace_lane', ['v128', 'i32'], 'v128', { ...replace, laneBytes: 4 });
  vector(29, 'i64x2.extract_lane', ['v128'], 'i64', { ...extract, laneBytes: 8 });
  vector(30, 'i64x2.replace_lane', ['v128', 'i64'], 'v128', { ...replace, laneBytes: 8 });
  vector(33, 'f64x2.extract_lane', ['v128'], 'f64', { ...extract, laneBytes: 8 });
  vector(83, 'v128.any_true', ['v128'], 'i32', { rule: 'reduce' });
  vector(100, 'i8x16.bitmask', ['v128'], 'i32', { rule: 'reduce' });
  vector(132, 'i16x8.bitmask', ['v128'], 'i32', { rule: 'reduce' });
  vector(164, 'i32x4.bitmask', ['v128'], 'i32', { rule: 'reduce' });
  lanes('77:v128.not', 1, 1);
  lanes('78:v128.and 79:v128.andnot 80:v128.or 81:v128.xor', 2, 1);
  lanes('82:v128.bitselect', 3, 1);
  lanes('35:i8x16.eq 37:i8x16.lt_s 110:i8x16.add 113:i8x16.sub', 2, 1);
  lanes('142:i16x8.add 145:i16x8.sub 147:i16x8.sub_sat_u 151:i16x8.min_u', 2, 2);
  lanes('47:i16x8.lt_s 130:i16x8.q15mulr_sat_s 149:i16x8.mul', 2, 2);
  lanes('139:i16x8.shl 140:i16x8.shr_s 141:i16x8.shr_u', 2, 2, true);
  lanes('181:i32x4.mul 186:i32x4.dot_i16x8_s', 2, 4);
  lanes('55:i32x4.eq 57:i32x4.lt_s 58:i32x4.lt_u 174:i32x4.add 177:i32x4.sub', 2, 4);
  lanes('160:i32x4.abs', 1, 4);
  lanes('171:i32x4.shl 172:i32x4.shr_s 173:i32x4.shr_u', 2, 4, true);
  lanes('203:i64x2.shl 205:i64x2.shr_u', 2, 8, true);
  lanes('206:i64x2.add 209:i64x2.sub 240:f64x2.add 241:f64x2.sub 242:f64x2.mul', 2, 8);
  lanes('243:f64x2.div', 2, 8);
  // Each reads a half of its operands: all bytes of the result are tainted if one of them is.
  lanes('222:i64x2.extmul_low_i32x4_u 223:i64x2.extmul_high_i32x4_u', 2, 16);
  lanes('220:i64x2.extmul_low_i32x4_s 221:i64x2.extmul_high_i32x4_s', 2, 16);
  // So do these, or they move words from both operands.
  lanes('134:i16x8.narrow_i32x4_u', 2, 16);
  lanes('135:i16x8.extend_low_i8x16_s 136:i16x8.extend_high_i8x16_s', 1, 16);
  lanes('167:i32x4.extend_low_i16x8_s 168:i32x4.extend_high_i16x8_s', 1, 16);
  lanes('169:i32x4.extend_low_i16x8_u 170:i32x4.extend_high_i16x8_u', 1, 16);
  lanes('263:f64x2.relaxed_madd', 3, 8);
  return all;
}

function accesses(): Map<number, Access> {
  const scalar = (code: number, name: string, type: ValueType, stores: boolean, shadow = code) =>
    [code, { name, type, stores, shadow: [shadow] }] as const;
  const vector = (number: number, name: string, stores = false) =>
    [codeOf(VECTOR, number), { name, type: 'v128', stores, shadow: [VECTOR, number] }] as const;
  return new Map<number, Access>([
    scalar(0x28, 'i32.load', 'i32', false),
    scalar(0x29, 'i64.load', 'i64', false),
    scalar(0x2b, 'f64.load', 'f64', false, 0x29),
    scalar(0x2d, 'i32.load8_u', 'i32', false),
    scalar(0x35, 'i64.load32_u', 'i64', false),
    scalar(0x36, 'i32.store', 'i32', true),
    scalar(0x37, 'i64.store', 'i64', true),
    scalar(0x39, 'f64.store', 'f64', true, 0x37),
    scalar(0x3a, 'i32.store8', 'i32', true),
    vector(0, 'v128.load'),
    vector(7, 'v128.load8_splat'),
    vector(9, 'v128.load32_splat'),
    vector(10, 'v128.load64_splat'),
    vector(11, 'v128.store', true),
    vector(92, 'v128.load32_zero'),
    vector(93, 'v128.load64_zero'),
  ]);
}
