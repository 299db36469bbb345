import type { Arguments } from './hostile-values.ts';

/**
 * Makes a stream for each list of arguments, writes the chunk to it if there is one, and says how
 * both of its sides ended: the code of their error, or "hung", or both if they differ. To be run in
 * the page, after installHostileValues.
 */
export async function streamOutcomesOf(
  method: string,
  calls: readonly Arguments[],
  chunks: readonly Arguments[] = [],
): Promise<string[]> {
  const WAIT_MS = 10_000;
  type Make = (...args: unknown[]) => TransformStream;
  const { revived, sealwright } = globalThis as unknown as {
    readonly revived: (value: unknown) => unknown;
    readonly sealwright: Record<string, Make>;
  };
  const ended = async (closed: Promise<unknown>): Promise<string> => {
    const hung = new Promise<string>((resolve) => setTimeout(() => resolve('hung'), WAIT_MS));
    const failed = (error: unknown) => (error as { code?: string }).code ?? String(error);
    return await Promise.race([closed.then(() => 'closed', failed), hung]);
  };
  const outcome = async (args: unknown[], written: unknown[]): Promise<string> => {
    const { readable, writable } = sealwright[method]!(...args);
    const [reader, writer] = [readable.getReader(), writable.getWriter()];
    const writing = written.map((chunk) => ended(writer.write(chunk)));
    const ends = await Promise.all([ended(writer.closed), ended(reader.closed), ...writing]);
    return [...new Set(ends)].join(' and ');
  };

  const outcomes: string[] = [];
  for (const [i, args] of calls.entries()) {
    let values: [unknown[], unknown[]];
    try {
      values = [args.map(revived), (chunks[i] ?? []).map(revived)];
    } catch {
      outcomes.push('not available');
      continue;
    }
    outcomes.push(await outcome(...values).catch((error: unknown) => `threw: ${String(error)}`));
  }
  return outcomes;
}
