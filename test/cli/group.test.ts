import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fromBase64url, toBase64url } from '../../src/crypto/bytes.ts';
import { runIn } from './terminal.ts';

describe('sealwright (command) with groups', () => {
  let folder: string;
  let id: string;
  /** Public keys, by the name of the identity's file. */
  const keys = new Map<string, string>();
  const at = (name: string) => join(folder, name);
  const sealwright = (...words: string[]) => runIn({}, ...words);

  /** Runs what must succeed. @returns what is printed */
  async function done(...words: string[]): Promise<string> {
    const { code, printed, complaint } = await sealwright(...words);
    expect(code, complaint).to.equal(0);
    return printed.toString().trim();
  }

  const publicKey = (name: string) => keys.get(name)!;
  const change = (admin: string, epochs: string, out: string, ...words: string[]) => {
    const given = ['--admin-key', at(`${admin}.pem`), '--epochs', at(epochs), '--out', at(out)];
    return sealwright('group', 'change', ...given, ...words);
  };
  /** A file with the lines of others. */
  async function joined(name: string, ...others: string[]): Promise<string> {
    const texts = await Promise.all(others.map((each) => readFile(at(each), 'utf8')));
    await writeFile(at(name), texts.join(''));
    return at(name);
  }
  /** The last epoch in a file. */
  const epochIn = async (name: string): Promise<string> =>
    /swge1\.[\w-]+(?=\s*$)/.exec(await readFile(at(name), 'utf8'))![0];
  const seal = (name: string, epochs: string, ...words: string[]) => {
    const given = ['--to', id, '--epochs', at(epochs), '--key-file', at(name)];
    return sealwright('seal', ...given, '--out', at('sealed'), '--force', ...words, at('message'));
  };
  const open = (name: string, ...epochs: string[]) => {
    const given = epochs.flatMap((each) => ['--epochs', at(each)]);
    return sealwright('open', '--shared', '--key-file', at(name), ...given, at('sealed'));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealwright-'));
    await writeFile(at('message'), 'to all of us');
    for (const name of ['ada', 'ben', 'dan', 'eva']) {
      keys.set(name, await done('keygen', '--out', at(name)));
      keys.set(`${name}.pem`, await done('keygen', '--admin', '--out', at(`${name}.pem`)));
    }
    const ben = `${publicKey('ben')} ${publicKey('ben.pem')}`;
    const mine = ['--key-file', at('ada'), '--admin-key', at('ada.pem')];
    const given = [...mine, '--name', 'Café', '--add', ben];
    const made = await sealwright('group', 'create', ...given, '--out', at('first'));
    expect(made.code, made.complaint).to.equal(0);
    id = /swg1\.[\w-]{44}/.exec(made.complaint)![0];
  });
  after(() => rm(folder, { recursive: true }));

  it('seals to one that a member opens, whose header says which group and epoch it is for', async () => {
    expect(await seal('ada', 'first')).to.deep.include({ code: 0, complaint: '' });
    expect((await open('ben', 'first')).printed.toString()).to.equal('to all of us');
    const info = JSON.parse(await done('inspect', '--json', at('sealed'))) as {
      readonly groups: readonly { readonly group: string; readonly epoch: string }[];
    };
    expect(info.groups).to.have.length(1);
    expect(info.groups[0]!.group).to.equal(id);
    const shown = await done('group', 'show', '--epochs', at('first'));
    expect(shown).to.contain(`epoch 0  ${info.groups[0]!.epoch}`);
    expect(await done('inspect', at('sealed'))).to.contain(`group           ${id}\n`);
  });

  it('takes an epoch itself in place of a file, and people beside a group', async () => {
    const epoch = await epochIn('first');
    const to = ['--to', id, '--to', publicKey('eva'), '--epochs', epoch, '--key-file', at('ben')];
    await done('seal', ...to, '--force', '--out', at('sealed'), at('message'));
    expect((await open('eva')).printed.toString()).to.equal('to all of us');
    expect((await open('ada', 'first')).printed.toString()).to.equal('to all of us');
  });

  it('adds and removes members, and says so in words', async () => {
    expect((await change('ada', 'first', 'second', '--add', publicKey('eva'))).code).to.equal(0);
    expect((await change('ben', 'second', 'third', '--remove', publicKey('ada'))).code).to.equal(0);
    await joined('three', 'second', 'third', 'first');
    // Each file has all epochs, as the members need them.
    expect(await done('group', 'show', '--epochs', at('third'))).to.equal(
      await done('group', 'show', '--epochs', at('three')),
    );
    const shown = await done('group', 'show', '--epochs', at('three'));
    expect(shown.split('\n')[0]).to.equal(`group ${id}`);
    expect(shown).to.match(/epoch 1 .*\n {2}signed by (swp1\S+)\n {2}adds member \S{43}\n/);
    expect(shown).to.match(
      /epoch 2 .*\n {2}signed by (swp1\S+)\n {2}removes member \S+, admin swp1/,
    );
    expect(shown).to.contain('now  members: 2, admins: 1\n');
    expect((await seal('ada', 'three')).complaint).to.contain('Only members seal to a group');
    expect((await seal('eva', 'three')).code).to.equal(0);
    expect((await open('ben', 'three')).printed.toString()).to.equal('to all of us');
    expect(await open('ada', 'three')).to.deep.include({ code: 1, printed: Buffer.alloc(0) });
  });

  it('makes a member an admin, takes that back, says both in words, and keeps the last admin', async () => {
    await change('ada', 'first', 'with-eva', '--add', publicKey('eva'));
    const again = (name: string, more = '') => [
      ...['--remove', publicKey(name)],
      ...['--add', publicKey(name) + more],
    ];
    const raising = again('eva', ` ${publicKey('eva.pem')}`);
    expect((await change('ada', 'with-eva', 'raised', ...raising)).code).to.equal(0);
    expect((await change('eva', 'raised', 'lowered', ...again('ben'))).code).to.equal(0);
    const shown = await done('group', 'show', '--epochs', at('lowered'));
    expect(shown).to.match(/\n {2}makes an admin of member \S{43}, admin swp1\S+\nepoch 3 /);
    expect(shown).to.contain(`, admin ${publicKey('eva.pem')}\nepoch 3 `);
    expect(shown).to.match(/\n {2}ends the admin's right of member \S{43}\nnow {2}members: 3, adm/);
    const alone = await change('eva', 'lowered', 'alone', '--remove', publicKey('ada'));
    expect(alone.code).to.equal(0);
    const last = await change('eva', 'alone', 'never', '--remove', publicKey('eva'));
    expect(last).to.deep.include({ code: 3, printed: Buffer.alloc(0) });
    expect(last.complaint).to.contain('no admin is left');
  });

  it('says of which admin a change does not count, who was removed at the same time', async () => {
    await change('ada', 'first', 'without-ben', '--remove', publicKey('ben'));
    await change('ben', 'first', 'by-ben', '--add', publicKey('dan'));
    await joined('void', 'without-ben', 'by-ben');
    const shown = await done('group', 'show', '--epochs', at('void'));
    expect(shown).to.match(/\n {2}signed by swp1\S+\n {2}does not count: .*\n {2}adds member /);
    expect(shown.match(/does not count/g)).to.have.length(1);
    expect(shown).to.contain('now  members: 1, admins: 1\n');
  });

  it('gives new members what was sealed before only where the admin says so', async () => {
    await seal('ada', 'first');
    await change('ada', 'first', 'closed', '--add', publicKey('eva'));
    expect((await open('eva', 'closed')).code).to.equal(1);
    const old = ['--old-keys', '--key-file', at('ada'), '--add', publicKey('eva')];
    expect((await change('ada', 'first', 'given', ...old)).code).to.equal(0);
    expect((await open('eva', 'given')).printed.toString()).to.equal('to all of us');
  });

  it('waits where one admin removed somebody while another changed it, until one has joined both', async () => {
    await change('ada', 'first', 'base', '--add', publicKey('eva'));
    await change('ada', 'base', 'adds', '--add', publicKey('dan'));
    await change('ben', 'base', 'removes', '--remove', publicKey('eva'));
    await joined('forked', 'adds', 'removes');
    const waiting = await done('group', 'show', '--epochs', at('forked'));
    expect(waiting).to.contain('Senders wait').and.to.contain('now  members: 3, admins: 2\n');
    const sealed = await seal('ben', 'forked');
    expect(sealed).to.deep.include({ code: 1, printed: Buffer.alloc(0) });
    expect(sealed.complaint).to.contain('has to join that');
    const early = await change('ben', 'forked', 'never', '--add', publicKey('eva'));
    expect(early.complaint).to.contain('first join what admins changed');
    expect((await change('ben', 'forked', 'whole')).code).to.equal(0);
    expect(await done('group', 'show', '--epochs', at('whole'))).to.match(/\n {2}joins \S+ and /);
    expect((await seal('ben', 'whole')).code).to.equal(0);
    expect((await open('dan', 'whole')).printed.toString()).to.equal('to all of us');
    expect((await open('eva', 'whole')).code).to.equal(1);
  });

  it('says which epoch is missing, forged, or of no admin, and keeps nothing', async () => {
    await seal('ada', 'first');
    const unknown = await open('ben');
    expect(unknown).to.deep.include({ code: 1, printed: Buffer.alloc(0) });
    expect(unknown.complaint).to.match(
      /for an epoch of a group .*Ask an admin of the group for its newest epochs.*--epochs FILE/,
    );
    await change('ada', 'first', 'both');
    await writeFile(at('next'), await epochIn('both'));
    const next = fromBase64url((await epochIn('both')).slice('swge1.'.length));
    next[next.length - 1]! ^= 1;
    await writeFile(at('forged'), `swge1.${toBase64url(next)}\n`);
    await joined('first-and-forged', 'first', 'forged');
    const before = await readdir(folder);
    const given = ['--shared', '--key-file', at('ben'), '--epochs', at('first-and-forged')];
    const forged = await sealwright('open', ...given, '--out', at('opened'), at('sealed'));
    expect(forged).to.deep.include({ code: 3, printed: Buffer.alloc(0) });
    expect(forged.complaint).to.contain('An epoch of the group is refused');
    expect(await readdir(folder)).to.have.members(before);
    await writeFile(at('cut'), (await readFile(at('first'), 'utf8')).slice(0, -8));
    expect((await open('ben', 'cut')).complaint).to.match(
      /cut: Line 4: This is no epoch of a group/,
    );
    const stranger = await change('eva', 'first', 'never');
    expect(stranger).to.deep.include({ code: 1 });
    expect(stranger.complaint).to.contain('is not of an admin');
    const later = await sealwright('group', 'show', '--epochs', at('next'));
    expect(later).to.deep.include({ code: 1, printed: Buffer.alloc(0) });
    expect(later.complaint).to.contain('neither the first nor of an admin who was compared');
    const trusted = ['--trust', publicKey('ada.pem'), '--epochs', at('next')];
    expect(await done('group', 'show', ...trusted)).to.contain('epoch 1');
  });

  it('keeps the name of a group in its file, and gives it another one', async () => {
    const head = async (name: string) => (await readFile(at(name), 'utf8')).split('\n').slice(0, 3);
    expect(await head('first')).to.deep.equal(['Name: Café', '', id]);
    await change('ada', 'first', 'same');
    expect(await head('same')).to.deep.equal(['Name: Café', '', id]);
    await change('ada', 'first', 'other', '--name', 'Tea room');
    expect(await head('other')).to.deep.equal(['Name: Tea room', '', id]);
    for (const name of ['', ' Tea', 'Tea\nroom', 'x'.repeat(101)]) {
      const refused = await change('ada', 'first', 'never', '--name', name);
      expect(refused).to.deep.include({ code: 2, printed: Buffer.alloc(0) });
      expect(refused.complaint).to.contain('--name: one line');
    }
  });

  it('reads files of epochs alone, and takes no file of two groups', async () => {
    const epochs = (await readFile(at('first'), 'utf8')).match(/^swge1\..*$/gm)!;
    await writeFile(at('alone'), `# ours\n${epochs.join('\n')}\n`);
    expect(await done('group', 'show', '--epochs', at('alone'))).to.contain('epoch 0');
    const mine = ['--key-file', at('dan'), '--admin-key', at('dan.pem')];
    await done('group', 'create', ...mine, '--out', at('of-dan'));
    const both = await sealwright(
      'group',
      'show',
      '--epochs',
      await joined('mixed', 'first', 'of-dan'),
    );
    expect(both).to.deep.include({ code: 3, printed: Buffer.alloc(0) });
    expect(both.complaint).to.match(/mixed: Line 5: This is the id of another group/);
    const apart = ['--epochs', at('first'), '--epochs', at('of-dan')];
    expect((await sealwright('group', 'show', ...apart)).complaint).to.contain('several groups');
    expect(
      (await sealwright('seal', '--to', id, ...apart, '--key-file', at('ben'), at('message'))).code,
    ).to.equal(0);
  });

  it('says what is wrong with its options and keys', async () => {
    await done('keygen', '--named', '--out', at('named'));
    const first = ['--epochs', at('first')];
    const cases: [string[], number, string][] = [
      [['group'], 2, 'create, change, show'],
      [['group', 'delete'], 2, 'There is no ACTION "delete"'],
      [['group', 'show'], 2, 'group show needs --epochs FILE'],
      [['group', 'show', ...first, '--remove', publicKey('ben')], 2, 'has no option --remove'],
      [['group', 'show', ...first, '--name', 'Tea'], 2, 'has no option --name'],
      [['group', 'create', '--key-file', at('ada')], 2, 'needs --admin-key FILE'],
      [['keygen', '--named', '--admin'], 2, 'not both'],
      [['group', 'change', ...first, '--admin-key', at('ada')], 3, 'not a private key of Ed25519'],
      [['seal', '--to', id, ...first, at('message')], 2, 'Only members seal to a group'],
      [['seal', '--to', id, ...first, '--key-file', at('named'), at('message')], 3, 'of a member'],
      [['seal', '--to', id, '--key-file', at('ada'), at('message')], 1, 'No epoch of the group'],
      [['seal', '--to', 'swg1.x', ...first, '--key-file', at('ada'), at('message')], 3, '49 char'],
      [['group', 'show', '--trust', 'swp1.x', ...first], 3, '--trust: this is not a public key'],
    ];
    for (const [words, code, complaint] of cases) {
      const refusal = await sealwright(...words);
      expect(refusal, words.join(' ')).to.deep.include({ code, printed: Buffer.alloc(0) });
      expect(refusal.complaint).to.contain(complaint);
    }
    const twice = await change('ada', 'first', 'never', '--add', publicKey('ben'));
    expect(twice).to.deep.include({ code: 3 });
    expect(twice.complaint).to.contain('is a member already');
  });
});
