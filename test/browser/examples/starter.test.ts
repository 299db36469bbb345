import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { answerPrompt, createVault, enableSite, lockVault } from '../steps.ts';

/* examples/starter as its README has it started: in a folder of its own, with the package as it is published. */
for (const browser of BROWSERS) {
  describe(`the notes app to begin with, in ${browser}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-starter-'));
    let session: BrowserSession;
    let server: ChildProcess;
    let origin: string;
    let site: Tab;

    before(async () => {
      cpSync('examples/starter', folder, { recursive: true });
      mkdirSync(join(folder, 'node_modules'));
      const packages = { sealwright: 'dist/package', express: 'node_modules/express' };
      for (const [name, at] of Object.entries(packages)) {
        symlinkSync(resolve(at), join(folder, 'node_modules', name));
      }
      const env = { ...process.env, PORT: '0' };
      server = spawn(process.execPath, ['server.mjs'], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(server.stdout!, 'data')) as [Buffer];
      origin = String(line).trim();
      session = await launch(browser);
      await createVault(session);
      site = await session.newTab(`${origin}/`);
      await enableSite(session, site);
    });
    after(async () => {
      await session.close();
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    });

    const notesAre = (...texts: string[]): Promise<void> =>
      site.waitUntil(
        (wanted) =>
          Array.from(
            document.querySelectorAll('#notes li'),
            (item) => item.firstChild!.textContent,
          ).join('\n') === wanted,
        {},
        texts.join('\n'),
      );
    const isShown = (selector: string): Promise<void> =>
      site.waitUntil(
        (wanted) => document.querySelector<HTMLElement>(wanted)!.hidden === false,
        {},
        selector,
      );

    it('seals a note for its server, and opens it', async () => {
      await isShown('#connect');
      await site.click('#connect');
      await answerPrompt(session);
      await isShown('#add');
      await site.type('#text', 'Meet me at nine');
      await site.click('#add button');
      await notesAre('Meet me at nine');
      const stored = readFileSync(join(folder, 'notes.json'), 'utf8');
      expect(stored).to.include('sw1.').and.not.include('nine');
    });

    it('has it after a reload, without a question', async () => {
      await site.reload();
      await notesAre('Meet me at nine');
    });

    it('shows no text once the vault is locked, and a button that unlocks it', async () => {
      await lockVault(session);
      await notesAre();
      await isShown('#connect');
    });

    it('keeps nothing on its server that is not sealed', async () => {
      const options = { method: 'PUT', headers: { 'content-type': 'application/json' } };
      const answer = await fetch(`${origin}/notes/7`, {
        ...options,
        body: JSON.stringify({ sealed: 'in clear' }),
      });
      expect(answer.status).to.equal(400);
      expect(readFileSync(join(folder, 'notes.json'), 'utf8')).to.not.include('clear');
    });
  });
}
