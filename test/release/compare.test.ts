import { expect } from 'chai';
import { utf8 } from '../../src/crypto/bytes.ts';
import { compare, isDifference } from '../../src/release/compare.ts';
import { asInstalled, listOf, packedFor, withManifest } from './copy.ts';
import type { Files } from './copy.ts';

const findingsOf = async (files: Files, isUnpacked = false) => {
  const { findings } = await compare({ files, isUnpacked }, await listOf());
  return findings.map(
    (finding) => `${finding.state} ${finding.path}${isDifference(finding) ? '!' : ''}`,
  );
};
const altered = (path: string, content = 'other') => packedFor('chromium').set(path, utf8(content));

describe('a copy beside a release', () => {
  it('has nothing to report if it is equal, and is compared with its own browser', async () => {
    for (const target of ['chromium', 'firefox'] as const) {
      const found = await compare({ files: packedFor(target), isUnpacked: false }, await listOf());
      expect(found).to.deep.equal({ target, equal: 6, findings: [] });
    }
  });

  it('shows a changed, an added and a missing file', async () => {
    expect(await findingsOf(altered('background.js'))).to.deep.equal(['changed background.js!']);
    expect(await findingsOf(altered('evil.js'))).to.deep.equal(['added evil.js!']);
    const files = packedFor('chromium');
    files.delete('files.json');
    expect(await findingsOf(files)).to.deep.equal(['missing files.json!']);
  });

  it('from a store has a signature and rewritten files, which are no differences', async () => {
    expect(await findingsOf(asInstalled(packedFor('chromium')), true)).to.deep.equal([
      'rewritten _locales/en/messages.json',
      ...['computed_hashes', 'verified_contents'].map((name) => `signature _metadata/${name}.json`),
      'rewritten icons/icon-16.png',
      'rewritten manifest.json',
    ]);
    const signed = packedFor('firefox').set('META-INF/mozilla.rsa', utf8('signature'));
    expect(await findingsOf(signed)).to.deep.equal(['signature META-INF/mozilla.rsa']);
  });

  it('has no other picture than the release in a package: no browser has unpacked it', async () => {
    const found = await findingsOf(asInstalled(packedFor('chromium')));
    expect(found).to.include('changed icons/icon-16.png!');
  });

  it('has other pictures only where the manifest names them, and only pictures', async () => {
    const picture = asInstalled(packedFor('chromium')).get('icons/icon-16.png')!;
    const other = packedFor('chromium').set('icons/icon-locked-16.png', picture);
    expect(await findingsOf(other, true)).to.deep.equal(['changed icons/icon-locked-16.png!']);
    const script = altered('icons/icon-16.png', 'steal();');
    expect(await findingsOf(script, true)).to.deep.equal(['changed icons/icon-16.png!']);
    const firefox = packedFor('firefox').set('icons/icon-16.png', picture);
    expect(await findingsOf(firefox, true)).to.deep.equal(['changed icons/icon-16.png!']);
  });

  it('shows a manifest or texts with another content', async () => {
    for (const values of [
      { host_permissions: ['<all_urls>'] },
      { update_url: 'https://updates.example/' },
      { key: { other: 1 } },
      { key: 'no key' },
    ]) {
      const files = withManifest(packedFor('chromium'), values);
      expect(await findingsOf(files)).to.deep.equal(['changed manifest.json!']);
    }
    for (const content of ['{"extName":{"message":"Other"}}', '// no JSON', '[]']) {
      const path = '_locales/en/messages.json';
      expect(await findingsOf(altered(path, content))).to.deep.equal([`changed ${path}!`]);
    }
  });

  it('has no file of a name that only resembles those of a signature', async () => {
    for (const path of [
      '_metadata/evil.js',
      'META-INF/mozilla.rsa',
      '_metadata/a/verified_contents.json',
    ]) {
      expect(await findingsOf(altered(path))).to.deep.equal([`added ${path}!`]);
    }
  });
});
