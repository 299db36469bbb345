import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { unzipSync } from 'fflate';

/*
 * The zip for end-to-end tests beside those of the stores: what of it is the release, and that the stores' have nothing
 * of it. test/browser/examples/e2e.test.ts runs it.
 */
const ZIPS = 'dist/artifacts';

function filesOf(target: string): Record<string, Uint8Array> {
  const name = readdirSync(ZIPS).find((file) => file.endsWith(`-${target}.zip`))!;
  return unzipSync(readFileSync(join(ZIPS, name)));
}

/** What stands in the test zip alone: its calls, their script, the band and the key of its id. */
const MARKS = [/sealwrightTest/, /test-background/, /test-band/, /the passphrase of a test/, /protects nothing/];

/** The files in which a mark is, by name or content. */
const marked = (files: Record<string, Uint8Array>, mark: RegExp): string[] =>
  Object.keys(files).filter((path) => mark.test(path) || mark.test(Buffer.from(files[path]!).toString('latin1')));

describe('the zips of the extension', () => {
  const release = filesOf('chromium');
  const test = filesOf('test');
  const manifestOf = (files: Record<string, Uint8Array>) =>
    JSON.parse(Buffer.from(files['manifest.json']!).toString()) as Record<string, unknown>;

  for (const mark of MARKS) {
    it(`have ${mark.source} in that for tests alone`, () => {
      expect(marked(test, mark)).to.not.be.empty;
      for (const target of ['chromium', 'firefox']) {
        expect(marked(filesOf(target), mark), target).to.deep.equal([]);
      }
    });
  }

  it('have the scripts of the release in that for tests, byte for byte', () => {
    const scripts = Object.keys(release).filter((path) => /\.(js|wasm|css)$/.test(path));
    expect(scripts).to.include.members(['background.js', 'page.js', 'content.js']);
    for (const path of scripts) expect(Buffer.from(test[path]!).equals(release[path]!), path).to.equal(true);
    const added = Object.keys(test).filter((path) => !(path in release));
    expect(added).to.have.members(['test-background.js', 'test-band.css', 'icons/test-128.png']);
  });

  it('give that for tests a name, an icon and an id of its own, and the band on every page', () => {
    const [ours, theirs] = [manifestOf(test), manifestOf(release)];
    expect(ours['name']).to.equal('Sealwright TEST');
    expect(ours['icons']).to.deep.equal({ 128: 'icons/test-128.png' });
    expect(ours['key']).to.be.a('string');
    expect(theirs).to.not.have.any.keys('key', 'host_permissions', 'content_scripts');
    expect(ours['content_scripts']).to.deep.equal([
      { matches: ours['host_permissions'], css: ['test-band.css'], run_at: 'document_start' },
    ]);
    const pages = Object.keys(test).filter((path) => path.endsWith('.html'));
    expect(pages).to.have.length.above(4);
    for (const page of pages) {
      expect(Buffer.from(test[page]!).toString(), page).to.include('<link rel="stylesheet" href="test-band.css"');
    }
  });

  it('are told apart by `sealwright verify`, which refuses that for tests as a release', () => {
    const name = readdirSync(ZIPS).find((file) => file.endsWith('-test.zip'))!;
    for (const place of [join(ZIPS, name), 'dist/test']) {
      const { status, stderr } = spawnSync(process.execPath, ['dist/lib/cli.js', 'verify', place], { encoding: 'utf8' });
      expect(status, stderr).to.equal(1);
      expect(stderr).to.include('is the test zip, which protects nothing');
    }
  });
});
