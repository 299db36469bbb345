import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type * as Format from '../../../src/library/format.ts';
import type * as SharingLibrary from '../../../src/library/sharing.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { dropOn } from '../file-steps.ts';
import { PATIENCE_MS } from '../drivers/page-function.ts';
import { closeScene, openSiteScene } from '../scene.ts';
import type { TestServer } from '../server.ts';
import { bytes, connect, createVault, openEnabledSite, refusal, succeed } from '../steps.ts';

type Bytes = ReturnType<typeof bytes>;

const SHARING = {
  purpose: 'Letters',
  key: { kind: 'sharing', label: 'Letters' },
  capabilities: ['seal', 'open', 'publicKey'],
};

/** What of window.sealwright is called here beside what `steps.ts` calls. */
interface Sealwright {
  readonly sealedLength: (bytes: number, options: object) => number;
  readonly seal: (bytes: Uint8Array, options: object) => Promise<Uint8Array<ArrayBuffer>>;
  readonly open: (bytes: Uint8Array, options: object) => Promise<Uint8Array<ArrayBuffer>>;
  readonly sealBlob: (blob: Blob, options: object) => Promise<Blob>;
  readonly openBlob: (blob: Blob, options: object) => Promise<Blob>;
  readonly sealMany: (items: readonly Uint8Array[], options: object) => Promise<readonly Item[]>;
  readonly openMany: (items: readonly Uint8Array[], options: object) => Promise<readonly Item[]>;
  readonly sealStream: (options: object) => TransformStream<Uint8Array, Uint8Array>;
  readonly openStream: (options: object) => TransformStream<Uint8Array, Uint8Array>;
}
interface Item {
  readonly value: Uint8Array<ArrayBuffer>;
}

/** In the page. */
declare const sealwright: Sealwright;

/** The built library, as a server imports it. */
async function library<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(resolve(`dist/lib/${name}.js`)).href)) as T;
}

/* Two people, each with a profile and a vault of their own, on the same site. */
for (const browser of BROWSERS) {
  describe(`sharing between two profiles, in ${browser}`, function () {
    this.timeout(120_000);
    let server: TestServer;
    let alice: BrowserSession;
    let bob: BrowserSession;
    let aliceSite: Tab;
    let bobSite: Tab;
    let publicKey: string;
    let keyId: string;

    before(async () => {
      ({ session: alice, server, site: aliceSite } = await openSiteScene(browser));
      bob = await launch(browser);
      await createVault(bob);
      bobSite = await openEnabledSite(bob, `${server.origin}/blank.html`);
      await connect(alice, aliceSite);
      const outcome = await connect(bob, bobSite, SHARING);
      const [grant] = (outcome as unknown as { value: readonly { keyId: string }[] }).value;
      keyId = grant!.keyId;
      publicKey = (await succeed(bobSite, 'publicKey', keyId)) as string;
    });

    after(async () => {
      await bob.close();
      await closeScene({ session: alice, server });
    });

    it('shows a public key of X-Wing, and knows how long messages to it are', async () => {
      expect(publicKey).to.match(/^swp1\.A[g-v][\w-]{1621}$/);
      const length = await aliceSite.evaluate(
        (key) => sealwright.sealedLength(3, { to: [key] }),
        publicKey,
      );
      const sealed = (await succeed(aliceSite, 'seal', bytes(1, 2, 3), {
        to: [publicKey],
      })) as Bytes;
      expect(sealed.$bytes.length).to.equal(length);
      expect(await succeed(bobSite, 'inspect', sealed)).to.include({ recipients: 1 });
    });

    it('passes a message on, to a page that asked for shared ones', async () => {
      const options = { to: [publicKey], context: 'letter' };
      const sealed = await succeed(aliceSite, 'seal', bytes(1, 2, 3), options);
      const asked = { accept: 'shared', context: 'letter' };
      expect(await succeed(bobSite, 'open', sealed, asked)).to.deep.equal(bytes(1, 2, 3));
      expect(await refusal(bobSite, 'open', sealed, { context: 'letter' })).to.equal('AUTH_FAILED');
      expect(await refusal(aliceSite, 'open', sealed, asked)).to.equal('AUTH_FAILED');
    });

    it('seals to a group of a page and a server, each of which opens it, also through the content script', async () => {
      const { openMessage, sealMessage } = await library<typeof Format>('format');
      const { createGroup, generateIdentity, groupAdmin, openGroup, ...sharing } =
        await library<typeof SharingLibrary>('sharing');
      const identity = await generateIdentity();
      const admin = await groupAdmin(crypto.getRandomValues(new Uint8Array(32)));
      const adminKey = sharing.publicKeyText({ type: 'Ed25519', bytes: admin.publicKey });
      const members = [{ publicKey }, { publicKey: identity.publicKey, adminKey }];
      const { id, epoch } = await createGroup(members, admin);
      const epochs = [epoch];
      const groups = [await openGroup({ id, epochs, identities: [identity] })];
      const { origin } = server;

      const to = [id];
      const options = { key: keyId, to, epochs };
      const { $bytes } = (await succeed(bobSite, 'seal', bytes(1, 2, 3), options)) as Bytes;
      const opening = sharing.openingWith([identity], { groups });
      const asked = { purpose: 'page', origin, accept: 'shared', ...opening } as const;
      expect([...(await openMessage(asked, Uint8Array.from($bytes)))]).to.deep.equal([1, 2, 3]);
      const sealing = sharing.sealingTo([id], { groups });
      const message = Uint8Array.of(4, 5);
      const sealed = bytes(
        ...(await sealMessage({ purpose: 'page', origin, ...sealing }, message)),
      );
      const open = (...known: readonly string[]) => ({ accept: 'shared', epochs: known });
      expect(await succeed(bobSite, 'open', sealed, open(epoch))).to.deep.equal(bytes(4, 5));
      expect(await refusal(bobSite, 'open', sealed, open())).to.equal('NEEDS_KEY');
      expect(await refusal(aliceSite, 'seal', bytes(1), { to, epochs })).to.equal('NEEDS_KEY');

      const same = await bobSite.evaluate(
        async (key, group, known) => {
          const blob = new Blob([new Uint8Array(3_000_000).fill(7)]);
          const hidden = await sealwright.sealBlob(blob, { key, to: [group], epochs: [known] });
          const shown = await sealwright.openBlob(hidden, { accept: 'shared', epochs: [known] });
          const read = new Uint8Array(await shown.arrayBuffer());
          return read.length === 3_000_000 && read.every((byte) => byte === 7);
        },
        keyId,
        id,
        epoch,
      );
      expect(same).to.equal(true);

      const removed = await groups[0]!.change({ remove: [publicKey] }, admin);
      const both = { key: keyId, to, epochs: [removed, epoch] };
      expect(await refusal(bobSite, 'seal', bytes(1), both)).to.equal('NEEDS_KEY');
      expect(await refusal(bobSite, 'seal', bytes(1), options)).to.equal('NEEDS_KEY');
    });

    it('opens what a server sealed with the library, and a server opens what a page sealed', async () => {
      const { openMessage, sealMessage } = await library<typeof Format>('format');
      const { generateIdentity, openingWith, sealingTo } =
        await library<typeof SharingLibrary>('sharing');
      const message = Uint8Array.of(1, 2, 3);
      const bound = { origin: server.origin, associatedData: new TextEncoder().encode('letter') };
      for (const context of [bound, {}]) {
        const options = { purpose: 'page', ...context, ...sealingTo([publicKey]) } as const;
        const sealed = bytes(...(await sealMessage(options, message)));
        const asked = { accept: 'shared', ...('origin' in context && { context: 'letter' }) };
        expect(await succeed(bobSite, 'open', sealed, asked)).to.deep.equal(bytes(1, 2, 3));
        expect(await refusal(aliceSite, 'open', sealed, asked)).to.equal('AUTH_FAILED');
      }
      const identity = await generateIdentity();
      const to = { to: [identity.publicKey], context: 'letter' };
      const { $bytes } = (await succeed(aliceSite, 'seal', bytes(1, 2, 3), to)) as Bytes;
      const open = { purpose: 'page', ...bound, accept: 'shared' } as const;
      const opened = await openMessage(
        { ...open, ...openingWith([identity]) },
        Uint8Array.from($bytes),
      );
      expect(opened).to.deep.equal(message);
    });

    it('opens a stream of a server, and a server opens a stream of a page', async () => {
      const { openStream, sealStream } = await library<typeof Format>('format');
      const { generateIdentity, openingWith, sealingTo } =
        await library<typeof SharingLibrary>('sharing');
      const { origin } = server;
      const through = async (content: Uint8Array, stream: TransformStream) => {
        const source = new Blob([new Uint8Array(content)]).stream();
        return Buffer.from(await new Response(source.pipeThrough(stream)).arrayBuffer());
      };
      const content = Buffer.alloc(1_100_000, 'sealed ');
      const sealed = await through(content, sealStream({ origin, ...sealingTo([publicKey]) }));
      const identity = await generateIdentity();
      const found = await bobSite.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        const asked = { accept: 'shared' };
        const stream = new Blob([bytes]).stream().pipeThrough(sealwright.openStream(asked));
        const blob = await sealwright.openBlob(new Blob([bytes]), asked);
        return [await new Response(stream).text(), await blob.text()];
      }, sealed.toString('base64'));
      const text = content.toString();
      expect(found.map((one) => one === text)).to.deep.equal([true, true]);
      const back = await aliceSite.evaluate(
        async ({ letter, to }) => {
          const stream = new Blob([letter])
            .stream()
            .pipeThrough(sealwright.sealStream({ to: [to] }));
          const again = new Uint8Array(await new Response(stream).arrayBuffer());
          return btoa(Array.from(again, (byte) => String.fromCharCode(byte)).join(''));
        },
        { letter: text, to: identity.publicKey },
      );
      const opening = openStream({ origin, accept: 'shared', ...openingWith([identity]) });
      const again = await through(Buffer.from(back, 'base64'), opening);
      expect(again.equals(content)).to.equal(true);
    });

    it('takes a text that was written in the manager, for oneself or for a contact', async () => {
      const manager = await alice.newTab(alice.extensionUrl('manager.html#contacts'));
      await manager.waitFor('#contact-key');
      const card = new TextEncoder().encode(`Name: Bob\n${publicKey}\n`);
      await dropOn(manager, 'Bob.contact.txt', card);
      await manager.waitFor('#contacts li');
      await manager.click('#nav-home');
      await manager.waitFor('.home-state');
      const due = () =>
        [...document.querySelectorAll<HTMLElement>('.home-state')].map((line) => line.dataset.due);
      expect(await manager.evaluate(due)).to.deep.equal(['true', 'true', 'false']);
      await manager.click('#home-write');
      await manager.waitFor('#audience-people');
      await manager.click('#write-seal');
      await manager.waitFor('#write-text[aria-invalid="true"]');
      await manager.type('#write-text', 'Meet me at the old mill');
      await manager.click('#audience-people');
      await manager.click('.people input');
      await manager.click('#write-seal');
      await manager.waitFor('#written');
      const written = () => document.querySelector<HTMLTextAreaElement>('#written')!.value;
      const sealed = await manager.evaluate(written);
      expect(sealed).to.match(/^swt1[a-z2-9]+0$/);
      await manager.close();
      for (const session of [alice, bob]) {
        const files = await session.newTab(session.extensionUrl('manager.html#files'));
        await files.waitFor('#open-text');
        await dropOn(files, 'letter.txt', new TextEncoder().encode(`Hello!\n${sealed}\nBob`));
        await files.waitFor('pre.opened', PATIENCE_MS);
        expect(await files.text('pre.opened')).to.equal('Meet me at the old mill');
        await files.close();
      }
    });

    it('passes large messages, Blobs, streams and batches on as well, to oneself too', async () => {
      const sent = await aliceSite.evaluate(async (key) => {
        const options = { to: [key], toSelf: true };
        const large = new Uint8Array(200_000).map((_, i) => i * 31);
        const text = async (content: BodyInit) => {
          const list = new Uint8Array(await new Response(content).arrayBuffer());
          return Array.from(list, (byte) => String.fromCharCode(byte)).join('');
        };
        const [item] = await sealwright.sealMany([large.slice(0, 9)], options);
        const stream = new Blob([large]).stream().pipeThrough(sealwright.sealStream(options));
        return {
          whole: await text(await sealwright.seal(large, options)),
          blob: await text(await sealwright.sealBlob(new Blob([large]), options)),
          stream: await text(stream),
          item: await text(item!.value),
        };
      }, publicKey);
      for (const site of [aliceSite, bobSite]) {
        const opened = await site.evaluate(async (given) => {
          const options = { accept: 'shared' } as const;
          const list = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
          const isSame = async (content: BodyInit, length: number) => {
            const found = new Uint8Array(await new Response(content).arrayBuffer());
            return found.length === length && found.every((byte, i) => byte === ((i * 31) & 255));
          };
          const [item] = await sealwright.openMany([list(given.item)], options);
          const stream = new Blob([list(given.stream)]).stream();
          const blob = await sealwright.openBlob(new Blob([list(given.blob)]), options);
          return [
            await isSame(await sealwright.open(list(given.whole), options), 200_000),
            await isSame(blob, 200_000),
            await isSame(stream.pipeThrough(sealwright.openStream(options)), 200_000),
            await isSame(item!.value, 9),
          ];
        }, sent);
        expect(opened).to.deep.equal([true, true, true, true]);
      }
    });
  });
}
