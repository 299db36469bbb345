/** An engine did something else than the others, or than the contract says. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  /** Which of the engines that were given. */
  readonly engine: number;

  /** @param where all that is needed to see it again, beside the seed */
  constructor(engine: number, what: string, where: unknown) {
    super(`${what}: ${JSON.stringify(where, inHex)}`);
    this.engine = engine;
  }
}

const LONGEST_SHOWN = 64;

/** Bytes as hex; JSON has asked them for their own form before it asks this. */
function inHex(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const original = this[name];
  if (typeof original === 'bigint') return `${original}n`;
  if (!(original instanceof Uint8Array)) return value;
  const text = Buffer.from(original.subarray(0, LONGEST_SHOWN)).toString('hex');
  return original.length > LONGEST_SHOWN ? `${text}… (${original.length} bytes)` : text;
}
