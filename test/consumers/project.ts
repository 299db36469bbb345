import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '../browser/server.ts';
import { nodeIn } from '../support/other-nodes.ts';

/** What a checked app found in one place: a page, a worker, a process (app/check.js). */
export interface Found {
  /** By subpath. */
  readonly engines: Readonly<Record<string, string>>;
  /** Answers that are not right. */
  readonly wrong: readonly string[];
  /** Why wasm-simd is not there. */
  readonly reason?: string;
  readonly html?: string;
  /** How many scripts a framework has the page fetch for later. */
  readonly prefetched?: number;
}

/** What was found, by place: `page`, `worker`, `chromium page`, `import`. */
export type Places = Readonly<Record<string, Found>>;

export interface Consumer {
  readonly title: string;
  readonly try: (tools: Tools) => Promise<Places>;
}

/** What every toolchain is given. */
export interface Tools {
  /** The package as npm packs it. */
  readonly tarball: string;
  /** Opens a page in every browser. @returns what it says of itself (app/main.js), by browser and place */
  readonly inBrowsers: (url: string) => Promise<Places>;
}

/** Of what has no engine to name. */
export const NO_ERRORS: Found = { engines: {}, wrong: [] };

const APP = 'test/consumers/app';
/** Of the frameworks' reports of their use. */
const QUIET = {
  ...{ NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' },
  ...{ NG_CLI_ANALYTICS: 'false', CI: '1' },
};
const SERVER_TRIES = 120;
const TRY_MS = 500;

/**
 * An app in a folder of its own that has the package as npm installs it from its tarball, and tools of exact versions.
 * `remove` ends it.
 */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'sealwright-consumer-'));

  /** @param more of package.json */
  static async install(
    tarball: string,
    packages: Readonly<Record<string, string>>,
    more: object = {},
  ): Promise<Project> {
    const project = new Project();
    const dependencies = { sealwright: `file:${tarball}`, ...packages };
    const manifest = { name: 'app', private: true, type: 'module', dependencies, ...more };
    project.write('package.json', JSON.stringify(manifest));
    cpSync(APP, join(project.folder, 'src'), { recursive: true });
    await project.run(
      'npm',
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    );
    return project;
  }

  /** Node as the app has it, or this one. */
  #node(): string {
    const own = nodeIn(this.folder);
    return existsSync(own) ? own : process.execPath;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  /** @returns what it prints; throws an Error that has both streams if it fails */
  async run(program: string, ...args: string[]): Promise<string> {
    const options = { cwd: this.folder, maxBuffer: 1 << 26, env: { ...process.env, ...QUIET } };
    try {
      return (await promisify(execFile)(program, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
    }
  }

  /** A program that npm has installed into the app. */
  tool(script: string, ...args: string[]): Promise<string> {
    return this.run(this.#node(), this.path(`node_modules/${script}`), ...args);
  }

  /**
   * Starts a server, and calls `work` with its origin.
   *
   * @param args of the tool, for a port of 127.0.0.1, which it also finds in its environment
   * @throws Error if the server's log has a line of the library, which warns of a slow engine
   */
  async whileServing<T>(
    script: string,
    args: (port: number) => readonly string[],
    work: (origin: string) => Promise<T>,
  ): Promise<T> {
    const port = await freePort();
    const words = [this.path(`node_modules/${script}`), ...args(port)];
    // A group of its own, so that the programs that it starts end with it.
    const server = spawn(this.#node(), words, {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...QUIET, PORT: String(port), HOST: '127.0.0.1' },
    });
    let log = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (text) => (log += String(text)));
    }
    const origin = `http://127.0.0.1:${port}`;
    try {
      await answering(origin);
      const result = await work(origin);
      const warning = /^.*sealwright: .*$/m.exec(log);
      if (warning) throw new Error(`the server says: ${warning[0]}`);
      return result;
    } catch (error) {
      throw new Error(`${String(error)}\n${log.slice(-2000)}`, { cause: error });
    } finally {
      // It has ended already where it failed.
      if (server.exitCode === null) {
        const ended = once(server, 'exit');
        process.kill(-server.pid!, 'SIGKILL');
        await ended;
      }
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answering(origin: string): Promise<void> {
  for (let i = 0; i < SERVER_TRIES; i++) {
    const isThere = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, TRY_MS));
  }
  throw new Error(`${origin} does not answer`);
}

/** Serves a folder of built files to the browsers. */
export async function shown({ inBrowsers }: Tools, folder: string, page = ''): Promise<Places> {
  const server = await serve(folder);
  try {
    return await inBrowsers(`${server.origin}/${page}`);
  } finally {
    await server.close();
  }
}

/** A configuration as docs/bundlers.md has it, or the first sample of a section of another document. */
export function documented(
  heading: string,
  language: string,
  document = 'docs/bundlers.md',
): string {
  const section = readFileSync(document, 'utf8').split(`\n## ${heading}\n`)[1]!;
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)![1]!;
}

/** An app with these packages, for as long as `work` takes. */
export async function withProject<T>(
  { tarball }: Tools,
  packages: Readonly<Record<string, string>>,
  work: (project: Project) => Promise<T>,
  more?: object,
): Promise<T> {
  const project = await Project.install(tarball, packages, more);
  try {
    return await work(project);
  } finally {
    project.remove();
  }
}
