import { fromBase64url, fromHex } from '../../../src/crypto/bytes.ts';
import { createDsa } from '../../../src/crypto/classical/dsa.ts';
import { createRsa } from '../../../src/crypto/classical/rsa.ts';
import type { RsaPrivateKey } from '../../../src/crypto/classical/rsa.ts';
import type { OddPower } from '../../../src/crypto/bigint/odd-power.ts';
import { loadMontgomery } from '../../../src/engine/wasm/montgomery/montgomery.ts';
import rfc6979 from '../../../test/vectors/rfc6979-dsa.json' with { type: 'json' };
import { fillRandomly } from '../classes.ts';
import type { Primitive, WasmEngine } from '../primitive.ts';
import { somethingOf } from './aead.ts';

type Part = 'base' | 'exponent' | 'modulus';

/** x^e modulo n, all equally long, of which one part is secret: zeros against numbers of full weight. */
function power(bits: number, secret: Part): Primitive {
  const bytes = bits / 8;
  return {
    name: `power, ${bits.toLocaleString('en')} bits, ${secret}`,
    family: 'integer',
    secretBytes: bytes,
    expected: 'constant',
    setUp: async (engine) => {
      const raise = await load(engine);
      const [base, exponent, modulus] = [somethingOf(bytes), somethingOf(bytes), odd(bytes)];
      const calls: Record<Part, (input: Uint8Array) => Uint8Array> = {
        base: (input) => raise(input, exponent, modulus),
        exponent: (input) => raise(base, input, modulus),
        modulus: (input) => raise(base, exponent, input),
      };
      // A modulus, such as a secret prime, is odd and has its highest bit set.
      const prepare = secret === 'modulus' ? makeModulus : undefined;
      return { ...(prepare && { prepare }), call: calls[secret] };
    },
  };
}

function load({ loadWasm, variant }: WasmEngine): Promise<OddPower> {
  return loadMontgomery(loadWasm, variant);
}

function odd(bytes: number): Uint8Array {
  return makeModulus(somethingOf(bytes));
}

function makeModulus(bytes: Uint8Array): Uint8Array {
  bytes[0]! |= 0x80;
  bytes[bytes.length - 1]! |= 1;
  return bytes;
}

const randomBytes = (length: number): Uint8Array => fillRandomly(new Uint8Array(length));

/** Ciphertexts that an attacker chose against others: blinding is to make them all alike. */
const RSA: Primitive = {
  name: 'RSA-1,024 private operation, ciphertext',
  family: 'integer',
  secretBytes: 128,
  expected: 'constant',
  setUp: async (engine) => {
    const rsa = createRsa(await load(engine), randomBytes);
    const { privateKey } = await crypto.subtle.generateKey(
      {
        name: 'RSA-OAEP',
        hash: 'SHA-256',
        modulusLength: 1024,
        publicExponent: Uint8Array.of(1, 0, 1),
      },
      true,
      ['encrypt', 'decrypt'],
    );
    const jwk = await crypto.subtle.exportKey('jwk', privateKey);
    const names = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const;
    const members = names.map((name) => [name, fromBase64url(jwk[name]!)]);
    const key = Object.fromEntries(members) as unknown as RsaPrivateKey;
    return {
      // Below n, and as long as n is.
      prepare: (c) => {
        c[0] = 0x01;
      },
      call: (c) => rsa.privateOperation(key, c),
    };
  },
};

/** Messages are public; the nonces and signatures that they lead to differ in both classes. */
const DSA: Primitive = {
  name: 'DSA-1,024 signature, private key',
  family: 'integer',
  secretBytes: 20,
  publicBytes: 32,
  expected: 'constant',
  setUp: async (engine) => {
    const dsa = createDsa(await load(engine));
    const { p, q, g } = rfc6979.keys[0]!;
    const group = { p: fromHex(p), q: fromHex(q), g: fromHex(g), hash: 'SHA-256' } as const;
    return {
      // 1 … q - 1, q being above 2^159
      prepare: (input) => {
        input[0]! &= 0x7f;
        input[19]! |= 1;
      },
      call: (input) => dsa.sign({ ...group, x: input.subarray(0, 20) }, input.subarray(20)),
    };
  },
};

export const INTEGERS: readonly Primitive[] = [
  power(512, 'exponent'),
  power(512, 'base'),
  power(512, 'modulus'),
  power(1024, 'exponent'),
  power(2048, 'exponent'),
  RSA,
  DSA,
];
