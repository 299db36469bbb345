import { Readable } from 'node:stream';
import { run } from '../../src/cli/run.ts';

/** Standard input that is at its end. */
export const noInput = (): AsyncIterable<Uint8Array> => Readable.from([]);

/** What a run of the command gave. */
export interface Outcome {
  readonly code: number;
  readonly printed: Buffer;
  readonly complaint: string;
}

/** Runs the command in this process. */
export async function runIn(
  {
    isTerminal = false,
    input = [],
    list = '',
  }: {
    readonly isTerminal?: boolean;
    readonly input?: readonly Uint8Array[];
    readonly list?: string;
  },
  ...words: string[]
): Promise<Outcome> {
  const printed: Buffer[] = [];
  let complaint = '';
  const code = await run(words, {
    print: (content) => Promise.resolve(void printed.push(Buffer.from(content))),
    isTerminal,
    input: () => Readable.from(input),
    version: '1.2.3',
    ownList: () => Promise.resolve(list),
    complain: (text) => Promise.resolve(void (complaint += text)),
  });
  return { code, printed: Buffer.concat(printed), complaint };
}
