/** One thing to be done by every contender: encrypt these bytes so. */
export interface AesTask {
  readonly algorithm: AesAlgorithm | 'key schedule';
  /** 16 or 32 bytes; for AES-SIV, which uses two keys, twice that. */
  readonly key: Uint8Array;
  /**
   * 16 bytes for CTR (the first counter block) and CBC (the IV), 11 for CCM (which leaves its count
   * of bytes four), 12 for the other AEADs.
   */
  readonly nonce: Uint8Array;
  readonly plaintext: Uint8Array;
}

export const AES_ALGORITHMS = [
  'AES-ECB',
  'AES-CTR',
  'AES-CBC',
  'AES-GCM',
  'AES-CCM',
  'AES-OCB',
  'AES-SIV',
  'AES-GCM-SIV',
  'AES-CMAC',
] as const;
export type AesAlgorithm = (typeof AES_ALGORITHMS)[number];

/** The tag length of every AEAD task. */
export const TAG_BYTES = 16;

/** Bytes of what a task gives. */
export function resultBytes({ algorithm, plaintext }: AesTask): number {
  switch (algorithm) {
    case 'AES-ECB':
    case 'AES-CTR':
    case 'AES-CBC':
      return plaintext.length;
    case 'AES-CMAC':
      return TAG_BYTES;
    case 'key schedule':
      return 0;
    default:
      return plaintext.length + TAG_BYTES;
  }
}
