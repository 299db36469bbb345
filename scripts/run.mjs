import { spawn } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';

/** How long a program that was told to end has for it. */
const GRACE_MS = 15_000;

/** Runs a program with our standard streams; rejects when it fails. */
export function run(command, args, options = {}) {
  return started(command, args, options, () => undefined);
}

function started(command, args, options, onSpawn) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.on('spawn', () => onSpawn(child));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`));
    });
  });
}

/**
 * The same; ends it, with the programs that it has started, when it takes longer.
 *
 * @throws Error whose `isOverBudget` is true
 */
export async function runWithin(minutes, command, args, options = {}) {
  let isOverBudget = false;
  const timers = [];
  const onSpawn = (child) => {
    // A group of its own: the tools start the actual program as a child of theirs.
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It has ended already.
      }
    };
    const endNow = () => end('SIGKILL');
    process.once('exit', endNow);
    child.once('exit', () => process.off('exit', endNow));
    timers.push(
      setTimeout(() => {
        isOverBudget = true;
        end('SIGTERM');
        timers.push(setTimeout(endNow, GRACE_MS));
      }, minutes * 60_000),
    );
  };
  try {
    await started(command, args, { ...options, detached: true }, onSpawn);
  } catch (error) {
    if (!isOverBudget) throw error;
    const message = `ended after ${minutes} minutes, which are its budget`;
    throw Object.assign(new Error(message), { isOverBudget });
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** `run` for a program that npm installed into this project. */
export function runTool(name, args, options) {
  return run(process.execPath, [`node_modules/.bin/${name}`, ...args], options);
}

export const succeeds = (command, args, options = {}) =>
  run(command, args, { stdio: 'ignore', ...options }).then(
    () => true,
    () => false,
  );

/** Ends the process with a message for a person, without a stack. */
export function giveUp(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/** Bundles by these configurations of webpack.config.js. */
export function bundle(...names) {
  return runTool(
    'webpack',
    names.flatMap((name) => ['--config-name', name]),
  );
}
