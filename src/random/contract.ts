/** Where random bytes come from, as the rest of the house sees it. */
export interface RandomSource {
  /**
   * @param lengthBytes 0 or more
   * @returns lengthBytes bytes that nobody can predict
   * @throws if that cannot be promised; never returns less, or weaker, bytes instead
   */
  bytes(lengthBytes: number): Uint8Array<ArrayBuffer>;
}

/** Random bytes were asked for before anything unpredictable had come in. */
export class NotSeededError extends Error {
  override readonly name = 'NotSeededError';
  readonly code = 'NOT_SEEDED';

  constructor() {
    super('No healthy source of randomness has seeded the generator');
  }
}
