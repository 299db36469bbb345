import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { zipSync } from 'fflate';
import { utf8 } from '../../../src/crypto/bytes.ts';
import { listText, wholeDigest } from '../../../src/release/digest-list.ts';
import { asInstalled, listOf, packedFor, withManifest } from '../../release/copy.ts';
import type { Files } from '../../release/copy.ts';
import { runIn } from '../terminal.ts';

const ID = 'abcdefghijklmnopabcdefghijklmnop';

/** What Chromium computes of the bytes "a public key of another publisher". */
const ID_OF_OTHER = 'chghdabbopipkfegpngpioenmlgkgaph';

const zipped = (files: Files) => Buffer.from(zipSync(Object.fromEntries(files)));

/** A CRX as a store gives it out: a header with signatures before the zip. */
function crx(zip: Uint8Array, version = 3): Buffer {
  const [head, header] = [Buffer.alloc(12, 'Cr24'), Buffer.from('keys and signatures')];
  head.writeUInt32LE(version, 4);
  head.writeUInt32LE(header.length, 8);
  return Buffer.concat([head, header, zip]);
}

describe('sealwright verify', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-verify-'));
  let list: string;
  let made = 0;

  before(async () => {
    list = await listText(await listOf());
  });
  after(() => rmSync(folder, { recursive: true }));

  const verify = async (...words: string[]) => {
    const { code, printed, complaint } = await runIn({ list }, 'verify', ...words);
    return { code, printed: printed.toString(), complaint };
  };
  const file = (name: string, content: Uint8Array | string) => {
    const path = join(folder, String(made++), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const unpacked = (files: Files, at: string) => {
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), bytes);
    }
    return at;
  };
  /** A profile of Chromium with this copy and another extension. */
  const profile = (files: Files) => {
    const at = join(folder, String(made++));
    unpacked(files, join(at, 'Default/Extensions', ID, '1.2.3_0'));
    const other = new Map([['manifest.json', utf8('{"name":"Other"}')]]);
    unpacked(other, join(at, 'Default/Extensions', 'o'.repeat(32), '1_0'));
    return at;
  };

  it('finds the copy in a profile of Chromium, and says that it is the release', async () => {
    const at = profile(asInstalled(packedFor('chromium')));
    const digest = await wholeDigest((await listOf()).targets.get('chromium')!);
    for (const path of [at, join(at, 'Default'), join(at, 'Default/Extensions')]) {
      const { code, printed, complaint } = await verify(path);
      expect([code, complaint]).to.deep.equal([0, '']);
      expect(printed).to.include(join(ID, '1.2.3_0'));
      expect(printed).to.include('version 1.2.3, for chromium, from Chrome Web Store');
      expect(printed).to.include(digest);
    }
  });

  it('calls no copy with a publisher the release, and says which id its key gives it', async () => {
    const copies = { 'a.zip': zipped, 'a.crx': (files: Files) => crx(zipped(files)) };
    for (const [name, pack] of Object.entries(copies)) {
      for (const update_url of [undefined, 'https://clients2.google.com/service/update2/crx']) {
        const key = Buffer.from('a public key of another publisher').toString('base64');
        const forged = withManifest(packedFor('chromium'), { key, update_url });
        const { code, printed } = await verify(file(name, pack(forged)));
        expect(code).to.equal(0);
        expect(printed).to.include(`the id ${ID_OF_OTHER}.`);
        expect(printed).to.not.include('is the release');
        const own = await verify(file(name, pack(packedFor('chromium'))));
        expect(own.printed).to.include('This copy is the release');
      }
    }
  });

  it('finds the folder that was loaded unpacked, which a profile of Chromium names', async () => {
    const at = join(folder, 'developer');
    const loaded = unpacked(packedFor('chromium'), join(folder, 'loaded'));
    const settings = {
      [ID]: { path: loaded, location: 4 },
      pdf: { path: '/nowhere', location: 5 },
      store: { path: `${ID}/1.2.3_0` },
      broken: null,
    };
    mkdirSync(join(at, 'Default'), { recursive: true });
    const write = (name: string, text: string) => writeFileSync(join(at, 'Default', name), text);
    write('Preferences', JSON.stringify({ extensions: { settings } }));
    write('Secure Preferences', '{ cut off');
    for (const path of [at, join(at, 'Default')]) {
      const { code, printed } = await verify(path);
      expect(printed).to.include(`${loaded}\n`);
      expect(code).to.equal(0);
    }
    writeFileSync(join(loaded, 'background.js'), 'steal();');
    expect((await verify(at)).code).to.equal(1);
  });

  it('finds the file in a profile of Firefox', async () => {
    const signed = packedFor('firefox').set('META-INF/cose.sig', utf8('signature'));
    const path = file('extensions/sealwright@sealwright.org.xpi', zipped(signed));
    const { code, printed } = await verify(dirname(dirname(path)));
    expect(code).to.equal(0);
    expect(printed)
      .to.match(/5 files|6 files/)
      .and.include("the store's signature: META-INF/cose.sig");
  });

  it('finds every copy that forges something, beside the genuine one', async () => {
    const forged = (manifest: object, more: Readonly<Record<string, string>> = {}): Files =>
      new Map(
        Object.entries({
          'manifest.json': JSON.stringify({ name: 'Other', version: '1.2.3', ...manifest }),
          'worker.js': 'steal();',
          ...more,
        }).map(([path, text]) => [path, utf8(text)]),
      );
    const gecko = { gecko: { id: 'sealwright@sealwright.org' } };
    const messages = (key: string) => JSON.stringify({ [key]: { message: 'Sealwright' } });
    const genuine = packedFor('chromium');
    const copies: Readonly<Record<string, Files>> = {
      'a literal name': forged({ name: 'Sealwright' }, { '_locales/en/messages.json': '{}' }),
      'a name in other letters': forged({ name: 'SEAL\u200bwrig\u0301ht!' }),
      'a short name': forged({ short_name: 'Sealwright' }),
      'the name of the button': forged({ action: { default_title: 'Sealwright' } }),
      'the name in another language': forged(
        { name: '__MSG_label__' },
        { '_locales/de/messages.json': messages('LABEL') },
      ),
      'the id of Firefox': forged({ browser_specific_settings: gecko }),
      'the same by its former name': forged({ applications: gecko }),
      "the genuine one's key": forged({ key: 'MIIB' }),
      'code of the release': forged(
        {},
        { 'a.js': String(Buffer.from(genuine.get('background.js')!)) },
      ),
      'paths of the release': forged(
        {},
        { 'background.js': 'steal();', 'files.json': '[]', 'icons/icon-16.png': '' },
      ),
    };
    for (const [name, files] of Object.entries(copies)) {
      const at = profile(asInstalled(packedFor('chromium')));
      const place = unpacked(files, join(at, 'Default/Extensions', 'p'.repeat(32), '1_0'));
      const { code, printed } = await verify(at);
      expect(printed, name).to.include(`${place}\n`).and.include(join(ID, '1.2.3_0'));
      expect(code, name).to.equal(1);
    }
    const linked = profile(asInstalled(packedFor('chromium')));
    const target = unpacked(forged({ name: 'Sealwright' }), join(folder, 'elsewhere'));
    symlinkSync(dirname(target), join(linked, 'Default/Extensions', 'p'.repeat(32)));
    expect((await verify(linked)).code).to.equal(1);
    unpacked(packedFor('chromium'), linked);
    expect((await verify(linked)).printed).to.include(join('p'.repeat(32), basename(target)));
    const other = profile(asInstalled(packedFor('chromium')));
    unpacked(forged({}), join(other, 'Default/Extensions', 'p'.repeat(32), '1_0'));
    expect((await verify(other)).code).to.equal(0);
  });

  it('finds copies with another file name in a profile of Firefox, and such as cannot be read', async () => {
    const at = join(folder, 'firefox');
    const genuine = zipped(packedFor('firefox'));
    unpacked(
      new Map([
        ['extensions/sealwright@sealwright.org.xpi', genuine],
        ['extensions/other@example.org.xpi', zipped(new Map([['a.js', utf8('a();')]]))],
        ['extensions/broken@example.org.xpi', utf8('PK')],
      ]),
      at,
    );
    expect((await verify(at)).code).to.equal(0);
    const copy = join(at, 'extensions/copy@example.org.xpi');
    writeFileSync(copy, zipped(packedFor('firefox').set('background.js', utf8('steal();'))));
    expect((await verify(at)).code).to.equal(1);
    writeFileSync(copy, Buffer.concat([genuine, utf8('more')]));
    const { code, complaint } = await verify(at);
    expect([code, complaint.includes('copy@example.org.xpi')]).to.deep.equal([3, true]);
    rmSync(copy);
    const elsewhere = file(
      'copy.xpi',
      zipped(packedFor('firefox').set('more.js', utf8('steal();'))),
    );
    writeFileSync(
      join(at, 'extensions.json'),
      JSON.stringify({ addons: [{ path: elsewhere }, null] }),
    );
    expect((await verify(at)).code).to.equal(1);
  });

  it('takes a zip and a CRX, an unpacked folder, and the list of another release', async () => {
    const zip = zipped(packedFor('chromium'));
    const folderOfIt = unpacked(packedFor('firefox'), join(folder, 'unpacked'));
    for (const path of [file('a.zip', zip), file('a.crx', crx(zip)), folderOfIt]) {
      expect((await verify(path)).code).to.equal(0);
    }
    const other = file(
      'extension-files.sha256',
      await listText({ ...(await listOf('2.0.0')), version: '2.0.0' }),
    );
    const { code, printed } = await verify('--release', other, folderOfIt);
    expect([code, printed.includes('of the release 2.0.0')]).to.deep.equal([0, true]);
  });

  it('names every file that differs, without control characters, and fails with 1', async () => {
    const files = packedFor('chromium')
      .set('background.js', utf8('steal();'))
      .set('evil\u001b[2J.js', utf8('steal();'));
    files.delete('files.json');
    const { code, printed, complaint } = await verify(file('a.zip', zipped(files)));
    expect(code).to.equal(1);
    expect(printed).to.include(
      '  changed: background.js\n  added: evil\ufffd[2J.js\n  missing: files.json\n',
    );
    expect(printed).to.not.include('This copy is the release');
    expect(complaint).to.include('is not the release 1.2.3: 3 files differ');
  });

  it('says which command compares a copy of another version', async () => {
    list = await listText(await listOf('1.2.4'));
    const path = unpacked(
      packedFor('chromium').set('background.js', utf8('old')),
      join(folder, 'old'),
    );
    const { code, complaint } = await verify(path);
    list = await listText(await listOf());
    expect(code).to.equal(1);
    expect(complaint).to.include('"npx sealwright@1.2.3 verify"');
  });

  it('counts what is no regular file as a difference', async () => {
    const at = unpacked(packedFor('chromium'), join(folder, 'linked'));
    rmSync(join(at, 'background.js'));
    symlinkSync('/dev/null', join(at, 'background.js'));
    symlinkSync('/etc', join(at, 'more'));
    const { code, printed } = await verify(at);
    expect(code).to.equal(1);
    expect(printed).to.include('changed: background.js').and.include('added: more');
  });

  it('says what is no copy, no package and no list: 3, or 4 where there is nothing', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const good = zipped(packedFor('chromium'));
    for (const [path, words] of [
      [empty, 'no copy of Sealwright'],
      [file('a.txt', 'hello'), 'not a zip, xpi or CRX'],
      [file('a.crx', crx(good, 2)), 'another version than 3'],
      [file('cut.zip', good.subarray(0, -30)), 'does not end'],
    ] as const) {
      const { code, complaint } = await verify(path);
      expect([code, complaint.includes(words)], complaint).to.deep.equal([3, true]);
    }
    expect((await verify(join(folder, 'nothing'))).code).to.equal(4);
    expect((await verify('--release', file('list', 'hello'), empty)).code).to.equal(3);
  });

  it('refuses a zip that could be read in two ways', async () => {
    const files = packedFor('chromium').set('background_js', utf8('steal();'));
    const twice = zipped(files);
    for (let at = twice.indexOf('background_js'); at > 0; at = twice.indexOf('background_js')) {
      twice.write('background.js', at);
    }
    const renamed = zipped(packedFor('chromium'));
    renamed.write('backgrounb', renamed.indexOf('background'));
    const damaged = zipSync(Object.fromEntries(packedFor('chromium')), { level: 0 });
    damaged.set(utf8('ran('), Buffer.from(damaged).indexOf('run('));
    const outside = new Map([...packedFor('chromium'), ['../evil.js', utf8('')] as const]);
    const longer = Buffer.concat([zipped(packedFor('chromium')), utf8('PK\x05\x06')]);
    for (const [zip, words] of [
      [twice, 'two entries have one name'],
      [renamed, 'contradict each other'],
      [damaged, 'damaged'],
      [zipped(outside), 'leaves the archive'],
      [longer, 'does not end'],
    ] as const) {
      const { code, complaint } = await verify(file('a.zip', zip));
      expect([code, complaint.includes(words)], complaint).to.deep.equal([3, true]);
    }
  });

  it('takes no altered byte of a zip for the release', async () => {
    const zip = zipped(packedFor('chromium'));
    for (let at = 0; at < zip.length; at += 7) {
      const other = Buffer.from(zip);
      other[at] = zip[at]! ^ 0x41;
      const { code, printed } = await verify(file('a.zip', other));
      // Times and attributes of entries say nothing about what is in them.
      if (code === 0) expect(printed).to.include('6 files are byte-equal');
      else expect(code).to.be.oneOf([1, 3]);
    }
  });
});
