import { PACKETS } from '../../lab/tasks.ts';
import type { RowKey } from '../row.ts';

/** Figure 3's nine packets, and on. */
export const CARD_SIZES = [...PACKETS, 1 << 24, 1 << 26] as const;

/** The contender of its time. */
export const YANG = 'the design of 2013, WebGL 1';

export const cardRow = (size: number): RowKey => ({
  algorithm: 'AES-128-ECB on a card',
  size,
  unit: 'B',
});

/** A rasterizer in software has a name of its own: no figure of a card is read from it. */
export const nameOnCard = (name: string, isSoftware: boolean): string =>
  isSoftware ? `${name}, in software` : name;
