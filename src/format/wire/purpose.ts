/* The purpose byte of the header (docs/format.md section 2): who may open a message. */
const PURPOSES = ['page', 'field', 'stream', 'vault', 'backup', 'sync'] as const;

/**
 * page: message of a page · field: form field · stream: stream or Blob of a page · vault: record of
 * the key store · backup · sync: record of a sync service. On the wire 1 … 6, in this order.
 */
export type Purpose = (typeof PURPOSES)[number];

/** @throws TypeError for anything that is no purpose */
export function purposeByte(purpose: Purpose): number {
  const index = PURPOSES.indexOf(purpose);
  if (index < 0) throw new TypeError(`purpose must be one of ${PURPOSES.join(', ')}`);
  return index + 1;
}

export function purposeOf(byte: number): Purpose | undefined {
  return PURPOSES[byte - 1];
}
