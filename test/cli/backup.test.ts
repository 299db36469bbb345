import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../../src/cli/run.ts';
import { fastestArgon2id } from '../../src/engine/fastest-argon2id.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import { sealMessage } from '../../src/format/message.ts';
import { ageFiles } from '../support/age-files.ts';
import { NATIVE_X25519 } from '../../src/engine/kem/native-x25519.ts';
import { xWingKem } from '../../src/engine/kem/x-wing-kem.ts';
import { NAMED_KEY_RECIPIENT, recipientTypeOf } from '../../src/format/wire/recipient-table.ts';
import { Backups } from '../../src/keys/backup/backups.ts';
import { ARGON2ID_MIN } from '../../src/format/passphrase.ts';
import { allTypes } from '../format/shared-vectors.ts';
import { systemRandom } from '../support/stores/memory-store.ts';
import { loadWasm } from '../support/wasm.ts';
import { PASSPHRASE, TestBrowser } from '../keys/world.ts';
import { noInput } from './terminal.ts';

const ORIGIN = 'https://example.org';
const OWN = 'a passphrase of its own';

describe('sealwright (command) with a backup', function () {
  this.timeout(120_000);
  let folder: string;
  let sealed: Uint8Array;
  const at = (name: string) => join(folder, name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealwright-'));
    const derive = fastestArgon2id(loadWasm);
    const world = new TestBrowser();
    const vault = world.vault({ derive, calibrate: () => Promise.resolve(ARGON2ID_MIN) });
    await vault.create(PASSPHRASE);
    const ring = world.keyRing(vault);
    const { ref } = await ring.createSealingKey('Letters\u001b[31m');
    await ring.sealingMaterial(ref, ORIGIN);
    const { key, keyId } = await ring.sealingMaterial('app', ORIGIN);
    sealed = await sealMessage(
      { key, keyId, purpose: 'page', origin: ORIGIN },
      Buffer.from('Grüße'),
    );
    const { ref: sharingRef } = await vault.commit((draft) =>
      Promise.resolve(ring.addKey(draft, { kind: 'sharing', label: 'To me' })),
    );
    const seed = (await ring.userKey(sharingRef)).generations[0]!.key;
    const shown = {
      type: recipientTypeOf('X-Wing'),
      key: await xWingKem(() => NATIVE_X25519).publicKey(seed),
    };
    const toSelf = { type: NAMED_KEY_RECIPIENT, key };
    for (const [name, recipients] of Object.entries({ wing: [shown], self: [toSelf] })) {
      const shared = { keyId, purpose: 'page', recipients, recipientTypes: allTypes() } as const;
      await writeFile(at(name), await sealMessage(shared, Buffer.from('geteilt')));
    }
    const now = () => world.time;
    const backups = new Backups({ vault, random: systemRandom, derive, age: ageFiles, now });
    await writeFile(
      at('backup'),
      await backups.make({ passphrase: PASSPHRASE }, { passphrase: OWN }),
    );
    await writeFile(at('sealed'), sealed);
    await writeFile(at('passphrase'), `${OWN}\n`);
    await writeFile(at('wrong'), 'wrong');
  });
  after(() => rm(folder, { recursive: true }));

  async function sealwright(...words: string[]) {
    let printed = '';
    let complaint = '';
    const code = await run(words, {
      print: (content) => Promise.resolve(void (printed += Buffer.from(content).toString())),
      isTerminal: false,
      input: noInput,
      ownList: () => Promise.resolve(''),
      version: '',
      complain: (text) => Promise.resolve(void (complaint += text)),
    });
    return { code, printed, complaint };
  }
  const withBackup = () => ['--backup', at('backup'), '--passphrase-file', at('passphrase')];

  it('opens what was sealed to a sharing key, or to oneself, when asked to', async () => {
    for (const name of ['wing', 'self']) {
      const words = ['open', ...withBackup(), at(name)];
      const opened = await sealwright(...words, '--shared');
      expect(opened).to.deep.equal({ code: 0, printed: 'geteilt', complaint: '' });
      const unasked = await sealwright(...words);
      expect(unasked.code).to.equal(2);
      expect(unasked.complaint).to.include('--shared');
    }
  });

  it('opens a message with the key that its header names', async () => {
    const words = ['open', ...withBackup(), '--origin', ORIGIN, at('sealed')];
    expect(await sealwright(...words)).to.deep.equal({ code: 0, printed: 'Grüße', complaint: '' });
  });

  it('lists what is in it, and no key', async () => {
    const { code, printed } = await sealwright(
      'backup',
      '--passphrase-file',
      at('passphrase'),
      at('backup'),
    );
    expect(code).to.equal(0);
    expect(printed).to.match(/made {12}2023-11-14T22:13:20.000Z\n/);
    expect(printed).to.contain(`header key id ${inspect(sealed).headerKeyId!}  ${ORIGIN}  App key`);
    expect(printed).to.contain('  Letters\uFFFD[31m  (generations: 1)');
    expect(printed.match(/[\w-]{43}/g)).to.equal(null); // 32 bytes as base64url
  });

  it('says what is wrong: passphrase, file, message, words', async () => {
    const wrong = ['--backup', at('backup'), '--passphrase-file', at('wrong')];
    const cases: [number, RegExp, string[]][] = [
      [1, /passphrase is another one/, ['open', ...wrong, '--origin', ORIGIN, at('sealed')]],
      [3, /Not a backup/, ['backup', '--passphrase-file', at('passphrase'), at('sealed')]],
      [
        4,
        /There is no file .*nowhere/,
        ['backup', '--passphrase-file', at('nowhere'), at('backup')],
      ],
      [2, /--passphrase-file FILE/, ['open', '--backup', at('backup'), at('sealed')]],
      [
        2,
        /--key-file FILE, --backup FILE, --passphrase-file FILE or --identity FILE/,
        ['open', at('sealed')],
      ],
      [2, /not both/, ['open', '--key-file', 'x', '--passphrase-file', 'x', 'y']],
      [2, /backup has no option --origin/, ['backup', '--origin', ORIGIN, at('backup')]],
      [2, /--passphrase-file FILE/, ['backup', at('backup')]],
    ];
    for (const [exitCode, words, args] of cases) {
      const { code, complaint, printed } = await sealwright(...args);
      expect({ code, printed }, args.join(' ')).to.deep.equal({ code: exitCode, printed: '' });
      expect(complaint).to.match(words);
    }
  });

  it('does not find the key of a message that the vault never saw', async () => {
    const other = systemRandom.bytes(16);
    const message = { key: systemRandom.bytes(32), keyId: other, purpose: 'page' } as const;
    await writeFile(at('foreign'), await sealMessage(message, Buffer.from('x')));
    const { code, complaint } = await sealwright('open', ...withBackup(), at('foreign'));
    expect(code).to.equal(1);
    expect(complaint).to.match(/does not hold the key/);
    expect(await readFile(at('passphrase'), 'utf8')).to.equal(`${OWN}\n`);
  });
});
