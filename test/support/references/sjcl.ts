/** SJCL as npm has it, typed as far as tests compare with it. */
import { createRequire } from 'node:module';

/** SJCL's arrays of bits: 32 to a number, the last one marked with its length. */
export type Bits = readonly number[];

interface Sjcl {
  readonly cipher: { readonly aes: new (key: Bits) => unknown };
  readonly mode: {
    readonly ocb2: {
      encrypt(cipher: unknown, text: Bits, iv: Bits, data: Bits, tagBits: number): Bits;
    };
  };
  readonly codec: Readonly<
    Record<'hex' | 'base64', { toBits(text: string): Bits; fromBits(bits: Bits): string }>
  >;
  encrypt(password: string, text: string, params?: Readonly<Record<string, unknown>>): string;
  decrypt(password: string, message: string): string;
}

export const sjcl = createRequire(import.meta.url)('sjcl') as Sjcl;

export const toBits = (bytes: Uint8Array): Bits =>
  sjcl.codec.hex.toBits(Buffer.from(bytes).toString('hex'));

export const toBytes = (bits: Bits): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(sjcl.codec.hex.fromBits(bits), 'hex'));
