import { fork } from 'node:child_process';
import { bundleForNode } from './bundle.ts';
import type { Row, SuiteOptions } from './aes-suite.ts';
import type { Message } from './order.ts';

const BUNDLE = '.cache/bench/child.mjs';

/** Runs the suite, bundled, in a process of its own and brings its rows back. */
export async function runInNode(options: SuiteOptions): Promise<{ platform: string; rows: Row[] }> {
  await bundleForNode('bench/child.ts', BUNDLE);
  const { rounds, minimumMs, largest, report } = options;
  const child = fork(BUNDLE, { execArgv: ['--enable-source-maps'] });
  const rows: Row[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: Message) => {
        if ('error' in message) reject(new Error(message.error));
        else if ('done' in message) resolve();
        else {
          rows.push(message.row);
          report(message.row, message.progress);
        }
      });
      child.on('exit', (code) => reject(new Error(`the bench's process ended with ${code}`)));
      child.send({ rounds, minimumMs, largest });
    });
  } finally {
    child.kill();
  }
  return { platform: `Node ${process.version}`, rows };
}
