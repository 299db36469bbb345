import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { repositoryFiles } from './repository.ts';

/* Limits that keep folders readable: few files in a folder, few files that hold next to nothing. */
const MAX_FILES_IN_FOLDER = 16;
const SHORT_FILE_LINES = 25;
// `sealwright/react` is one hook, and React brings no types for it.
const MAX_SHORT_FILES = 86;

const codeFiles = repositoryFiles(/^(src|extension)\/.*\.tsx?$/);

function countsByFolder(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of codeFiles) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return counts;
}

function lineCount(path: string): number {
  return readFileSync(path, 'utf8').trimEnd().split('\n').length;
}

describe('the size of folders and files of src/ and extension/', () => {
  it(`is at most ${MAX_FILES_IN_FOLDER} code files in a folder`, () => {
    const tooLarge = [...countsByFolder()]
      .filter(([, count]) => count > MAX_FILES_IN_FOLDER)
      .map(([folder, count]) => `${folder} has ${count}`);
    expect(tooLarge).to.deep.equal([]);
  });

  it(`is ${SHORT_FILE_LINES} lines or fewer in at most ${MAX_SHORT_FILES} files`, () => {
    const short = codeFiles.filter((path) => lineCount(path) <= SHORT_FILE_LINES);
    const message = `${short.length} files of ${SHORT_FILE_LINES} lines or fewer:\n${short.join('\n')}\n`;
    expect(short.length, message).to.be.at.most(MAX_SHORT_FILES);
  });
});
