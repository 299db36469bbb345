/** Where Karatsuba's identity pays: products and squares of two lengths of work, in the limbs of our exponentiation. */
import { toBytes } from '../../src/crypto/bigint/integers.ts';
import { BLOCK, LIMB_BITS, limbsFromBytes, limbsToBytes } from '../../src/crypto/bigint/limbs.ts';
import { PRODUCT_BITS, productTask, type ProductKind, type ProductMethod } from '../tasks.ts';
import { multiply, multiplyByRows, square, squareByRows, workspaceLength } from './karatsuba.ts';
import { pattern, type Call, type MakeTrial } from './trial.ts';

type Run = (product: Float64Array) => void;

/** The four at one length. Each answer is compared with the product of the same numbers in BigInt. */
const products =
  (bits: number): MakeTrial =>
  () => {
    // Both halves are whole blocks of limbs, and the highest byte is 0: the top limb is not negative then.
    const count = Math.ceil(bits / LIMB_BITS / (2 * BLOCK)) * 2 * BLOCK;
    const lengthBytes = (count * LIMB_BITS) / 8 - 1;
    const bytes = [pattern(lengthBytes, 11), pattern(lengthBytes, 13)] as const;
    const [a, b] = bytes.map((each) => limbsFromBytes(each, count)) as [Float64Array, Float64Array];
    const workspace = new Float64Array(workspaceLength(count));
    const runs: Record<ProductKind, Record<ProductMethod, Run>> = {
      product: {
        rows: (product) => multiplyByRows(a, b, product, count),
        Karatsuba: (product) => multiply(a, b, product, count, workspace),
      },
      square: {
        rows: (product) => squareByRows(a, product, count),
        Karatsuba: (product) => square(a, product, count, workspace),
      },
    };
    const factors = { product: bytes, square: [bytes[0], bytes[0]] } as const;
    const trials = (Object.keys(runs) as ProductKind[]).map((kind) => {
      const witness = { name: 'BigInt', answer: productOf(...factors[kind]) };
      const calls = Object.entries(runs[kind]).map(([method, run]): Call => {
        const product = new Float64Array(2 * count + BLOCK);
        const answer = () => {
          const result = new Uint8Array(2 * lengthBytes);
          limbsToBytes(product, result);
          return result;
        };
        const task = productTask(kind, method as ProductMethod);
        return { task, engine: 'js' as const, amount: 1, run: () => run(product), answer };
      });
      return { calls, witnesses: calls.map(({ task }) => [task, witness] as const) };
    });
    return Promise.resolve({
      size: bits,
      calls: trials.flatMap(({ calls }) => calls),
      witnesses: Object.fromEntries(trials.flatMap(({ witnesses }) => witnesses)),
    });
  };

function productOf(a: Uint8Array, b: Uint8Array): Uint8Array {
  const value = (bytes: Uint8Array) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return toBytes(value(a) * value(b), a.length + b.length);
}

/** One trial for each length. */
export const PRODUCT_TRIALS: readonly MakeTrial[] = PRODUCT_BITS.map(products);
