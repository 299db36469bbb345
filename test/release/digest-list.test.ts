import { createHash } from 'node:crypto';
import { expect } from 'chai';
import {
  listText,
  ownDigest,
  parseList,
  wholeDigest,
  digestsOf,
} from '../../src/release/digest-list.ts';
import { asInstalled, listOf, packedFor } from './copy.ts';

describe('the list of a release', () => {
  it('is read as it was written', async () => {
    const list = await listOf();
    const text = await listText(list);
    expect(parseList(text)).to.deep.equal(list);
    expect(text).to.match(/^[0-9a-f]{64} {2}chromium\/background\.js$/m);
    expect(text).to.match(/^[0-9a-f]{64} {2}open\.html$/m);
  });

  it('is read without a page, of which older releases have none', async () => {
    const { page: _, ...list } = await listOf();
    expect(parseList(await listText(list))).to.deep.equal(list);
  });

  it('is refused if it is cut off, for one browser, or something else', async () => {
    const text = await listText(await listOf());
    const half = text.slice(0, text.indexOf('  firefox/'));
    const onlyOne = text.split('\n').filter((line) => !line.includes('  firefox/'));
    for (const other of [
      '',
      'hello',
      half,
      onlyOne.join('\n'),
      text.replace('  chromium/', ' ../'),
    ]) {
      expect(parseList(other), other).to.equal(undefined);
    }
  });

  it('gives one digest for all files but pictures, that of the lines for them', async () => {
    const digests = await digestsOf(packedFor('chromium'));
    const lines = [...digests].filter(([path]) => !path.endsWith('.png'));
    const text = lines.map(([path, digest]) => `${digest}  ${path}\n`).join('');
    const expected = createHash('sha256').update(text).digest('hex');
    expect(await wholeDigest(digests)).to.equal(expected);
  });

  it('gives the digest that an installed copy reads of itself, and another if a file is', async () => {
    const names = [
      '_locales/en/messages.json',
      'background.js',
      'icons/icon-16.png',
      'manifest.json',
    ];
    const packed = packedFor('chromium').set('files.json', Buffer.from(JSON.stringify(names)));
    packed.delete('icons/icon-locked-16.png');
    const expected = await wholeDigest(await digestsOf(packed));
    const files = asInstalled(packed);
    const read = (path: string) => Promise.resolve(files.get(path)!);
    expect(await ownDigest(read)).to.equal(expected);
    files.set('background.js', Buffer.from('other'));
    expect(await ownDigest(read)).to.not.equal(expected);
  });
});
