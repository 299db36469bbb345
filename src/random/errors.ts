/** Random bytes were asked for before anything unpredictable had come in. */
export class NotSeededError extends Error {
  override readonly name = 'NotSeededError';
  readonly code = 'NOT_SEEDED';

  constructor() {
    super('No healthy source of randomness has seeded the generator');
  }
}
