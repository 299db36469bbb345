import { cpus, totalmem } from 'node:os';

/** The machine in one line, as every quoted figure names it. */
export function describeMachine() {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${cpus().length} cores, ${memory} GiB, ${process.platform} ${process.arch}`;
}
