import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

interface Finding {
  readonly code: string;
  readonly file?: string;
}
interface Report {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Fails by its exit code where it finds an error. */
function lint(folder: string): Report {
  const words = ['node_modules/.bin/web-ext', 'lint', `--source-dir=${folder}`, '--output=json'];
  let text: string;
  try {
    text = execFileSync(process.execPath, words, { encoding: 'utf8' });
  } catch (error) {
    text = (error as { stdout: string }).stdout;
  }
  return JSON.parse(text) as Report;
}

describe('the build', () => {
  it('passes the lint of the Firefox store without errors and warnings', () => {
    const { errors, warnings } = lint('dist/firefox');
    expect(errors).to.deep.equal([]);
    expect(warnings).to.deep.equal([]);
  });

  it('for Chromium has nothing that the lint finds but what Firefox lacks in its manifest', () => {
    const { errors, warnings } = lint('dist/chromium');
    const found = [...errors, ...warnings].map(({ code, file }) => `${file}: ${code}`);
    expect(found).to.have.members([
      'manifest.json: BACKGROUND_SERVICE_WORKER_NOFALLBACK',
      'manifest.json: ADDON_ID_REQUIRED',
      'manifest.json: MANIFEST_PERMISSIONS',
      'manifest.json: MISSING_DATA_COLLECTION_PERMISSIONS',
    ]);
  });
});
