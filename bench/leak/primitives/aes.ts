import { cbcDecrypt, cbcEncrypt } from '../../../src/crypto/mode/cbc.ts';
import { AesModule } from '../../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../../src/engine/wasm/aes/block-cipher.ts';
import { cbcEncryptMany } from '../../../src/engine/wasm/aes/cbc-many.ts';
import { WasmCcm } from '../../../src/engine/wasm/aes/ccm.ts';
import { WasmCmac, wasmSiv } from '../../../src/engine/wasm/aes/cmac.ts';
import { wasmCtr } from '../../../src/engine/wasm/aes/ctr.ts';
import { WasmGcm } from '../../../src/engine/wasm/aes/gcm.ts';
import { WasmGcmSiv } from '../../../src/engine/wasm/aes/gcm-siv.ts';
import { WasmOcb } from '../../../src/engine/wasm/aes/ocb.ts';
import type { Primitive, WasmEngine } from '../primitive.ts';
import { aeadPrimitives, somethingOf, tested } from './aead.ts';
import type { AeadFamily, TestedAead } from './aead.ts';

const KEY_BYTES = [16, 24, 32];
/** Few blocks go by vector permutation, many by bit slices; the last one is a part. */
const MESSAGE_BYTES = [61, 1037];

type WithKey = (key: WasmAesKey, data: Uint8Array, target: Uint8Array) => unknown;

/** Something done with a prepared key, whose data are secret. */
function withData(name: string, keyBytes: number, bytes: number, run: WithKey): Primitive {
  return {
    name: `AES-${8 * keyBytes}-${name}, ${bytes.toLocaleString('en')} B, data`,
    family: 'aes',
    secretBytes: bytes,
    expected: 'constant',
    setUp: async (engine) => {
      const key = new WasmAesKey(await load(engine), somethingOf(keyBytes));
      const target = new Uint8Array(bytes + 16);
      return { call: (data) => run(key, data, target) };
    },
  };
}

/** The same with the key secret: expansion, use and wiping. */
function withKey(name: string, keyBytes: number, run: WithKey): Primitive {
  return {
    name: `AES-${8 * keyBytes}-${name}, key`,
    family: 'aes',
    secretBytes: keyBytes,
    expected: 'constant',
    setUp: async (engine) => {
      const module = await load(engine);
      const [data, target] = [somethingOf(64), new Uint8Array(80)];
      return {
        call: (bytes) => {
          const key = new WasmAesKey(module, bytes);
          run(key, data, target);
          key.wipe();
        },
      };
    },
  };
}

function load({ loadWasm, variant }: WasmEngine): Promise<AesModule> {
  return AesModule.load(loadWasm, variant);
}

const IV = somethingOf(16);
const encrypt: WithKey = (key, data, target) => {
  key.encryptBlocks(data, target.subarray(0, data.length));
};
const decrypt: WithKey = (key, data, target) => {
  key.decryptBlocks(data, target.subarray(0, data.length));
};
const counted: WithKey = (key, data, target) => wasmCtr(key, IV, 128, data, target);
const chained: WithKey = (key, data, target) => cbcEncrypt(key, IV, data, target);

const authenticated: WithKey = (key, data) => new WasmCmac(key).tag(data);

const sixteen: WithKey = (key, data) => {
  const bytes = data.length / 16;
  const messages = Array.from({ length: 16 }, (_, i) => ({
    params: { iv: IV },
    data: data.subarray(bytes * i, bytes * (i + 1)),
  }));
  return cbcEncryptMany(key, messages);
};

const BLOCKS: readonly Primitive[] = KEY_BYTES.flatMap((bytes) => [
  withKey('block', bytes, encrypt),
  withData('encrypt', bytes, 16, encrypt),
  withData('encrypt', bytes, 1024, encrypt),
  withData('decrypt', bytes, 16, decrypt),
  withData('decrypt', bytes, 1024, decrypt),
]);

const MODES: readonly Primitive[] = [
  withKey('CTR', 16, counted),
  withKey('CBC', 16, chained),
  withKey('CMAC', 16, authenticated),
  withKey('CBC of 16 messages at once', 32, sixteen),
  withData('CBC encrypt of 16 messages at once', 32, 1600, sixteen),
  ...MESSAGE_BYTES.flatMap((bytes) => [
    withData('CTR', 16, bytes, counted),
    withData('CBC encrypt', 16, bytes, chained),
    withData('CMAC', 16, bytes, authenticated),
    cbcOpened(bytes),
  ]),
];

/** Plaintexts whose padding is right; whether it is shows by the error that it throws. */
function cbcOpened(bytes: number): Primitive {
  const sealedBytes = (bytes | 15) + 1;
  return {
    name: `AES-128-CBC decrypt, ${bytes.toLocaleString('en')} B, plaintext`,
    family: 'aes',
    secretBytes: bytes,
    publicBytes: sealedBytes - bytes,
    expected: 'constant',
    setUp: async (engine) => {
      const key = new WasmAesKey(await load(engine), somethingOf(16));
      const target = new Uint8Array(sealedBytes);
      return {
        prepare: (input) => {
          input.set(cbcEncrypt(key, IV, input.slice(0, bytes)));
        },
        call: (input) => cbcDecrypt(key, IV, input, target),
      };
    },
  };
}

type Construct = (module: AesModule, key: Uint8Array) => TestedAead;

function family(name: string, keyBytes: number, nonceBytes: number, of: Construct): AeadFamily {
  return {
    name: `AES-${name}`,
    family: 'aes',
    keyBytes,
    nonceBytes,
    load: async (engine) => {
      const module = await load(engine);
      return (key) => of(module, key);
    },
  };
}

const gcm: Construct = (module, key) => tested(new WasmGcm(new WasmAesKey(module, key)));
const siv: Construct = (module, bytes) => {
  const aead = wasmSiv(module, bytes);
  return {
    seal: (nonce, plaintext, into) => aead.seal(plaintext, [nonce], into),
    open: (nonce, sealed, into) => aead.open(sealed, [nonce], into),
    wipe: () => aead.wipe(),
  };
};

const FAMILIES: readonly AeadFamily[] = [
  family('128-GCM', 16, 12, gcm),
  // Counters that begin at a hash under the key are secret.
  family('128-GCM with nonces of 16 B', 16, 16, gcm),
  family('128-OCB', 16, 12, (module, key) => tested(new WasmOcb(new WasmAesKey(module, key)))),
  family('128-CCM', 16, 12, (module, key) => tested(new WasmCcm(new WasmAesKey(module, key)))),
  family('128-GCM-SIV', 16, 12, (module, key) => tested(new WasmGcmSiv(module, key))),
  { ...family('SIV-256', 32, 16, siv), tagFirst: true },
];

export const AES: readonly Primitive[] = [...BLOCKS, ...MODES, ...FAMILIES.flatMap(aeadPrimitives)];
