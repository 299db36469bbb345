/*
 * One search of `npm run fuzz`. It has a process of its own: the bounds of time are bounds of the processor time of a
 * process, which must be that of one target. The search is in a second thread (test/fuzz/worker.ts); this one sees when
 * an input does not return, or needs all memory.
 *
 * Receives `{ outfile, task }` once; sends findings, progress and, at the end, the result.
 */
import { clearInterval, setInterval } from 'node:timers';
import { Worker } from 'node:worker_threads';

/**
 * An input that has not returned by then never will. Processor time, because a busy machine may give
 * this process none for long; an input that only waits is given up after the other time.
 */
const HANG_CPU_MS = 30_000;
const HANG_MS = 10 * 60_000;
const LOOK_MS = 2_000;
const INPUT_BYTES = 1 << 16;
const HEAP_MIB = 1024;

process.once('message', search);
process.once('disconnect', () => process.exit());

function search({ outfile, task }) {
  const shared = new SharedArrayBuffer(8 + INPUT_BYTES);
  const counter = new Uint32Array(shared, 0, 2);
  const worker = new Worker(new URL(`../${outfile}`, import.meta.url), {
    workerData: { ...task, shared },
    execArgv: ['--enable-source-maps'],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  const end = (message) => {
    clearInterval(timer);
    void worker.terminate();
    process.send(message, () => process.disconnect());
  };
  const stop = (signature) => {
    const input = new Uint8Array(shared.slice(8, 8 + counter[1]));
    process.send({ kind: 'finding', input, signature, stack: signature });
    const figures = { executions: counter[0], ms: 0, taken: 0, of: task.numbers.length };
    end({ kind: 'done', ...figures, missing: [] });
  };
  let last = -1;
  let since = Date.now();
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    if (counter[0] !== last || last === 0) {
      [last, since, cpu] = [counter[0], Date.now(), process.cpuUsage()];
      return;
    }
    const { user, system } = process.cpuUsage(cpu);
    const isBusy = (user + system) / 1000 > HANG_CPU_MS;
    if (isBusy || Date.now() - since > HANG_MS) stop('does not return');
  }, LOOK_MS);
  worker.on('error', (error) => {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    stop('needs all memory');
  });
  worker.on('message', (message) => {
    if (message.kind === 'done') end(message);
    else process.send(message);
  });
}
