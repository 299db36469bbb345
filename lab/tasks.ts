/** Names and sizes of what the Lab measures. They stand apart from the measurements, for pages that only show results. */

/** Of the messages of the work of 2009, which does not say its own. */
export const STARK_BYTES = 1 << 16;
/** Lipmaa's lengths: 8,000 blocks of 16 bytes (2008), and 1 KB (2001). */
export const LIPMAA_BYTES = 128_000;
/** The length of 2001. */
export const LIPMAA_SHORT_BYTES = 1024;
/** Figure 3's packets of the work of 2013: each four times the last. */
export const PACKETS = [16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576] as const;

/** The variants of Table V of the work of 2009. */
export type Unrolling = 'None' | 'Short' | 'Round';
/** The task of one of them. */
export const unrollingTask = (variant: Unrolling): string => `AES-128, unroll ${variant}`;
/** The variants of Table VI, and of CCM in the text. */
export type ModeUnrolling = Exclude<Unrolling, 'Round'>;
/** The task of one of them. */
export const modeUnrollingTask = (mode: 'OCB' | 'CCM', variant: ModeUnrolling): string =>
  `AES-128-${mode}, unroll ${variant}`;
/** The task that computes the tables of AES. */
export const TABLES_TASK = 'AES tables';

/**
 * The task whose amount is cycles of the processor: a chain of multiplications, each of which needs the last one's
 * result. Its rate is the clock at which the trial ran.
 */
export const CLOCK_TASK = 'clock';

/** The hashes of the work of 2014. */
export const TARR_HASHES = ['SHA-1', 'SHA-256'] as const;
/** The task of deriving a key. */
export const pbkdf2Task = (hash: (typeof TARR_HASHES)[number]): string => `PBKDF2-${hash}`;

/** A line of Pomcor's tables. */
export interface PowerSize {
  /** Tables 1 and 3: DSA and DH; tables 2 and 4: one of the two exponentiations of RSA by CRT. */
  readonly scheme: 'DSA and DH' | 'RSA by CRT';
  /** In bits, as the other two. */
  readonly strength: number;
  readonly modulus: number;
  readonly exponent: number;
}

/**
 * The eight sizes of four tables: each was measured in SJCL and in the library of the authors, on a laptop and on
 * a phone. The exponents of RSA are as long as the authors took them.
 */
export const POWER_SIZES: readonly PowerSize[] = [
  { scheme: 'DSA and DH', strength: 112, modulus: 2048, exponent: 224 },
  { scheme: 'DSA and DH', strength: 128, modulus: 3072, exponent: 256 },
  { scheme: 'DSA and DH', strength: 192, modulus: 7680, exponent: 384 },
  { scheme: 'DSA and DH', strength: 256, modulus: 15_360, exponent: 512 },
  { scheme: 'RSA by CRT', strength: 112, modulus: 1024, exponent: 2048 },
  { scheme: 'RSA by CRT', strength: 128, modulus: 1536, exponent: 3072 },
  { scheme: 'RSA by CRT', strength: 192, modulus: 3840, exponent: 7680 },
  { scheme: 'RSA by CRT', strength: 256, modulus: 7680, exponent: 15_360 },
];

/** The task of a line; its size is the modulus. */
export const powerTask = ({ scheme, strength }: Pick<PowerSize, 'scheme' | 'strength'>): string =>
  `${scheme}, ${strength}`;

/** What Pomcor counts exponentiations of: one, two, one and two. */
export type Operation =
  'DSA signature' | 'DSA verification' | 'DH shared secret' | 'RSA private operation';
/** The task of an operation in whole; its size is the strength in bits. */
export const operationTask = (operation: Operation, strength: number): string =>
  `${operation}, ${strength}`;

/** Lengths of the factors, in bits, at which Karatsuba's identity is compared with products by rows. */
export const PRODUCT_BITS = [1024, 2048, 3072, 3840, 6144, 7680, 11_520, 15_360, 30_720] as const;
/** What is computed, and how. */
export type ProductKind = 'product' | 'square';
/** By rows: each limb of one factor by all of the other. */
export type ProductMethod = 'rows' | 'Karatsuba';
/** The task of one of them; its size is the length of a factor in bits. */
export const productTask = (kind: ProductKind, method: ProductMethod): string =>
  `${kind} by ${method}`;

/** The task of a cipher's encryption of whole blocks. */
export const cipherTask = (name: string): string => `${name}-128-ECB`;
