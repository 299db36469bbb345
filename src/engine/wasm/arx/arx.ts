/**
 * The module of ChaCha20, Salsa20 and Poly1305 with its stream ciphers: the functions of src/crypto with the
 * same names, arguments, errors and results.
 *
 * Keys are kept outside the module: each call copies its own key to the module's memory and leaves nothing
 * there that depends on it.
 */
import { checkBytes, checkInteger, targetOf } from '../../../crypto/errors.ts';
import { wipe } from '../../../crypto/bytes.ts';
import { checkChachaBlocks, CONSTANTS } from '../../../crypto/stream/chacha20.ts';
import { checkSalsaCounter, checkSalsaRounds, salsaState } from '../../../crypto/stream/salsa20.ts';
import type { SalsaOptions } from '../../../crypto/stream/salsa20.ts';
import { clear, copyIn, copyOut } from '../memory.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  GROUP_BYTES,
  SECRETS,
  STATE,
  STATE_COUNTER,
} from '../generator/arx/layout.ts';
import type { Variant } from '../generator/dsl/lookup.ts';
import { loadModule } from '../loader.ts';
import type { LoadWasm, WasmModule } from '../loader.ts';

/** Exports of the module; see src/engine/wasm/generator/arx/chacha.ts and the other files there. */
export interface ArxFunctions {
  chacha(offset: number, groups: number): void;
  hchacha(): void;
  salsa(offset: number, groups: number, doubleRounds: number): void;
  macStart(): void;
  mac(offset: number, blocks: number, end: 0 | 1): void;
  macEnd(): void;
  aeadStart(): void;
  absorb(bytes: number): void;
  sealFirst(bytes: number): void;
  seal(offset: number, bytes: number): void;
  openFirst(bytes: number): void;
  open(offset: number, bytes: number): void;
  aeadEnd(): void;
  wipe(offset: number, length: number): void;
}

/** One instance of the ARX module: its memory and its exported functions. */
export class ArxModule {
  readonly functions: ArxFunctions;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  private readonly module: WasmModule<ArxFunctions>;

  private constructor(module: WasmModule<ArxFunctions>) {
    this.module = module;
    this.functions = module.functions;
    this.bytes = module.bytes;
    this.view = new DataView(module.bytes.buffer);
  }

  /** @param variant for tests; default: the best one that the platform supports */
  static async load(loadWasm: LoadWasm, variant?: Variant): Promise<ArxModule> {
    return new ArxModule(await loadModule<ArxFunctions>(loadWasm, 'arx', variant));
  }

  /** As `chacha20` of src/crypto/stream/chacha20.ts. */
  chacha20(
    key: Uint8Array,
    nonce: Uint8Array,
    counter: number,
    source: Uint8Array,
    target?: Uint8Array,
  ): Uint8Array {
    checkBytes('nonce', nonce, 12);
    const result = checkChacha(key, counter, source, target);
    this.setChacha(key, counter, nonce);
    return this.chacha(source, result);
  }

  /** As `xchacha20` of src/crypto/stream/xchacha20.ts. */
  xchacha20(
    key: Uint8Array,
    nonce: Uint8Array,
    counter: number,
    source: Uint8Array,
    target?: Uint8Array,
  ): Uint8Array {
    checkBytes('nonce', nonce, 24);
    const result = checkChacha(key, counter, source, target);
    this.setChacha(key, 0, nonce);
    this.extendNonce(nonce);
    this.view.setUint32(STATE_COUNTER, counter, true);
    return this.chacha(source, result);
  }

  /** As `salsa20` of src/crypto/stream/salsa20.ts. */
  salsa20(
    key: Uint8Array,
    nonce: Uint8Array,
    source: Uint8Array,
    options: SalsaOptions = {},
    target?: Uint8Array,
  ): Uint8Array {
    checkBytes('key', key, [16, 32]);
    checkBytes('nonce', nonce, 8);
    checkBytes('source', source);
    const result = targetOf(target, source.length);
    const rounds = checkSalsaRounds(options.rounds ?? 20);
    this.setState(salsaState(key, nonce, checkSalsaCounter(options.counter ?? 0, source.length)));
    return this.stream(source, result, (groups) =>
      this.functions.salsa(BUFFER, groups, rounds / 2),
    );
  }

  /**
   * XChaCha20 (draft-irtf-cfrg-xchacha-03, section 2.3): replaces STATE's key by its subkey for a nonce, and
   * sets the rest of the nonce and the counter 0.
   *
   * @param nonce 24 bytes
   */
  extendNonce(nonce: Uint8Array): void {
    const { bytes } = this;
    copyIn(bytes, STATE_COUNTER, nonce, 0, 16);
    this.functions.hchacha();
    clear(bytes, STATE_COUNTER, 8);
    copyIn(bytes, STATE_COUNTER + 8, nonce, 16, 8);
  }

  /** Wipes all bytes that depend on keys or data. */
  forget(): void {
    this.module.wipe(SECRETS);
  }

  private chacha(source: Uint8Array, target: Uint8Array): Uint8Array {
    return this.stream(source, target, (groups) => this.functions.chacha(BUFFER, groups));
  }

  /** Processes source to target through BUFFER; `add` XORs the key stream from STATE on. */
  private stream(
    source: Uint8Array,
    target: Uint8Array,
    add: (groups: number) => void,
  ): Uint8Array {
    const { bytes, functions } = this;
    for (let done = 0; done < source.length; done += BUFFER_BYTES) {
      const part = Math.min(source.length - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, source, done, part);
      add(Math.ceil(part / GROUP_BYTES));
      copyOut(bytes, BUFFER, target, done, part);
    }
    // One call: what is between the state and the buffer has zeros.
    functions.wipe(STATE, BUFFER - STATE + Math.min(source.length, BUFFER_BYTES) + GROUP_BYTES);
    return target;
  }

  /** The state of RFC 8439, section 2.3. @param nonce the first 12 of its bytes are taken */
  private setChacha(key: Uint8Array, counter: number, nonce: Uint8Array): void {
    const { bytes, view } = this;
    for (let i = 0; i < 4; i++) view.setInt32(STATE + 4 * i, CONSTANTS[i]!, true);
    copyIn(bytes, STATE + 16, key, 0, 32);
    view.setUint32(STATE_COUNTER, counter, true);
    copyIn(bytes, STATE_COUNTER + 4, nonce, 0, 12);
  }

  /** @param words 16, wiped */
  private setState(words: Int32Array): void {
    for (let i = 0; i < 16; i++) this.view.setInt32(STATE + 4 * i, words[i]!, true);
    wipe(words);
  }
}

/** @returns `target`, or a new array */
function checkChacha(
  key: Uint8Array,
  counter: number,
  source: Uint8Array,
  target: Uint8Array | undefined,
): Uint8Array {
  checkBytes('key', key, 32);
  checkInteger('counter', counter, 0, 0xffff_ffff);
  checkBytes('source', source);
  const result = targetOf(target, source.length);
  checkChachaBlocks(counter, source.length);
  return result;
}
