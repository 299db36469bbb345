import { spawn } from 'node:child_process';

/** Runs a program with our standard streams; rejects when it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`));
    });
  });
}

/** The same for a program that npm installed into this project. */
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
