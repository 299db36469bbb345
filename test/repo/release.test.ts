import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { releaseProblems } from '../../scripts/make-release.mjs';
import {
  checkedItems,
  hasChangelogHead,
  NIGHTLY_NAMES,
  placeholders,
  releaseItems,
} from '../../scripts/release.mjs';
import { nightlyParts } from '../../scripts/test-parts.mjs';
import scripts from '../../package.json' with { type: 'json' };

/** What only a person can say. */
const BY_HAND = ['name', 'test', 'screenshots', 'packages', 'stores'];

describe('The list of a release', () => {
  it('is read whole, and names commands that exist', () => {
    const items = releaseItems();
    expect(items.length).to.be.at.least(16);
    for (const { command } of items) {
      const [, name] = /^npm run ([\w:]+)/.exec(command) ?? [];
      if (name !== undefined) expect(scripts.scripts).to.have.property(name);
    }
  });

  it('looks for parts that the nightly run has', () => {
    const titles = Object.values(nightlyParts())
      .flat()
      .map(({ title }) => title);
    const items = releaseItems().map(({ name }) => name);
    for (const [item, text] of Object.entries(NIGHTLY_NAMES)) {
      expect(items).to.include(item);
      expect(
        titles.some((title) => title.includes(text)),
        text,
      ).to.equal(true);
    }
  });

  it('is checked item by item, without a guess at what a person has to look at', () => {
    const items = checkedItems();
    const byHand = items.filter(({ name }) => BY_HAND.includes(name));
    expect(byHand.map(({ ok }) => ok)).to.deep.equal(BY_HAND.map(() => undefined));
    const version = items.find(({ name }) => name === 'version');
    expect(version).to.include({ note: scripts.version });
    expect(items.find(({ name }) => name === 'clean')!.ok).to.be.a('boolean');
  });
});

describe('The addresses of package.json', () => {
  const set = {
    homepage: 'https://example.org/sealwright',
    repository: { type: 'git', url: 'git+https://example.org/sealwright.git' },
    bugs: 'https://example.org/sealwright/issues',
  };

  it('are named while they are missing or placeholders', () => {
    expect(placeholders(set)).to.deep.equal([]);
    expect(placeholders({ ...set, bugs: undefined })).to.deep.equal(['bugs']);
    const url = set.repository.url.replace('example.org', 'example.org/OWNER');
    expect(placeholders({ ...set, repository: { type: 'git', url } })).to.deep.equal([
      'repository',
    ]);
  });

  it('are an item of the list, which is missing as long as one is', () => {
    const item = checkedItems().find(({ name }) => name === 'address');
    const left = placeholders(scripts);
    expect(item!.ok).to.equal(left.length === 0);
    for (const field of left) expect(item!.note).to.include(field);
  });
});

describe('A release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-release-'));
  after(() => rmSync(folder, { recursive: true }));

  const problems = (manifest: string, npm: string, changelog: string, tag?: string) => {
    for (const [name, version] of [
      ['manifest.json', manifest],
      ['package.json', npm],
    ] as const) {
      writeFileSync(join(folder, name), JSON.stringify({ version }));
    }
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    return releaseProblems(folder, tag);
  };

  it('has one version in manifest, package and tag, and its date in the changelog', () => {
    const head = '# Changelog\n\n## 1.2.3 - 2026-12-01\n';
    expect(problems('1.2.3', '1.2.3', head, 'v1.2.3')).to.deep.equal([]);
    expect(problems('1.2.3', '1.2.3', head)).to.deep.equal([]);
    expect(problems('1.2.4', '1.2.3', head, 'v1.2.3')).to.have.length(1);
    expect(problems('1.2.3', '1.2.3', head, 'v1.2.4')).to.have.length(1);
    expect(problems('1.2.4', '1.2.4', head, 'v1.2.4')).to.have.length(1);
  });

  it('has no head without a date, or of a longer version', () => {
    for (const head of ['## 1.2.3', '## Unreleased', '## 1.2.30 - 2026-12-01', '## 1.2.3 - soon']) {
      expect(hasChangelogHead('1.2.3', head), head).to.equal(false);
    }
    expect(hasChangelogHead('1.2.3', '## [1.2.3] - 2026-12-01')).to.equal(true);
  });
});
