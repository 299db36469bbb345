/* Entry of the `sealwright` command (package.json "bin"). */
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), {
  print: (content) => write(process.stdout, content),
  isTerminal: process.stdout.isTTY,
  complain: (words) => write(process.stderr, words),
});

/** Resolves when the content has left this process: it may be large and the reader slow. */
function write(stream: NodeJS.WriteStream, content: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error) => (error ? reject(error) : resolve()));
  });
}
