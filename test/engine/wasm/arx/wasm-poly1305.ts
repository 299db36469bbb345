/** Poly1305 (RFC 8439, section 2.5) in the module, streaming. Its state is kept here between calls. */
import { wipe } from '../../../../src/crypto/bytes.ts';
import type { Mac } from '../../../../src/crypto/contracts.ts';
import { checkBytes } from '../../../../src/crypto/errors.ts';
import { clear, copyIn, copyOut } from '../../../../src/engine/wasm/memory.ts';
import type { ArxModule } from '../../../../src/engine/wasm/arx/arx.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  HEAD,
  MAC,
  MAC_BYTES,
  TAG,
} from '../../../../src/engine/wasm/generator/arx/layout.ts';

/** Poly1305 (RFC 8439) in the ARX module. The key must be used for one message only. */
export class WasmPoly1305 implements Mac {
  readonly tagBytes = 16;
  private readonly module: ArxModule;
  /** The module's state for this MAC. */
  private readonly context = new Uint8Array(MAC_BYTES);
  private readonly pending = new Uint8Array(16);
  private pendingBytes = 0;
  private ended = false;

  /** @param key r ‖ s: 32 bytes, for one message only; not kept */
  constructor(module: ArxModule, key: Uint8Array) {
    checkBytes('key', key, 32);
    this.module = module;
    copyIn(module.bytes, HEAD, key, 0, 32);
    module.functions.macStart();
    clear(module.bytes, HEAD, 32);
    this.leave();
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    if (this.ended) throw new Error('Poly1305 has ended');
    let taken = 0;
    if (this.pendingBytes > 0) {
      taken = this.fill(data, 0);
      if (this.pendingBytes < 16) return this;
    }
    const end = data.length - ((data.length - taken) % 16);
    if (this.pendingBytes === 16 || end > taken) this.blocks(data, taken, end);
    this.fill(data, end);
    return this;
  }

  digest(): Uint8Array<ArrayBuffer> {
    if (this.ended) throw new Error('Poly1305 has ended');
    const { bytes, functions } = this.module;
    this.enter();
    if (this.pendingBytes > 0) {
      // The byte 1 after the message ends the last block; zeros fill it.
      clear(bytes, BUFFER, 16);
      copyIn(bytes, BUFFER, this.pending, 0, this.pendingBytes);
      if (this.pendingBytes < 16) bytes[BUFFER + this.pendingBytes] = 1;
      functions.mac(BUFFER, 1, this.pendingBytes < 16 ? 0 : 1);
    }
    functions.macEnd();
    const tag = new Uint8Array(16);
    copyOut(bytes, TAG, tag, 0, 16);
    clear(bytes, TAG, 16);
    clear(bytes, BUFFER, 16);
    clear(bytes, MAC, MAC_BYTES);
    this.wipe();
    return tag;
  }

  wipe(): void {
    wipe(this.context, this.pending);
    this.pendingBytes = 0;
    this.ended = true;
  }

  /** Fills the pending block. @returns the number of bytes taken */
  private fill(data: Uint8Array, from: number): number {
    const part = data.subarray(from, from + 16 - this.pendingBytes);
    this.pending.set(part, this.pendingBytes);
    this.pendingBytes += part.length;
    return part.length;
  }

  /** The pending block, if it is full, and whole blocks of `data`. */
  private blocks(data: Uint8Array, start: number, end: number): void {
    const { bytes, functions } = this.module;
    this.enter();
    if (this.pendingBytes === 16) {
      copyIn(bytes, BUFFER, this.pending, 0, 16);
      functions.mac(BUFFER, 1, 1);
      this.pendingBytes = 0;
    }
    for (let done = start; done < end; done += BUFFER_BYTES) {
      const part = Math.min(end - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, data, done, part);
      functions.mac(BUFFER, part >> 4, 1);
    }
    clear(bytes, BUFFER, Math.min(Math.max(end - start, 16), BUFFER_BYTES));
    this.leave();
  }

  private enter(): void {
    copyIn(this.module.bytes, MAC, this.context, 0, MAC_BYTES);
  }

  private leave(): void {
    copyOut(this.module.bytes, MAC, this.context, 0, MAC_BYTES);
    clear(this.module.bytes, MAC, MAC_BYTES);
  }
}
