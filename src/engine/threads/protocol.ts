/** What the caller's thread and the workers of a pool say to each other. Lengths and positions are in bytes. */
import type { Argon2Matrix } from '../../crypto/kdf/argon2.ts';

/** What workers do to one message. Keys are wiped on both sides when the message has ended. */
export type Task =
  | {
      readonly kind: 'ctr';
      readonly key: Uint8Array;
      readonly counter: Uint8Array;
      readonly counterBits: number;
    }
  | {
      readonly kind: 'gcm' | 'chacha20-poly1305';
      readonly key: Uint8Array;
      readonly nonce: Uint8Array;
      readonly encrypts: boolean;
    }
  | {
      readonly kind: 'ocb';
      readonly key: Uint8Array;
      readonly nonce: Uint8Array;
      readonly tagBytes: number;
      readonly encrypts: boolean;
    }
  | { readonly kind: 'blake3' }
  | {
      readonly kind: 'argon2';
      /** Shared by all threads. */
      readonly memory: WebAssembly.Memory;
      readonly matrix: Argon2Matrix;
      readonly pass: number;
      readonly slice: number;
    };

/** The modules of a worker, by the names that `LoadWasm` takes. */
export type ModuleBytes = Readonly<Record<string, BufferSource>>;

/** To a worker. A call is one message of the caller; its slices may go to any worker. */
export type Order =
  | { readonly type: 'start'; readonly modules: ModuleBytes; readonly variant: string }
  | { readonly type: 'begin'; readonly call: number; readonly task: Task }
  | ({ readonly type: 'slice'; readonly call: number } & Slice)
  | { readonly type: 'end'; readonly call: number };

/** One slice: `length` bytes from the start of the buffer, which is transferred. */
export interface Slice {
  readonly index: number;
  /** Its position in the message. */
  readonly from: number;
  readonly length: number;
  readonly buffer: ArrayBuffer;
}

/** From a worker. */
export type Answer =
  | { readonly type: 'ready' }
  | {
      readonly type: 'done';
      readonly call: number;
      readonly index: number;
      readonly buffer: ArrayBuffer;
      /** What the caller combines: a hash or a sum of the slice. */
      readonly part: Uint8Array;
    }
  | { readonly type: 'failed'; readonly reason: string };

/** A worker as its pool sees it, in browsers and in Node. */
export interface PoolWorker {
  post(order: Order, transfer: readonly ArrayBuffer[]): void;
  /** Called for every answer. */
  onAnswer(listener: (answer: Answer) => void): void;
  /** Called where the script does not load or fails. */
  onError(listener: (reason: string) => void): void;
  /** Whether it keeps a process alive that has nothing else to do. Begins as true. */
  keepAlive(alive: boolean): void;
  /** Ends it at once and frees its memory. */
  end(): void;
}

/** The other end, in the worker. */
export interface PoolPort {
  post(answer: Answer, transfer: readonly ArrayBuffer[]): void;
  onOrder(listener: (order: Order) => void): void;
}
