#!/usr/bin/env node
/*
 * The program of the npm package create-sealwright (scripts/package.mjs), which `npm create sealwright FOLDER` runs:
 * copies the package's template, a notes app, into a new folder.
 */
import { cpSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm create sealwright FOLDER

Makes a notes app with its server in FOLDER, which is new or empty.`;
/** As those of the command sealwright (src/cli/exit-codes.ts). */
const EXIT = { usage: 2, file: 4 };
const OPTIONS = { help: { type: 'boolean', short: 'h' } };

/** An expected failure. Its message is printed for the user. */
class Refusal extends Error {
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @returns what to print */
function create(args) {
  const { values, positionals } = parsed(args);
  if (values.help) return USAGE;
  const [folder] = positionals;
  if (positionals.length !== 1) throw new Refusal(EXIT.usage, USAGE);
  try {
    // A folder in which only `git init` was called holds nothing that could be lost.
    if (namesIn(folder).some((name) => name !== '.git')) {
      throw new Refusal(EXIT.file, `${folder} is not empty: name a new folder`);
    }
    cpSync(fileURLToPath(new URL('template', import.meta.url)), folder, { recursive: true });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(EXIT.file, error.code === 'ENOTDIR' ? `${folder} is a file` : error.message);
  }
  return `A notes app is in ${folder}. Next:

  cd ${folder}
  npm install
  npm start

Its README.md says what each file does.`;
}

function parsed(args) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Refusal(EXIT.usage, `${error.message}\n\n${USAGE}`);
  }
}

/** The names in a folder; none if it does not exist. */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

try {
  console.log(create(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
