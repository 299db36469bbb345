import BN from 'bn.js';
import { init as initGmp } from 'gmp-wasm';
import { asBytes, type Contender } from '../contender.ts';
import { openssl } from '../peers/openssl.ts';
import { fromBits, sjcl, toBits, type SjclNumber } from '../peers/sjcl.ts';
import type { PowerNumbers } from '../../lab/runs/pomcor.ts';

export const sjclPower: Contender<PowerNumbers> = {
  name: 'sjcl',
  kind: 'pure js',
  prepare: ({ base, exponent, modulus }) => {
    const [g, x, n] = [base, exponent, modulus].map((one) => sjcl.bn.fromBits(toBits(one)));
    return {
      run: () => g!.montpowermod(x!, n!),
      bytes: (result) => fromBits((result as SjclNumber).toBits(8 * modulus.length)),
    };
  },
};

export const bnPower: Contender<PowerNumbers> = {
  name: 'bn.js',
  kind: 'pure js',
  prepare: ({ base, exponent, modulus }) => {
    const [g, x, n] = [base, exponent, modulus].map((one) => new BN([...one]));
    return {
      run: () => g!.toRed(BN.mont(n!)).redPow(x!).fromRed(),
      bytes: (result) => Uint8Array.from((result as BN).toArray('be', modulus.length)),
    };
  },
};

export const bigintPower: Contender<PowerNumbers> = {
  name: 'native BigInt',
  kind: 'pure js',
  prepare: ({ base, exponent, modulus }) => {
    const [g, n] = [toBigint(base), toBigint(modulus)];
    const bits = toBigint(exponent).toString(2);
    return {
      run: () => windowedPower(g, bits, n),
      bytes: (result) => fromBigint(result as bigint, modulus.length),
    };
  },
};

/** What one would write with BigInt today: windows of five bits, and the division built in. */
function windowedPower(base: bigint, bits: string, modulus: bigint): bigint {
  const WIDTH = 5;
  const table = [1n, base % modulus];
  while (table.length < 2 ** WIDTH) table.push((table.at(-1)! * table[1]!) % modulus);
  const padded = bits.padStart(Math.ceil(bits.length / WIDTH) * WIDTH, '0');
  let result = 1n;
  for (let at = 0; at < padded.length; at += WIDTH) {
    for (let bit = 0; bit < WIDTH; bit++) result = (result * result) % modulus;
    const factor = table[Number.parseInt(padded.slice(at, at + WIDTH), 2)]!;
    result = (result * factor) % modulus;
  }
  return result;
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const toBigint = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`);

function fromBigint(value: bigint, length: number): Uint8Array {
  const hex = value.toString(16).padStart(2 * length, '0');
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** GMP's mpz_powm, with its numbers made outside the timing. */
export const gmpPower: Contender<PowerNumbers> = {
  name: 'gmp-wasm',
  kind: 'wasm',
  prepare: async ({ base, exponent, modulus }) => {
    const { binding } = await initGmp();
    const number = (bytes: Uint8Array): number => {
      const at = binding.malloc(bytes.length);
      binding.mem.set(bytes, at);
      const value = binding.mpz_t();
      binding.mpz_init(value);
      binding.mpz_import(value, bytes.length, 1, 1, 1, 0, at);
      binding.free(at);
      return value;
    };
    const [g, x, n, result] = [number(base), number(exponent), number(modulus), number(base)];
    return {
      run: () => binding.mpz_powm(result, g, x, n),
      bytes: () => fromBigint(BigInt(`0x${binding.mpz_to_string(result, 16)}`), modulus.length),
    };
  },
};

/** Diffie-Hellman's shared secret is base^exponent modulo p, padded to p's length. */
export const opensslPower: Contender<PowerNumbers> = {
  name: 'OpenSSL',
  kind: 'native',
  prepare: ({ base, exponent, modulus }) => {
    // It refuses moduli of more than 10,000 bits.
    if (!openssl || 8 * modulus.length > 10_000) return undefined;
    const dh = openssl.createDiffieHellman(Buffer.from(modulus), 2);
    dh.setPrivateKey(Buffer.from(exponent));
    const secretBase = Buffer.from(base);
    return { run: () => dh.computeSecret(secretBase), bytes: asBytes };
  },
};
