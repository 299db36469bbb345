/**
 * OCB2 over AES (P. Rogaway, "Efficient Instantiations of Tweakable Blockciphers and Refinements to Modes OCB
 * and PMAC", 2004), to read messages of SJCL. It cannot encrypt.
 *
 * BROKEN since 2018 (Inoue and Minematsu, eprint 2018/1040; Poettering, 2018/1087; Iwata, 2018/1090): with
 * one ciphertext an attacker can forge others that verify, and decrypt. A valid tag only shows that the
 * message is not damaged. The plaintext is NOT authenticated.
 */
import { Aes } from '../aes/block.ts';
import { copyOf, equal, wipe, xorInto } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';
import { AuthenticationError, checkBytes } from '../errors.ts';
import { double } from '../gf128.ts';
import { store32be } from '../words.ts';

/** Parameters of `ocb2Open`. */
export interface Ocb2Params {
  /** 16, 24 or 32 bytes */
  readonly key: Uint8Array;
  /** 16 bytes */
  readonly iv: Uint8Array;
  /** Any length; absent and empty are the same */
  readonly associatedData?: Uint8Array;
  /** In bits, 64, 96 or 128, as in SJCL; not chosen by the message */
  readonly tagLength: number;
}

/**
 * @param bytes ciphertext ‖ tag
 * @returns the plaintext, which is NOT authenticated
 * @throws AuthenticationError if the tag does not verify
 */
export function ocb2Open(params: Ocb2Params, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { key, iv, associatedData = new Uint8Array(0), tagLength } = params;
  checkBytes('key', key, [16, 24, 32]);
  checkBytes('iv', iv, 16);
  checkBytes('associatedData', associatedData);
  checkBytes('bytes', bytes);
  if (![64, 96, 128].includes(tagLength)) {
    throw new RangeError(`tagLength must be 64, 96 or 128, got ${tagLength}`);
  }
  const length = bytes.length - tagLength / 8;
  if (length < 0) throw new AuthenticationError();
  const cipher = new Aes(key);
  const { plaintext, tag } = decrypt(cipher, iv, bytes.subarray(0, length));
  if (associatedData.length > 0) xorInto(tag, pmac(cipher, associatedData));
  cipher.wipe();
  if (!equal(tag.subarray(0, tagLength / 8), bytes.subarray(length))) {
    wipe(plaintext);
    throw new AuthenticationError();
  }
  return plaintext;
}

/** The decryption of section 8, and the tag that the message should have. */
function decrypt(
  cipher: BlockCipher,
  iv: Uint8Array,
  ciphertext: Uint8Array,
): { plaintext: Uint8Array<ArrayBuffer>; tag: Uint8Array } {
  const plaintext = copyOf(ciphertext);
  const checksum = new Uint8Array(16);
  // Δ = 2 · E(N)
  let offset = double(encrypted(cipher, iv));
  // Every block but the last: P = Δ ⊕ D(C ⊕ Δ), then Δ = 2Δ. The last may be empty.
  let at = 0;
  for (; at + 16 < plaintext.length; at += 16) {
    const block = plaintext.subarray(at, at + 16);
    xorInto(block, offset);
    cipher.decryptBlocks(block, block);
    xorInto(block, offset);
    xorInto(checksum, block);
    offset = double(offset);
  }
  // The last block: Pad = E(len ⊕ Δ), P = C ⊕ Pad; the checksum includes C 0* ⊕ Pad
  const last = plaintext.subarray(at);
  const pad = new Uint8Array(16);
  store32be(pad, 12, 8 * last.length);
  xorInto(pad, offset);
  cipher.encryptBlocks(pad, pad);
  const padded = copyOf(pad);
  xorInto(padded, last);
  xorInto(checksum, padded);
  xorInto(last, pad.subarray(0, last.length));
  // T = E(Checksum ⊕ 3Δ)
  xorInto(checksum, tripled(offset));
  return { plaintext, tag: encrypted(cipher, checksum) };
}

/** PMAC of the same paper (section 9), which authenticates the associated data; not empty. */
function pmac(cipher: BlockCipher, data: Uint8Array): Uint8Array {
  const sum = new Uint8Array(16);
  // Δ = 3² · E(0)
  let offset = tripled(tripled(encrypted(cipher, new Uint8Array(16))));
  let at = 0;
  for (; at + 16 < data.length; at += 16) {
    offset = double(offset);
    const block = copyOf(offset);
    xorInto(block, data.subarray(at, at + 16));
    xorInto(sum, encrypted(cipher, block));
  }
  // The last block: 3 · 2Δ if it is full, else 3² · 2Δ and the padding 10*
  offset = tripled(double(offset));
  xorInto(sum, data.subarray(at));
  const lastBytes = data.length - at;
  if (lastBytes < 16) {
    sum[lastBytes] ^= 0x80;
    offset = tripled(offset);
  }
  xorInto(sum, offset);
  return encrypted(cipher, sum);
}

/** 3 · block = 2 · block ⊕ block */
function tripled(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const product = double(block);
  xorInto(product, block);
  return product;
}

function encrypted(cipher: BlockCipher, block: Uint8Array): Uint8Array {
  const result = new Uint8Array(16);
  cipher.encryptBlocks(block, result);
  return result;
}
