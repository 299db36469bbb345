import { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { oursJs as aesJs } from '../aes/ours-js.ts';
import { oursWasm as aesWasm } from '../aes/ours-wasm.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf } from '../row.ts';
import { oursByBlock, oursJs, oursWasm, openpgp } from './contenders.ts';
import { AES_CTR, cipherRow, CIPHER_MODES, CIPHER_SIZES, CIPHERS, KEY } from './task.ts';

/* The six old block ciphers of `sealwright/classical`, which continue Lipmaa's library, and AES beside them. */
export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const all = [oursJs, oursByBlock, ...(await oursWasm(loadWasm)), openpgp];
  const aes = [aesJs, ...aesWasm(await AesModule.load(loadWasm))];
  const sizes = CIPHER_SIZES.filter((size) => size <= largest);
  return [
    ...CIPHERS.flatMap((cipher) =>
      CIPHER_MODES.flatMap((mode) =>
        sizes.map((size) =>
          rowOf(
            { ...cipherRow(cipher, mode, size), bytes: size },
            { cipher, mode, plaintext: pattern(size, 3) },
            all,
          ),
        ),
      ),
    ),
    ...sizes.map((size) =>
      rowOf(
        { algorithm: AES_CTR, size, unit: 'B', bytes: size },
        {
          algorithm: 'AES-CTR' as const,
          key: KEY,
          nonce: pattern(16, 5),
          plaintext: pattern(size, 3),
        },
        aes,
      ),
    ),
  ];
};
