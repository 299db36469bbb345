import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A server of a sync service on the loopback interface. */
export interface SyncServer {
  readonly port: number;
  /** Everything that it has stored, as it has stored it. */
  stored(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Where `npm test` installs what is written in Python (scripts/setup.mjs). */
export const PYTHON_PROGRAMS = '.cache/python/bin';
/** A busy machine takes long to start Python. */
const START_MS = 60_000;

type Server = ChildProcessByStdio<null, null, Readable>;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs a program of the servers' Python environment until it answers on `url`. @returns ends it */
export function startPython(
  program: string,
  args: readonly string[],
  url: string,
): Promise<() => Promise<void>> {
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
  return runServer(spawn(join(PYTHON_PROGRAMS, program), args, { stdio }), url);
}

/** Waits until a server answers on `url`. @returns ends it */
export async function runServer(child: Server, url: string): Promise<() => Promise<void>> {
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
  const ended = once(child, 'exit');
  const deadline = Date.now() + START_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill();
      throw new Error(`${child.spawnfile} does not answer: ${complaints}`);
    }
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return async () => {
    child.kill();
    await ended;
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch (error) {
    // It is not listening yet, unless it answers in another protocol.
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code?.startsWith('HPE_') === true;
  }
}

/** The bytes of all files below a folder. */
export function filesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((f) => join(f.parentPath, f.name));
  return Buffer.concat(paths.map((path) => readFileSync(path)));
}
