/** One thing to be done by every contender: encrypt these bytes so. */
export interface Task {
  readonly algorithm:
    'AES-ECB' | 'AES-CTR' | 'AES-CBC' | 'AES-GCM' | 'AES-CCM' | 'AES-OCB' | 'key schedule';
  /** 16 or 32 bytes. */
  readonly key: Uint8Array;
  /** 16 bytes for CTR (the first counter block) and CBC (the IV), 12 for the AEADs. */
  readonly nonce: Uint8Array;
  readonly plaintext: Uint8Array;
}

/**
 * A task in the form that the contender likes best: whatever the library lets one prepare (key
 * schedules, its own kind of array) is prepared before the clock starts.
 */
export interface Prepared {
  /** What is timed. */
  readonly run: () => unknown;
  /** The bytes of what `run` gave: ciphertext, followed by the tag where there is one. */
  readonly bytes: (result: unknown) => Uint8Array;
}

export interface Contender {
  readonly name: string;
  readonly version: string;
  readonly kind: 'ours' | 'pure js' | 'asm.js' | 'native';
  /** Undefined where the library lacks the algorithm. */
  prepare(task: Task): Prepared | undefined | Promise<Prepared | undefined>;
}

/** The tag length of every AEAD task. */
export const TAG_BYTES = 16;
