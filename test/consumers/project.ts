import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** What a checked app found in one place: a page, a worker, a process (app/check.js). */
export interface Found {
  /** By subpath. */
  readonly engines: Readonly<Record<string, string>>;
  /** Answers that are not right. */
  readonly wrong: readonly string[];
  /** Why wasm-simd is not there. */
  readonly reason?: string;
  readonly html?: string;
}

/** What was found, by place: `page`, `worker`, `chromium page`, `import`. */
export type Places = Readonly<Record<string, Found>>;

export interface Consumer {
  readonly title: string;
  /** `wasm-simd` is found in it; else the words of the reason, which are expected. */
  readonly withoutWasm?: RegExp;
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

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  /** @returns what it prints; throws an Error that has both streams if it fails */
  async run(program: string, ...args: string[]): Promise<string> {
    const options = { cwd: this.folder, maxBuffer: 1 << 26 };
    try {
      return (await promisify(execFile)(program, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
    }
  }

  /** A program that npm has installed into the app. */
  tool(script: string, ...args: string[]): Promise<string> {
    return this.run(process.execPath, this.path(`node_modules/${script}`), ...args);
  }

  /**
   * Starts a server, and calls `work` with its origin.
   *
   * @param args of the tool, for a port of 127.0.0.1
   */
  async whileServing<T>(
    script: string,
    args: (port: number) => readonly string[],
    work: (origin: string) => Promise<T>,
  ): Promise<T> {
    const port = await freePort();
    const words = [this.path(`node_modules/${script}`), ...args(port)];
    // A group of its own, so that the programs that it starts end with it.
    const server = spawn(process.execPath, words, {
      cwd: this.folder,
      stdio: 'ignore',
      detached: true,
    });
    const origin = `http://127.0.0.1:${port}`;
    try {
      await answering(origin);
      return await work(origin);
    } finally {
      const ended = once(server, 'exit');
      process.kill(-server.pid!, 'SIGKILL');
      await ended;
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
