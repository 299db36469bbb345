import type { RowKey } from '../row.ts';

export const OURS = 'sealwright';
export const WEBCRYPTO = 'crypto.subtle in the page';
export const WEBCRYPTO_CHUNKS = 'crypto.subtle in the page, 1 MiB chunks';
/** The same chunks one after the other through a TransformStream; only its memory is measured. */
export const WEBCRYPTO_STREAM = 'a stream over crypto.subtle in the page';
export const ECHO = 'echo over the ports';
export const JSON_BASE64 = 'JSON + base64 by sendMessage';

export type Operation = 'seal' | 'open' | 'sealStream' | 'openStream';
export interface LaneTask {
  readonly operation: Operation;
  readonly bytes: number;
  readonly names: readonly string[];
}

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Messages cross the ports whole here, and Chromium's end at 64 MiB. */
const ECHO_BYTES_MAX = 32 * MIB;

const whole = (operation: 'seal' | 'open', bytes: number): LaneTask => ({
  operation,
  bytes,
  names: [
    OURS,
    WEBCRYPTO,
    ...(bytes <= ECHO_BYTES_MAX ? [ECHO] : []),
    ...(bytes <= 16 * MIB && operation === 'seal' ? [JSON_BASE64] : []),
  ],
});
const stream = (operation: 'sealStream' | 'openStream', bytes: number): LaneTask => ({
  operation,
  bytes,
  names: [OURS, WEBCRYPTO_CHUNKS],
});

const SIZES = [16, KIB, 16 * KIB, 32 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB];
export const TASKS: readonly LaneTask[] = [
  ...SIZES.map((bytes) => whole('seal', bytes)),
  ...SIZES.map((bytes) => whole('open', bytes)),
  ...[64 * MIB, 256 * MIB, GIB].map((bytes) => stream('sealStream', bytes)),
  ...[64 * MIB, 256 * MIB, GIB].map((bytes) => stream('openStream', bytes)),
];

export const laneRow = (operation: Operation, bytes: number): RowKey => ({
  algorithm: operation,
  size: bytes,
  unit: 'B',
});
