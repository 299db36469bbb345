/* Entry of the `sealwright` command (package.json "bin"). */
import { readFile } from 'node:fs/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { LIST_NAME } from '../release/digest-list.ts';
import { run } from './run.ts';

for (const stream of [process.stdout, process.stderr]) stream.on('error', refuseUnlessClosed);

process.exitCode = await run(process.argv.slice(2), {
  print: (content) => write(process.stdout, content),
  isTerminal: process.stdout.isTTY,
  input: () => process.stdin,
  version: packageJson.version,
  ownList: () => readFile(new URL(LIST_NAME, import.meta.url), 'utf8'),
  complain: (words) => write(process.stderr, words),
});

/** Resolves when the content has left this process: it may be large and the reader slow. */
function write(stream: NodeJS.WriteStream, content: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error) => (error && !isClosed(error) ? reject(error) : resolve()));
  });
}

/** A reader that has enough, such as `head`, closes the pipe: that is not a failure. */
function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE';
}

function refuseUnlessClosed(error: NodeJS.ErrnoException): void {
  if (!isClosed(error)) throw error;
}
