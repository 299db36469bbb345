/** A source of cryptographically secure random bytes. */
export interface RandomSource {
  /**
   * @param lengthBytes 0 or more
   * @returns lengthBytes unpredictable bytes
   * @throws if the bytes could be predictable; never returns fewer or weaker bytes
   */
  bytes(lengthBytes: number): Uint8Array<ArrayBuffer>;
}

/** Random bytes were requested before a seed was available. */
export class NotSeededError extends Error {
  override readonly name = 'NotSeededError';
  readonly code = 'NOT_SEEDED';

  constructor() {
    super('No healthy source of randomness has seeded the generator');
  }
}
