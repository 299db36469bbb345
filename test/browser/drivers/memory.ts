import { readdirSync, readFileSync } from 'node:fs';

/*
 * The memory of a browser, all its processes together, as Linux counts it. Pages that processes
 * share count once for each, before and after alike, so that differences tell what was added.
 */
const PAGE_BYTES = 4096;
const EVERY_MS = 100;

export interface PeakExtra {
  /** Of all processes of the browser together. */
  readonly browser: number;
  /** Of those alone in which extensions have their backgrounds. */
  readonly extensions: number;
}

/** Runs `work` and says how many more bytes of memory there were at the worst than before. */
export async function peakExtraBytes(work: () => Promise<unknown>): Promise<PeakExtra> {
  const before = residentBytes();
  let peak = before;
  const look = () => {
    const now = residentBytes();
    peak = {
      browser: Math.max(peak.browser, now.browser),
      extensions: Math.max(peak.extensions, now.extensions),
    };
  };
  const timer = setInterval(look, EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return {
    browser: peak.browser - before.browser,
    extensions: peak.extensions - before.extensions,
  };
}

/** Of every process that this one has started, and those that they have. */
function residentBytes(): PeakExtra {
  const sum = { browser: 0, extensions: 0 };
  for (const pid of descendants()) {
    const bytes = PAGE_BYTES * residentPages(pid);
    sum.browser += bytes;
    if (isOfExtensions(pid)) sum.extensions += bytes;
  }
  return sum;
}

/** Chromium says so in the command line, Firefox in the name of the process. */
function isOfExtensions(pid: number): boolean {
  const isChromium = read(`/proc/${pid}/cmdline`)?.includes('--extension-process') ?? false;
  return isChromium || read(`/proc/${pid}/comm`)?.trim() === 'WebExtensions';
}

function descendants(): number[] {
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
  return [...parents.keys()].filter(isOurs);
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
