import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession } from '../../drivers/driver.ts';
import { BROWSERS, launch } from '../../drivers/launch.ts';
import { createVault } from '../../steps.ts';
import { Contact, textIn, type Saved } from '../contact.ts';
import { PATIENCE_MS } from '../person.ts';
import { chooseFor, doFor, opened, sealedForGroup, untilCount } from './group-steps.ts';

/** What the command printed, and said on standard error. */
interface Outcome {
  readonly code: number;
  readonly printed: string;
  readonly complaint: string;
}

/** The command that was built, in a folder with its files. */
class CommandLine {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  run(...words: readonly string[]): Promise<Outcome> {
    return new Promise((settle) => {
      const program = [resolve('dist/lib/cli.js'), ...words];
      execFile(process.execPath, program, { cwd: this.folder }, (error, printed, complaint) =>
        settle({ code: Number(error?.code ?? 0), printed: printed.trim(), complaint }),
      );
    });
  }

  /** Runs what must succeed. @returns what is printed */
  async done(...words: readonly string[]): Promise<string> {
    const { code, printed, complaint } = await this.run(...words);
    expect(code, complaint).to.equal(0);
    return printed;
  }

  seal(name: string, id: string, file: string, text: string): Promise<Outcome> {
    const to = ['--to', id, '--epochs', file, '--key-file', name];
    const written = ['--out', 'sealed', '--force'];
    return this.put('plan.txt', text).then(() => this.run('seal', ...to, ...written, 'plan.txt'));
  }

  open(name: string, file: string, sealed: string): Promise<Outcome> {
    const given = ['--shared', '--epochs', file, '--key-file', name];
    return this.put('letter', sealed).then(() => this.run('open', ...given, 'letter'));
  }

  async put(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, name), text);
  }

  /** A file to be dropped. */
  async file(name: string): Promise<Saved> {
    return { name, bytes: [...(await readFile(join(this.folder, name)))] };
  }
}

/** One who has the manager, and others who have the command. */
for (const browser of BROWSERS) {
  describe(`a group of people with the manager and the command, in ${browser}`, function () {
    this.timeout(180_000);
    let session: BrowserSession;
    let alice: Contact;
    let alicesKey: string;
    let command: CommandLine;
    /** Public keys by the names of the files of identities and of admins. */
    const keys = new Map<string, string>();
    const key = (name: string) => keys.get(name)!;
    const detailsOf = (id: string) => `[id="group-${id}"]`;
    const membersOf = (id: string) => `${detailsOf(id)} .rows > .row`;
    const drop = async (name: string) => alice.drop(await command.file(name));

    /** What the manager saves as the file of a group that is shown. @returns its name */
    async function savedFile(id: string): Promise<string> {
      await alice.click(`[id="group-save-${id}"]`);
      const file = await alice.saved();
      await command.put(file.name, textIn(file));
      return file.name;
    }

    /** The key that the manager shows to whom others make an admin. */
    async function alicesAdminKey(): Promise<string> {
      await alice.click('#show-own-admin');
      await alice.tab.waitFor('#own-admin-key', PATIENCE_MS);
      return (await alice.tab.text('#own-admin-key')).trim();
    }

    async function addContact(name: string): Promise<void> {
      await alice.click('#nav-contacts');
      await alice.paste('#contact-key', `Name: ${name}\n${key(name)}`);
      await alice.click('#add-contact');
      await alice.tab.waitUntil(
        (wanted) =>
          [...document.querySelectorAll('#contacts .row-title')].some(
            ({ textContent }) => textContent === wanted,
          ),
        { timeoutMs: PATIENCE_MS },
        name,
      );
    }

    /** Makes a group by the command, of which Ada is an admin. @returns its id */
    async function made(
      name: string,
      file: string,
      ...members: readonly string[]
    ): Promise<string> {
      const mine = ['--name', name, '--key-file', 'ada', '--admin-key', 'ada.pem'];
      const added = members.flatMap((each) => ['--add', each]);
      const { complaint } = await command.run('group', 'create', ...mine, ...added, '--out', file);
      return /swg1\.[\w-]{44}/.exec(complaint)![0];
    }

    const changed = (file: string, out: string, ...words: readonly string[]) => {
      const given = ['--epochs', file, '--admin-key', 'ada.pem', '--out', out, '--force'];
      return command.done('group', 'change', ...given, ...words);
    };

    before(async () => {
      command = new CommandLine(await mkdtemp(join(tmpdir(), 'sealwright-groups-')));
      for (const name of ['ada', 'ben', 'eva']) {
        keys.set(name, await command.done('keygen', '--out', name));
      }
      keys.set('ada.pem', await command.done('keygen', '--admin', '--out', 'ada.pem'));
      session = await launch(browser);
      await createVault(session);
      alice = await Contact.at(session);
      await alice.click('#nav-contacts');
      await alice.type('#invite-name', 'Alice');
      await alice.click('#invite-save');
      alicesKey = /swp1\.[\w-]+/.exec(textIn(await alice.saved()))![0];
    });

    after(async () => {
      await session.close();
      await rm(command.folder, { recursive: true });
    });

    it('is made by the command: the manager takes it, seals to it, and learns who left', async () => {
      const file = 'team.group.txt';
      const id = await made('Team', file, alicesKey, key('ben'));
      await alice.click('#nav-contacts');
      await alice.choose('#group-file', join(command.folder, file));
      await untilCount(alice, membersOf(id), 3);
      expect(await alice.tab.text('#group-list .row-title')).to.equal('Team');

      const first = await sealedForGroup(alice, 'Lunch at one', { id, alone: true });
      for (const name of ['ada', 'ben']) {
        expect((await command.open(name, file, first)).printed).to.equal('Lunch at one');
      }
      expect((await command.seal('ben', id, file, 'I shall be late')).code).to.equal(0);
      await drop('sealed');
      expect(await opened(alice)).to.equal('I shall be late');

      await changed(file, file, '--remove', key('ben'));
      await drop(file);
      await untilCount(alice, membersOf(id), 2);
      const second = await sealedForGroup(alice, 'Dinner at eight', { id, alone: true });
      expect((await command.open('ada', file, second)).printed).to.equal('Dinner at eight');
      const refused = await command.open('ben', file, second);
      expect(refused).to.include({ code: 1, printed: '' });
      expect(refused.complaint).to.include('for an epoch of a group');
    });

    it('is made by the manager: the command seals to it, and is told who left', async () => {
      await addContact('ada');
      await alice.type('#group-name', 'Choir');
      await alice.click('#make-group-form .people input');
      await alice.click('#make-group');
      await untilCount(alice, '#group-list > li', 2);
      await alice.tab.waitFor('#group-list > li:nth-child(1) .confirm', PATIENCE_MS);
      const id = await alice.tab.evaluate(() =>
        document.querySelector('#group-list > li .confirm')!.id.slice('group-'.length),
      );
      const file = await savedFile(id);
      expect(file).to.equal('Choir.group.txt');
      const shown = await command.done('group', 'show', '--epochs', file);
      expect(shown).to.include(`group ${id}`).and.to.include('now  members: 2, admins: 1');
      const adminKey = await alicesAdminKey();
      expect(shown).to.include(`signed by ${adminKey}\n`);
      keys.set('alice.admin', adminKey);

      expect((await command.seal('ada', id, file, 'I bring the scores')).code).to.equal(0);
      await drop('sealed');
      expect(await opened(alice)).to.equal('I bring the scores');
      const first = await sealedForGroup(alice, 'Rehearsal at six', { id, alone: true });
      expect((await command.open('ada', file, first)).printed).to.equal('Rehearsal at six');

      // Ada becomes an admin by the key that the command made, and changes by the command what the manager made.
      await alice.click('#nav-contacts');
      await alice.click('#group-list > li:nth-child(1) [aria-expanded="false"]');
      await chooseFor(alice, `${membersOf(id)}:nth-child(2)`, 'make-admin');
      await alice.paste('[id^="admin-key-"]', key('ada.pem'));
      await alice.click('[id^="admin-match-"]');
      await alice.tab.waitFor(`${membersOf(id)}:nth-child(2) .row-detail`, PATIENCE_MS);
      await changed(await savedFile(id), 'with-eva.group.txt', '--add', key('eva'));
      await drop('with-eva.group.txt');
      await untilCount(alice, membersOf(id), 3);
      expect((await command.seal('eva', id, 'with-eva.group.txt', 'I sing, too')).code).to.equal(0);
      await drop('sealed');
      expect(await opened(alice)).to.equal('I sing, too');

      await alice.click('#nav-contacts');
      await alice.click('#group-list > li:nth-child(1) [aria-expanded="false"]');
      await doFor(alice, `${membersOf(id)}:nth-child(2)`, 'remove');
      await untilCount(alice, membersOf(id), 2);
      const newer = await savedFile(id);
      const sealing = await command.seal('ada', id, newer, 'And now?');
      expect(sealing.complaint).to.include('Only members seal to a group');
      const second = await sealedForGroup(alice, 'Rehearsal at seven', { id, alone: true });
      const refused = await command.open('ada', newer, second);
      expect(refused).to.include({ code: 1, printed: '' });
      expect(refused.complaint).to.include('for an epoch of a group');
    });

    it('is changed by an admin of each at the same time, and joined by the manager', async () => {
      await addContact('eva');
      const alicesKeys = `${alicesKey} ${key('alice.admin')}`;
      const id = await made('Band', 'band.group.txt', alicesKeys, key('ben'));
      await alice.choose('#group-file', join(command.folder, 'band.group.txt'));
      await untilCount(alice, membersOf(id), 3);

      await alice.click(`${detailsOf(id)} [id^="add-"]`);
      await alice.click(`${detailsOf(id)} form [type="submit"]`);
      await untilCount(alice, membersOf(id), 4);
      await changed('band.group.txt', 'without-ben.group.txt', '--remove', key('ben'));
      await drop('without-ben.group.txt');
      await alice.tab.waitFor('#group-list .state-warning', PATIENCE_MS);
      expect(await alice.tab.text('#group-list .state-warning')).to.include('at the same time');

      await alice.click(`${detailsOf(id)} .actions .button-primary`);
      await untilCount(alice, '#group-list .state-warning', 0);
      await untilCount(alice, membersOf(id), 3);
      const file = await savedFile(id);
      expect(await command.done('group', 'show', '--epochs', file)).to.match(
        /\n {2}joins \S+ and /,
      );
      expect((await command.seal('ada', id, file, 'We play at nine')).code).to.equal(0);
      await drop('sealed');
      expect(await opened(alice)).to.equal('We play at nine');
      const sealed = await sealedForGroup(alice, 'Encore', { id, alone: true });
      expect((await command.open('eva', file, sealed)).printed).to.equal('Encore');
      expect(await command.open('ben', file, sealed)).to.include({ code: 1, printed: '' });
    });
  });
}
