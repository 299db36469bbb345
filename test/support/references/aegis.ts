/**
 * AEGIS-128L and AEGIS-256 as draft-irtf-cfrg-aegis-aead writes them, block by block and with a table of the
 * S-box: to compare with, not for secrets.
 */
import { substitute } from '../../../src/engine/wasm/generator/aes/sbox.ts';

type Block = Uint8Array;

const bits = (x: number) => Array.from({ length: 8 }, (_, i) => (x >> i) & 1);
const LOGIC = { xor: (a: number, b: number) => a ^ b, and: (a: number, b: number) => a & b };
const S = Array.from(
  { length: 256 },
  (_, x) => substitute(LOGIC, bits(x)).reduce((sum, bit, i) => sum | (bit << i), 0) ^ 0x63,
);
const double = (a: number) => ((a << 1) ^ ((a >> 7) * 0x11b)) & 0xff;
const xor = (...blocks: Block[]) => blocks.reduce((a, b) => a.map((byte, i) => byte ^ b[i]!));
const and = (a: Block, b: Block) => a.map((byte, i) => byte & b[i]!);
const fromHex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const C0 = fromHex('000101020305080d1522375990e97962');
const C1 = fromHex('db3d18556dc22ff12011314273b528dd');

/** One round of AES (FIPS 197, section 5.1), with a round key. */
function aesRound(block: Block, key: Block): Block {
  const shifted = block.map((_, i) => S[block[(i + 4 * (i & 3)) & 15]!]!);
  const at = (i: number, row: number) => shifted[(i & ~3) | ((i + row) & 3)]!;
  const mixed = block.map((_, i) => {
    const [a, b] = [at(i, 0), at(i, 1)];
    return double(a) ^ double(b) ^ b ^ at(i, 2) ^ at(i, 3);
  });
  return xor(mixed, key);
}

interface Form {
  readonly rate: number;
  begin(key: Block, nonce: Block): { state: Block[]; mixing: Block[] };
  stream(s: readonly Block[]): Block[];
  /** The blocks of the state to which the message's are XORed. */
  readonly inputs: readonly number[];
  readonly lengthBlock: number;
  tag(s: readonly Block[], tagBytes: number): Block;
}

const joined = (...blocks: Block[]) => Uint8Array.from(Buffer.concat(blocks));

const AEGIS_128L: Form = {
  rate: 32,
  begin: (key, nonce) => {
    const [sum, k0, k1] = [xor(key, nonce), xor(key, C0), xor(key, C1)];
    const mixing = Array.from({ length: 10 }, () => [nonce, key]).flat();
    return { state: [sum, C1, C0, C1, sum, k0, k1, k0], mixing };
  },
  stream: (s) => [xor(s[6]!, s[1]!, and(s[2]!, s[3]!)), xor(s[2]!, s[5]!, and(s[6]!, s[7]!))],
  inputs: [0, 4],
  lengthBlock: 2,
  tag: (s, tagBytes) =>
    tagBytes === 16 ? xor(...s.slice(0, 7)) : joined(xor(...s.slice(0, 4)), xor(...s.slice(4))),
};

const AEGIS_256: Form = {
  rate: 16,
  begin: (key, nonce) => {
    const [k0, k1, n0, n1] = [key, nonce].flatMap((x) => [x.slice(0, 16), x.slice(16)]) as Block[];
    const [s0, s1] = [xor(k0!, n0!), xor(k1!, n1!)];
    const mixing = Array.from({ length: 4 }, () => [k0!, k1!, s0, s1]).flat();
    return { state: [s0, s1, C1, C0, xor(k0!, C0), xor(k1!, C1)], mixing };
  },
  stream: (s) => [xor(s[1]!, s[4]!, s[5]!, and(s[2]!, s[3]!))],
  inputs: [0],
  lengthBlock: 3,
  tag: (s, tagBytes) =>
    tagBytes === 16 ? xor(...s) : joined(xor(...s.slice(0, 3)), xor(...s.slice(3))),
};

function update(form: Form, s: readonly Block[], message: readonly Block[]): Block[] {
  return s.map((block, i) => {
    const input = form.inputs.indexOf(i);
    const key = input < 0 ? block : xor(block, message[input]!);
    return aesRound(s[(i + s.length - 1) % s.length]!, key);
  });
}

/** Blocks of data and zeros up to a multiple of the rate, an update's together. */
function padded(form: Form, data: Uint8Array): Block[][] {
  const count = Math.ceil(data.length / form.rate);
  const all = new Uint8Array(count * form.rate);
  all.set(data);
  const block = (at: number) => all.slice(at, at + 16);
  return Array.from({ length: count }, (_, i) =>
    form.inputs.map((__, j) => block(i * form.rate + 16 * j)),
  );
}

/** @returns ciphertext ‖ tag */
export function aegisSeal(
  name: 'AEGIS-128L' | 'AEGIS-256',
  key: Uint8Array,
  nonce: Uint8Array,
  associatedData: Uint8Array,
  plaintext: Uint8Array,
  tagBytes: number,
): Uint8Array {
  const form = name === 'AEGIS-128L' ? AEGIS_128L : AEGIS_256;
  const { state, mixing } = form.begin(key, nonce);
  let s = state;
  const absorb = (data: Uint8Array) => {
    for (const blocks of padded(form, data)) s = update(form, s, blocks);
  };
  absorb(joined(...mixing));
  absorb(associatedData);
  const sealed: Block[] = [];
  for (const blocks of padded(form, plaintext)) {
    sealed.push(...form.stream(s).map((stream, i) => xor(stream, blocks[i]!)));
    s = update(form, s, blocks);
  }
  const lengths = new DataView(new ArrayBuffer(16));
  lengths.setBigUint64(0, 8n * BigInt(associatedData.length), true);
  lengths.setBigUint64(8, 8n * BigInt(plaintext.length), true);
  const t = xor(s[form.lengthBlock]!, new Uint8Array(lengths.buffer));
  for (let i = 0; i < 7; i++) s = update(form, s, [t, t]);
  return joined(joined(...sealed).slice(0, plaintext.length), form.tag(s, tagBytes));
}
