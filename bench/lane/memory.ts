import { readdirSync, readFileSync } from 'node:fs';

/*
 * The memory of a browser, all its processes together, as Linux counts it. Pages that processes
 * share count once for each, before and after alike, so that differences tell what was added.
 */
const PAGE_BYTES = 4096;
const EVERY_MS = 100;

/** Runs `work` and says how much more memory there was at its worst than before. */
export async function peakExtraBytes(work: () => Promise<unknown>): Promise<number> {
  const before = descendantsBytes();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, descendantsBytes())), EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

/** Resident memory of every process that this one has started, and those that they have. */
function descendantsBytes(): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = read(`/proc/${name}/stat`);
    // The name of the command, in parentheses, may hold anything; the parent is the second after it.
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]));
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && parent > 1 && isOurs(parent));
  };
  return [...parents.keys()]
    .filter(isOurs)
    .reduce((sum, pid) => sum + PAGE_BYTES * residentPages(pid), 0);
}

function residentPages(pid: number): number {
  return Number(read(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0);
}

/** A process may end while it is looked at. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
