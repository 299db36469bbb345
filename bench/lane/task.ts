import type { RowKey } from '../row.ts';

export const OURS = 'sealwright';
export const WEBCRYPTO = 'crypto.subtle in the page';
export const WEBCRYPTO_CHUNKS = 'crypto.subtle in the page, 1 MiB chunks';
/** The same chunks one after the other through a TransformStream; only its memory is measured. */
export const WEBCRYPTO_STREAM = 'a stream over crypto.subtle in the page';
/** A stream that is sealed and opened at once; only its memory is measured. */
export const OURS_BOTH = 'sealwright, sealed and opened';
export const ECHO = 'echo over the ports';
/** What a call costs before its bytes: the same way with as good as none. */
export const ECHO_OF_16 = 'echo of 16 bytes over the ports';
/** The chunks that a message of this length has, as many at once as the content script has. */
export const WEBCRYPTO_SAME = 'crypto.subtle in the page, the same chunks';
export const JSON_BASE64 = 'JSON + base64 by sendMessage';

export type Operation = 'seal' | 'open' | 'sealStream' | 'openStream';
export interface LaneTask {
  readonly operation: Operation;
  readonly bytes: number;
  /** Bytes of the associated data of each message; 0: none, as if absent. */
  readonly contextBytes: number;
  readonly names: readonly string[];
}

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Of notes, photos and documents. A call of these costs the way there and back, and the cipher. */
export const MIDDLE_SIZES: readonly number[] = [
  ...[4, 16, 64, 256].map((size) => size * KIB),
  ...[MIB, 4 * MIB, 16 * MIB],
];
const CONTEXT_BYTES = 16;

/** Messages cross the ports whole here, and Chromium's end at 64 MiB. */
const ECHO_BYTES_MAX = 32 * MIB;

const whole = (operation: 'seal' | 'open', bytes: number, contextBytes = 0): LaneTask => ({
  operation,
  bytes,
  contextBytes,
  names: [
    OURS,
    WEBCRYPTO,
    ...(MIDDLE_SIZES.includes(bytes) ? [WEBCRYPTO_SAME, ECHO_OF_16] : []),
    ...(bytes <= ECHO_BYTES_MAX && contextBytes === 0 ? [ECHO] : []),
    ...(bytes <= 16 * MIB && operation === 'seal' && contextBytes === 0 ? [JSON_BASE64] : []),
  ],
});
const stream = (operation: 'sealStream' | 'openStream', bytes: number): LaneTask => ({
  operation,
  bytes,
  contextBytes: 0,
  names: [OURS, WEBCRYPTO_CHUNKS],
});

const SIZES = [16, KIB, 32 * KIB, ...MIDDLE_SIZES, 64 * MIB].toSorted((a, b) => a - b);
const wholes = (operation: 'seal' | 'open'): LaneTask[] => [
  ...SIZES.map((bytes) => whole(operation, bytes)),
  ...[KIB, 64 * KIB, MIB].map((bytes) => whole(operation, bytes, CONTEXT_BYTES)),
];
export const TASKS: readonly LaneTask[] = [
  ...wholes('seal'),
  ...wholes('open'),
  ...[64 * MIB, 256 * MIB, GIB].map((bytes) => stream('sealStream', bytes)),
  ...[64 * MIB, 256 * MIB, GIB].map((bytes) => stream('openStream', bytes)),
];

export const laneRow = (operation: Operation, bytes: number, contextBytes = 0): RowKey => ({
  algorithm:
    contextBytes === 0 ? operation : `${operation} with a context of ${contextBytes} bytes`,
  size: bytes,
  unit: 'B',
});
