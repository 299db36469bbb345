import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import { adapterSamples } from '../../support/samples/adapter-samples.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import type { Adapters } from '../in-page/libraries/adapters.ts';
import { answer } from '../server.ts';
import { answerPrompt, createVault, lockVault, openEnabledSite, unlockVault } from '../steps.ts';
import { pickKey } from '../sync-steps.ts';

declare const adapters: Adapters;

/** In every text that a test gives to a library; nowhere else. */
const SECRET = 'the river bends';
const MIB = 2 ** 20;

/** The page's half of the sample, and what the test keeps between its calls. */
interface VideoPage {
  sealedVideo: (
    name: string,
    file: Blob,
  ) => Promise<{ body: ReadableStream; sealedKey: Uint8Array }>;
  openedVideo: (video: object) => Promise<string>;
  sealedKey: Uint8Array;
  recording: Blob;
  /** Makes what a module exports global. */
  load: (url: string) => Promise<void>;
}
type World = typeof globalThis & VideoPage;

/* sealwright/adapters with the real libraries, on the browsers' own IndexedDB, and the sample of a sealed video. */
for (const browser of BROWSERS) {
  describe(`adapters, in ${browser}`, function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-adapters-'));
    let session: BrowserSession;
    let server: MediaServer;
    let site: Tab;

    before(async () => {
      writeFileSync(join(folder, 'index.html'), PAGE);
      [session, server] = await Promise.all([
        launch(browser),
        serveMedia(folder),
        bundleAdapters(join(folder, 'adapters.js')),
        bundleSamples(folder),
      ]);
      await createVault(session);
      site = await openEnabledSite(session, `${server.origin}/index.html`);
      const asked = site.evaluate(() => adapters.connect());
      await answerPrompt(session);
      await asked;
      const askedSync = site.evaluate(() => adapters.connectSync());
      await pickKey(session, 'new');
      await answerPrompt(session);
      await askedSync;
    });
    after(async () => {
      await session.close();
      await server.close();
      rmSync(folder, { recursive: true });
    });

    /** As after a restart of the app: nothing but what is stored. */
    async function reloaded(): Promise<void> {
      await site.reload();
      await site.waitUntil(() => 'sealwright' in globalThis && 'adapters' in globalThis);
      await site.evaluate(async () => {
        await adapters.connect();
        await adapters.connectSync();
      });
    }

    it('Yjs: merges updates, and reports one that was altered', async () => {
      const words = ['the ', 'river ', 'bends'];
      const result = await site.evaluate((all) => adapters.yjs(all), words);
      expect(result).to.deep.equal({ text: SECRET, quarantined: ['AUTH_FAILED'] });
    });

    it('Automerge: applies sealed changes, and a Repo finds its document after a reload', async () => {
      const items = ['milk', SECRET];
      expect(await site.evaluate((all) => adapters.automerge(all), items)).to.deep.equal(items);
      const url = await site.evaluate((all) => adapters.storeInRepo(all), items);
      await reloaded();
      expect(await site.evaluate((at) => adapters.readFromRepo(at), url)).to.deep.equal(items);
    });

    it('Dexie: finds rows by sealed and clear fields after a reload', async () => {
      await site.evaluate((notes) => adapters.addPeople(20, notes), SECRET);
      await reloaded();
      expect(await site.evaluate(() => adapters.findPeople())).to.deep.equal({
        id: 'p3',
        text: `${SECRET} 3`,
        when: 3,
        inLondon: 10,
        filtered: ['p1', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19'],
      });
    });

    it('Dexie: keeps a transaction alive while the extension works, whole or nothing', async () => {
      const change = (notes: string, fails: boolean) =>
        site.evaluate((...args) => adapters.changeInTransaction(...args), notes, fails);
      const notes = () => site.evaluate(() => adapters.notesOf('p1'));
      expect(await change('changed', false)).to.equal('committed');
      expect(await notes()).to.equal('changed');
      expect(await change('lost', true)).to.include('not after all');
      expect(await notes()).to.equal('changed');
      await lockVault(session);
      expect(await change('locked', false)).to.equal('LOCKED');
      await unlockVault(session);
      expect(await notes()).to.equal('changed');
    });

    it('RxDB: stores, finds and changes documents', async () => {
      const found = await site.evaluate((notes) => adapters.rxdb(notes), SECRET);
      expect(found).to.deep.equal({ id: 'c1', city: 'London', notes: `${SECRET}, changed` });
    });

    it('PouchDB: keeps Blobs as sealed attachments, over a reload', async () => {
      const text = `${SECRET} `.repeat(10_000);
      await site.evaluate((...file) => adapters.attach(...file), `${SECRET}.txt`, text);
      await reloaded();
      const found = await site.evaluate((name) => adapters.attached(name), 'the river bends.txt');
      const info = { name: `${SECRET}.txt`, type: 'text/x', size: text.length };
      expect(found).to.deep.equal({ text, type: 'text/x', info });
    });

    it('PouchDB: queries a sealed database in memory, over a reload', async () => {
      const texts = [`${SECRET} one`, `${SECRET} two`, `${SECRET} three`];
      await site.evaluate((all) => adapters.writeNotes(all), texts);
      await reloaded();
      const found = await site.evaluate(() => adapters.findNotes());
      expect(found).to.deep.equal([texts[0], texts[2]]);
    });

    it('leaves nothing of it in the clear in IndexedDB, but what the docs say', async () => {
      const disk = await site.evaluate(() => adapters.disk());
      expect(disk).to.include('London');
      expect(disk).to.include('letter');
      // Names of attachments are in the local document; the remote handle seals them.
      const rest = disk.replaceAll(`${SECRET}.txt`, '');
      expect(rest.length).to.be.below(disk.length);
      expect(rest).to.not.match(/river|user3|milk/);
    });

    describe('a sealed video', () => {
      const range = (header?: string, name = 'trip') =>
        site.evaluate(
          async (asked, opened) => {
            const headers: HeadersInit = asked === null ? {} : { range: asked };
            const response = await fetch(`/opened/${opened}`, { headers });
            const read = response.arrayBuffer().then(
              (buffer) => new Uint8Array(buffer),
              () => undefined,
            );
            const bytes = await read;
            const { recording } = globalThis as World;
            const [, at = '0'] = /(\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
            const own = bytes && recording.slice(+at, +at + bytes.length);
            const same =
              own && new Uint8Array(await own.arrayBuffer()).every((b, i) => b === bytes[i]);
            return {
              status: response.status,
              range: response.headers.get('content-range'),
              type: response.headers.get('content-type'),
              length: bytes?.length ?? null,
              same: same ?? null,
            };
          },
          header ?? null,
          name,
        );
      const open = () =>
        site.evaluate(async () => {
          const { openedVideo, sealedKey } = globalThis as World;
          const file = { name: 'trip', url: '/media/trip.sealed', type: 'audio/wav', sealedKey };
          return openedVideo(file);
        });

      before(async () => {
        await site.evaluate(
          async (seconds, rate) => {
            // A recording of 8-bit samples, since both browsers play these.
            const samples = new Uint8Array(seconds * rate);
            for (let i = 0; i < samples.length; i++) samples[i] = 128 + ((i * i) % 97) - 48;
            const head = new DataView(new ArrayBuffer(44));
            const word = (at: number, text: string): void => {
              for (let i = 0; i < text.length; i++) head.setUint8(at + i, text.charCodeAt(i));
            };
            word(0, 'RIFF');
            head.setUint32(4, 36 + samples.length, true);
            word(8, 'WAVEfmt ');
            head.setUint32(16, 16, true);
            head.setUint16(20, 1, true);
            head.setUint16(22, 1, true);
            head.setUint32(24, rate, true);
            head.setUint32(28, rate, true);
            head.setUint16(32, 1, true);
            head.setUint16(34, 8, true);
            word(36, 'data');
            head.setUint32(40, samples.length, true);
            const recording = new Blob([head, samples]);
            Object.assign(globalThis, { recording });
            // The sample connects, which is granted already.
            await (globalThis as World).load('/video.js');
            const { body, sealedKey } = await (globalThis as World).sealedVideo('trip', recording);
            Object.assign(globalThis, { sealedKey });
            const sealed = await new Response(body).blob();
            await fetch('/media/trip.sealed', { method: 'PUT', body: sealed });
          },
          SECONDS,
          RATE,
        );
      });

      it('is sealed on the server', () => {
        expect(server.file().subarray(0, 3).toString('latin1')).to.equal('\xf5SW');
        expect(server.file().length).to.be.above(SECONDS * RATE);
        expect(server.file().includes('WAVEfmt')).to.equal(false);
      });

      it('answers requests for ranges with the parts, out of requests for ranges', async () => {
        expect(await range()).to.include({ status: 404 });
        expect(await open()).to.equal('/opened/trip');
        const size = SECONDS * RATE + 44;
        const answers = {
          'bytes=0-99': { status: 206, range: `bytes 0-99/${size}`, length: 100 },
          'bytes=5000000-5000009': {
            status: 206,
            range: `bytes 5000000-5000009/${size}`,
            length: 10,
          },
          'bytes=-7': { status: 206, range: `bytes ${size - 7}-${size - 1}/${size}`, length: 7 },
          [`bytes=${size}-`]: { status: 416, range: `bytes */${size}`, length: 0 },
        };
        server.asked.length = 0;
        for (const [header, expected] of Object.entries(answers)) {
          const got = await range(header);
          expect(got, header).to.include(expected);
          if (expected.status === 206) expect(got).to.include({ same: true, type: 'audio/wav' });
        }
        // The head, the last chunk, and the chunks of the three parts.
        expect(server.asked.length).to.be.at.most(5);
        expect(server.bytesAsked()).to.be.below(4 * MIB);
        expect(await range()).to.include({ status: 200, range: null, length: size, same: true });
      });

      it('is played and sought by a media element, which reads parts of the file', async () => {
        server.asked.length = 0;
        const seen = await site.evaluate(async (to) => {
          const video = document.createElement('video');
          const once = (name: string) =>
            new Promise((resolve, reject) => {
              video.addEventListener(name, resolve, { once: true });
              video.addEventListener('error', () => reject(new Error(video.error!.message)));
            });
          video.preload = 'metadata';
          video.src = '/opened/trip';
          document.body.append(video);
          await once('loadedmetadata');
          const { duration } = video;
          video.currentTime = to;
          await once('seeked');
          const { currentTime, readyState } = video;
          video.removeAttribute('src');
          video.load();
          return { duration, currentTime, readyState };
        }, SEEK_TO);
        expect(Math.round(seen.duration)).to.equal(SECONDS);
        expect(seen.currentTime).to.equal(SEEK_TO);
        expect(seen.readyState).to.be.at.least(2);
        const place = SEEK_TO * RATE;
        const isAsked = (at: number) =>
          server.asked.some(([start, end]) => start <= at && at < end);
        expect(isAsked(place + 10_000), 'the place is read').to.equal(true);
        expect(server.bytesAsked(), 'the file is not').to.be.below(server.file().length / 2);
      });

      it('ends with an error where the server altered the file, and opens the rest', async () => {
        const at = 20 * MIB;
        const byte = server.file()[at]!;
        server.file()[at] = byte ^ 1;
        expect(await range('bytes=0-99')).to.include({ status: 206, same: true });
        const place = at - 1000;
        expect(await range(`bytes=${place}-${place + 9}`)).to.include({
          status: 206,
          length: null,
        });
        server.file()[at] = byte;
        expect(await range(`bytes=${place}-${place + 9}`)).to.include({ status: 206, same: true });
      });

      it('is forgotten when the vault is locked, and opened again afterwards', async () => {
        await lockVault(session);
        await expect404(() => range('bytes=0-9'));
        await unlockVault(session);
        await open();
        expect(await range('bytes=0-9')).to.include({ status: 206, same: true });
      });

      it('is opened only with its own file and key', async () => {
        const status = async (name: string, url: string): Promise<unknown> =>
          site.evaluate(
            async (...[named, at]) => {
              const { openedVideo, sealedKey } = globalThis as World;
              const file = { name: named, url: at, type: 'audio/wav', sealedKey };
              try {
                return (await fetch(await openedVideo(file))).status;
              } catch (error) {
                return (error as { code: string }).code;
              }
            },
            name,
            url,
          );
        // The key is bound to the name.
        expect(await status('other', '/media/trip.sealed')).to.equal('AUTH_FAILED');
        // This server file is no sealed message, and comes without ranges.
        expect(await status('trip', '/index.html')).to.equal(502);
        expect(await status('trip', '/media/trip.sealed')).to.equal(200);
      });
    });
  });
}

/** A recording of 30 MiB, far more than a media element reads ahead. */
const RATE = 48_000;
const SECONDS = 660;
const SEEK_TO = 400;

/** The page tells the service worker of a lock a moment later. */
async function expect404(asked: () => Promise<{ status: number }>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await asked()).status === 404) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  expect.fail('still opened');
}

interface MediaServer {
  readonly origin: string;
  /** Start and end of each range that was asked for. */
  readonly asked: [number, number][];
  bytesAsked(): number;
  /** What was put there. */
  file(): Buffer;
  close(): Promise<void>;
}

/** Files of a folder, and below /media/ one that can be put, and read in ranges. */
async function serveMedia(folder: string): Promise<MediaServer> {
  let file = Buffer.alloc(0);
  const asked: [number, number][] = [];
  const media = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'PUT') {
      file = Buffer.concat(await request.toArray());
      response.end();
      return;
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!.map(Number);
    const end = Math.min(last! + 1, file.length);
    asked.push([first!, end]);
    response.writeHead(206, { 'content-range': `bytes ${first}-${end - 1}/${file.length}` });
    response.end(file.subarray(first, end));
  };
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/media/')) void media(request, response);
    else answer([folder], request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked,
    bytesAsked: () => asked.reduce((sum, [start, end]) => sum + end - start, 0),
    file: () => file,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>adapters</title>
<script>globalThis.load = async (url) => void Object.assign(globalThis, await import(url));</script>
<script type="module" src="adapters.js"></script>`;

async function bundleAdapters(outfile: string): Promise<void> {
  const shims = resolve('test/browser/in-page/libraries/node-shims.ts');
  await build({
    entryPoints: ['test/browser/in-page/libraries/adapters.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    mainFields: ['browser', 'module', 'main'],
    // Automerge for bundlers that have no WebAssembly modules, as esbuild.
    conditions: ['webpack', 'module'],
    alias: {
      util: shims,
      assert: shims,
      stream: resolve('node_modules/stream-browserify/index.js'),
    },
    define: { global: 'globalThis' },
    inject: [resolve('test/browser/in-page/libraries/node-globals.ts')],
    logLevel: 'error',
  });
}

/** The two samples, as they are in docs/adapters.md. */
async function bundleSamples(folder: string): Promise<void> {
  const [page, worker] = adapterSamples().get('A sealed video in a page')!;
  const sample = (contents: string, name: string) =>
    build({
      stdin: { contents, resolveDir: '.' },
      outfile: join(folder, name),
      bundle: true,
      format: 'esm',
      logLevel: 'error',
    });
  await Promise.all([sample(page!, 'video.js'), sample(worker!, 'service-worker.js')]);
}
