import { HASH_NAMES } from '../../../src/crypto/algorithms.ts';
import type { HashName, ShaName } from '../../../src/crypto/contracts.ts';
import { Hmac } from '../../../src/crypto/mac/hmac.ts';
import { loadHashes } from '../../../src/engine/wasm/hash/hashes.ts';
import type { WasmHashes } from '../../../src/engine/wasm/hash/hashes.ts';
import { hmacSha256Many, sha256Many } from '../../../src/engine/wasm/hash/sha256-many.ts';
import { keyedStates } from '../../../src/engine/wasm/hash/keyed-states.ts';
import { pbkdf2 } from '../../../src/engine/wasm/hash/pbkdf2.ts';
import type { Primitive } from '../primitive.ts';
import { somethingOf } from './aead.ts';

type Run = (hashes: WasmHashes, input: Uint8Array) => unknown;

function primitive(name: string, secretBytes: number, run: Run): Primitive {
  return {
    name,
    family: 'hash',
    secretBytes,
    expected: 'constant',
    setUp: async ({ loadWasm, variant }) => {
      const hashes = await loadHashes(loadWasm, variant);
      return { call: (input) => run(hashes, input) };
    },
  };
}

/** One block with its padding, and several with a part. */
const MESSAGE_BYTES = [50, 1037];

function digest(name: HashName, bytes: number): Primitive {
  const target = new Uint8Array(64);
  return primitive(`${name}, ${bytes.toLocaleString('en')} B, message`, bytes, (hashes, message) =>
    hashes.algorithms[name].digest(message, target),
  );
}

const SALT = somethingOf(16);
/** As few iterations as pass through the loop inside the module. */
const ITERATIONS = 4;

function derive(name: ShaName, outputBytes: number): Primitive {
  return primitive(`PBKDF2, ${name}, ${outputBytes} B, password`, 24, ({ sha }, password) =>
    pbkdf2(sha, name, password, SALT, ITERATIONS, outputBytes),
  );
}

export const HASHES: readonly Primitive[] = [
  ...HASH_NAMES.flatMap((name) => MESSAGE_BYTES.map((bytes) => digest(name, bytes))),
  // Four chunks at once, and their tree.
  digest('BLAKE3', 5003),
  primitive('SHA-256 of four messages at once, 400 B', 400, ({ sha }, messages) =>
    sha256Many(
      sha,
      [0, 1, 2, 3].map((i) => messages.subarray(100 * i, 100 * i + 100)),
    ),
  ),
  primitive('BLAKE2b with a key, key and message', 64 + 50, ({ blake }, input) =>
    blake
      .createBlake2b({ key: input.subarray(0, 64) })
      .update(input.subarray(64))
      .digest(),
  ),
  ...(['SHA-1', 'SHA-256', 'SHA-512'] as const).map((name) =>
    primitive(`HMAC, ${name}, key and message`, 32 + 50, ({ algorithms }, input) => {
      const mac = new Hmac(algorithms[name], input.subarray(0, 32));
      const tag = mac.update(input.subarray(32)).digest();
      mac.wipe();
      return tag;
    }),
  ),
  primitive(
    'HMAC, SHA-256, four messages at once, key and messages',
    32 + 400,
    ({ sha }, input) => {
      const states = keyedStates(sha, sha.members['SHA-256'], input.subarray(0, 32));
      const messages = [0, 1, 2, 3].map((i) => input.subarray(32 + 100 * i, 132 + 100 * i));
      return hmacSha256Many(sha, states, messages);
    },
  ),
  derive('SHA-1', 20),
  derive('SHA-256', 32),
  // Three blocks of output and more are computed four at once.
  derive('SHA-256', 128),
  derive('SHA-512', 64),
];
