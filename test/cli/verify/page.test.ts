import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listText } from '../../../src/release/digest-list.ts';
import { withKey } from '../../../src/release/drop-page.ts';
import { PAGE, listOf } from '../../release/copy.ts';
import { runIn } from '../terminal.ts';

describe('sealwright verify of the page open.html', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-verify-page-'));
  let list: string;

  before(async () => {
    list = await listText(await listOf());
  });
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string, content: Uint8Array | string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const verify = async (...words: string[]) => {
    const { code, printed, complaint } = await runIn({ list }, 'verify', ...words);
    return { code, printed: printed.toString(), complaint };
  };

  it('takes that of the release, and a copy with a public key, which it prints', async () => {
    const own = await verify(file('open.html', PAGE));
    expect([own.code, own.complaint]).to.deep.equal([0, '']);
    expect(own.printed).to.include('is the page open.html of the release 1.2.3\n');
    const copy = await verify(file('mine.html', withKey(PAGE, 'swp1.AbC-_')));
    expect([copy.code, copy.complaint]).to.deep.equal([0, '']);
    expect(copy.printed).to.include('seals to one key').and.to.include('  swp1.AbC-_\n');
  });

  it('takes no page with any other difference', async () => {
    const altered: (string | Uint8Array)[] = [
      PAGE.replace('é', 'e'),
      `${PAGE}\n`,
      PAGE.replace('</head>', '<meta name="sealwright-key" content="other"></head>'),
      `<!DOCTYPE html><script></script>${PAGE}`,
      // Bytes that programs read as the same characters.
      Buffer.from(PAGE, 'latin1'),
    ];
    for (const page of altered) {
      const { code, complaint } = await verify(file('open.html', page));
      expect(code, String(page)).to.equal(1);
      expect(complaint).to.include('is not the page open.html of the release 1.2.3');
    }
  });

  it('says that a release before the page has none', async () => {
    const { page: _, ...older } = await listOf();
    const release = file('older.sha256', await listText(older));
    const { code, complaint } = await verify('--release', release, file('open.html', PAGE));
    expect(code).to.equal(3);
    expect(complaint).to.include('has no page open.html');
  });
});
