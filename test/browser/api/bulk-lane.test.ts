import { expect } from 'chai';
import { DAMAGES, MESSAGE_BYTES } from '../../support/samples/damaged-messages.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { type TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { connect, lockVault, openEnabledSite, unlockVault } from '../steps.ts';

/*
 * Large messages, Blobs and streams, in the built extension. The work runs in the page; what comes
 * back is what it saw. Big sizes are few, because everything here shares two cores.
 */

/** More than a message in one piece may have, which is 64 MiB. */
const BLOB_MIB = IS_NIGHTLY ? 200 : 80;
/** Long enough for the background to die three times meanwhile. */
const STREAM_MIB = IS_NIGHTLY ? 160 : 64;

interface Lane {
  seal: (bytes: Uint8Array, options?: object) => Promise<Uint8Array>;
  open: (bytes: Uint8Array, options?: object) => Promise<Uint8Array>;
  sealBlob: (blob: Blob, options?: object) => Promise<Blob>;
  openBlob: (blob: Blob, options?: object) => Promise<Blob>;
  sealStream: (options?: object) => TransformStream<Uint8Array, Uint8Array>;
  openStream: (options?: object) => TransformStream<Uint8Array, Uint8Array>;
  sealedLength: (bytes: number) => number;
  revoke: () => Promise<void>;
}

/** In the page: what the tests share. */
interface Tools {
  api: Lane;
  /** Bytes that tell where they stand. */
  pattern: (from: number, length: number) => Uint8Array<ArrayBuffer>;
  isPattern: (bytes: Uint8Array, from: number) => boolean;
  /** A stream of so many bytes of the pattern, in pieces; counts what it has given. */
  source: (total: number, pieceBytes: number) => ReadableStream<Uint8Array> & { given: number };
  collected: (stream: ReadableStream<Uint8Array>) => Promise<Uint8Array<ArrayBuffer>>;
  codeOf: (work: Promise<unknown>) => Promise<string>;
}

/** Puts the tools into the page, as `globalThis.tools`. */
async function giveTools(site: Tab): Promise<void> {
  await site.evaluate(() => {
    const step = 251; // a prime: no two chunks look alike
    const block = Uint8Array.from({ length: step * 4180 }, (_, i) => (i % step) ^ (i >>> 12));
    const pattern = (from: number, length: number): Uint8Array<ArrayBuffer> => {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length;) {
        const start = (from + at) % block.length;
        const part = block.subarray(start, start + length - at);
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    };
    const isPattern = (bytes: Uint8Array, from: number): boolean => {
      const expected = pattern(from, bytes.length);
      const words = (of: Uint8Array) => new Float64Array(of.slice(0, of.length & ~7).buffer);
      const [a, b] = [words(bytes), words(expected)];
      const tail = bytes.length & ~7;
      return (
        a.every((word, i) => Object.is(word, b[i])) &&
        bytes.subarray(tail).every((byte, i) => byte === expected[tail + i])
      );
    };
    const source = (total: number, pieceBytes: number) => {
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          const length = Math.min(pieceBytes, total - counted.given);
          if (length > 0) controller.enqueue(pattern(counted.given, length));
          counted.given += length;
          if (counted.given === total) controller.close();
        },
      });
      const counted = Object.assign(stream, { given: 0 });
      return counted;
    };
    const collected = async (stream: ReadableStream<Uint8Array>) =>
      new Uint8Array(await new Response(stream).arrayBuffer());
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'ok',
        (error: unknown) => {
          const { name, code } = error as { name: string; code?: string };
          return name === 'SealwrightError' ? code! : name;
        },
      );
    const { sealwright } = globalThis as unknown as { sealwright: Lane };
    const tools = { api: sealwright, pattern, isPattern, source, collected, codeOf };
    Object.assign(globalThis, { tools });
  });
}

/** Runs `work` in the page, with the tools of that page at hand as `globalThis.tools`. */
type WithTools = typeof globalThis & { tools: Tools };

for (const browser of BROWSERS) {
  let session: BrowserSession;
  let server: TestServer;
  let site: Tab;

  /** A page that may seal and open, with the tools. */
  function withSite(): void {
    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
      await connect(session, site);
      await giveTools(site);
    });

    after(() => closeSharedSiteScene({ server, site }));
  }

  describe(`the bulk lane, in ${browser}`, function () {
    this.timeout(240_000);
    withSite();

    it('seals and opens 64 MiB in one call, and refuses a byte more', async () => {
      const seen = await site.evaluate(async () => {
        const { api, pattern, isPattern, codeOf } = (globalThis as WithTools).tools;
        const bytes = 64 * 2 ** 20;
        const message = pattern(0, bytes);
        const progress: number[] = [];
        const onProgress = (done: { bytes: number }) => progress.push(done.bytes);
        const sealed = await api.seal(message, { onProgress });
        const opened = await api.open(sealed);
        return {
          kept: message.length === bytes && isPattern(message.subarray(0, 99), 0),
          exact: sealed.length === api.sealedLength(bytes),
          same: opened.length === bytes && isPattern(opened, 0),
          rises: progress.every((done, i) => i === 0 || done >= progress[i - 1]!),
          ends: progress.at(-1) === bytes,
          tooLarge: await codeOf(api.seal(new Uint8Array(bytes + 1))),
        };
      });
      const right = { kept: true, exact: true, same: true, rises: true, ends: true };
      expect(seen).to.deep.equal({ ...right, tooLarge: 'TOO_LARGE' });
    });

    it(`reads a Blob of ${BLOB_MIB} MiB by reference, and gives Blobs back`, async () => {
      const seen = await site.evaluate(async (mib) => {
        const { api, pattern, isPattern } = (globalThis as WithTools).tools;
        const [parts, partBytes] = [mib / 8, 8 * 2 ** 20];
        const list = Array.from({ length: parts }, (_, i) => pattern(i * partBytes, partBytes));
        const blob = new Blob(list);
        list.length = 0;
        const totals = new Set<number | undefined>();
        const sealed = await api.sealBlob(blob, {
          onProgress: ({ total }: { total?: number }) => totals.add(total),
        });
        const opened = await api.openBlob(sealed);
        let same = sealed instanceof Blob && opened instanceof Blob && opened.size === blob.size;
        for (let i = 0; i < parts && same; i++) {
          const part = await opened.slice(i * partBytes, (i + 1) * partBytes).arrayBuffer();
          same = isPattern(new Uint8Array(part), i * partBytes);
        }
        return { same, exact: sealed.size === api.sealedLength(blob.size), totals: [...totals] };
      }, BLOB_MIB);
      expect(seen).to.deep.equal({ same: true, exact: true, totals: [BLOB_MIB * 2 ** 20] });
    });

    it('holds a fast source back for a slow sink: a few MiB are under way at any time', async () => {
      const seen = await site.evaluate(async () => {
        const { api, source, isPattern } = (globalThis as WithTools).tools;
        const [total, pieceBytes] = [48 * 2 ** 20, 300_001];
        const from = source(total, pieceBytes);
        const progress: number[] = [];
        const onProgress = (done: { bytes: number }) => progress.push(done.bytes);
        let taken = 0;
        let most = 0;
        let same = true;
        const sink = new WritableStream<Uint8Array>({
          async write(piece) {
            same &&= isPattern(piece, taken);
            taken += piece.length;
            most = Math.max(most, from.given - taken);
            await new Promise((done) => setTimeout(done, 15));
          },
        });
        await from
          .pipeThrough(api.sealStream({ onProgress }))
          .pipeThrough(api.openStream())
          .pipeTo(sink);
        const told = progress.at(-1) === total;
        return { same, told, all: taken === total, mostMiB: Math.ceil(most / 2 ** 20) };
      });
      expect(seen).to.include({ same: true, told: true, all: true });
      console.log(`      at most ${seen.mostMiB} MiB between source and sink, two streams`);
      expect(seen.mostMiB).to.be.at.most(32);
    });

    it('keeps nothing of a stream that is aborted, cancelled or errs, and stops its source', async () => {
      const seen = await site.evaluate(async () => {
        const { api, source, codeOf } = (globalThis as WithTools).tools;
        const endless = 2 ** 40;
        const abort = new AbortController();
        const from = source(endless, 2 ** 20);
        const aborted = codeOf(
          from.pipeThrough(api.sealStream({ signal: abort.signal })).pipeTo(
            new WritableStream({
              write() {
                if (from.given > 10 * 2 ** 20) abort.abort();
              },
            }),
          ),
        );
        const codes = [await aborted];
        const cancelled = source(endless, 2 ** 20);
        const reader = cancelled.pipeThrough(api.sealStream()).getReader();
        await reader.read();
        await reader.cancel('enough');
        const oneShot = new AbortController();
        const sealing = codeOf(
          api.seal(new Uint8Array(32 * 2 ** 20), {
            signal: oneShot.signal,
            onProgress: () => oneShot.abort(),
          }),
        );
        codes.push(await sealing);
        const timed = api.sealStream({ timeoutMs: 50 }).readable;
        codes.push(await codeOf(timed.pipeTo(new WritableStream())));
        const before = [from.given, cancelled.given];
        await new Promise((done) => setTimeout(done, 100));
        return { codes, stopped: [from.given, cancelled.given].join() === before.join() };
      });
      expect(seen.codes).to.deep.equal(['AbortError', 'AbortError', 'TimeoutError']);
      expect(seen.stopped).to.equal(true);
    });

    it('refuses flipped chunks, cut-off ends and wrong contexts, and never releases them', async () => {
      const seen = await site.evaluate(
        async (total, damages) => {
          const { api, source, collected, pattern, isPattern, codeOf } = (globalThis as WithTools)
            .tools;
          const stream = source(total, 2 ** 20).pipeThrough(api.sealStream({ context: 'one' }));
          const sealed = await collected(stream);
          const results: string[] = [];
          const given: number[] = [];
          for (const { flip, cut, otherContext } of damages) {
            const bytes = sealed.slice(0, cut);
            if (flip !== undefined) bytes[(flip + bytes.length) % bytes.length]! ^= 1;
            const context = otherContext ? 'two' : 'one';
            const released: Uint8Array[] = [];
            const streamed = codeOf(
              new Blob([bytes])
                .stream()
                .pipeThrough(api.openStream({ context }))
                .pipeTo(new WritableStream({ write: (piece) => void released.push(piece) })),
            );
            results.push(
              [
                await streamed,
                await codeOf(api.open(bytes, { context })),
                await codeOf(api.openBlob(new Blob([bytes]), { context })),
              ].join(' '),
            );
            let [taken, isAuthentic] = [0, true];
            for (const piece of released) {
              isAuthentic &&= isPattern(piece, taken);
              taken += piece.length;
            }
            given.push(isAuthentic ? taken / 2 ** 20 : NaN);
          }
          const again = await api.open(sealed, { context: 'one' });
          const noMessage = await codeOf(
            new Blob([pattern(0, 200)])
              .stream()
              .pipeThrough(api.openStream())
              .pipeTo(new WritableStream()),
          );
          return { results, given, again: again.length, noMessage };
        },
        MESSAGE_BYTES,
        DAMAGES,
      );
      expect(seen.results).to.deep.equal(DAMAGES.map(({ code }) => `AUTH_FAILED ${code} ${code}`));
      // Whole chunks before the fault and not a byte of what did not verify; what reached the
      // stream and was not yet read when it failed is discarded with it.
      seen.given.forEach((mib, i) =>
        expect(mib).to.be.oneOf([0, 1, 2, 3].slice(0, DAMAGES[i]!.chunks + 1)),
      );
      expect(seen.again).to.equal(MESSAGE_BYTES);
      expect(seen.noMessage).to.equal('BAD_ENVELOPE');
    });

    it('works under the strictest policy a page can have', async () => {
      const strict = await openEnabledSite(session, `${server.origin}/blank.html?csp=none`);
      await giveTools(strict);
      const seen = await strict.evaluate(async () => {
        const { api, source, collected, pattern, isPattern } = (globalThis as WithTools).tools;
        const sealed = await api.seal(pattern(0, 2 ** 21));
        const blob = await api.openBlob(await api.sealBlob(new Blob([pattern(0, 99)])));
        const streams = source(2 ** 21, 70_000).pipeThrough(api.sealStream());
        return [
          isPattern(await api.open(sealed), 0),
          isPattern(new Uint8Array(await blob.arrayBuffer()), 0),
          isPattern(await collected(streams.pipeThrough(api.openStream())), 0),
        ];
      });
      expect(seen).to.deep.equal([true, true, true]);
      await strict.close();
    });
  });

  describe(`the bulk lane, when its background, grant or vault goes, in ${browser}`, function () {
    this.timeout(240_000);
    withSite();

    it('goes on although the background dies again and again in the middle of a stream', async () => {
      await site.evaluate((mib) => {
        const { api, source, isPattern } = (globalThis as WithTools).tools;
        const total = mib * 2 ** 20;
        const state = { given: 0, result: '' };
        Object.assign(globalThis, { state });
        const run = async () => {
          let taken = 0;
          const wrong: number[] = [];
          const from = source(total, 2 ** 20);
          const sink = new WritableStream<Uint8Array>({
            async write(piece) {
              if (!isPattern(piece, taken)) wrong.push(taken);
              taken += piece.length;
              state.given = taken;
              await new Promise((done) => setTimeout(done, 5));
            },
          });
          await from.pipeThrough(api.sealStream()).pipeThrough(api.openStream()).pipeTo(sink);
          const isWhole = wrong.length === 0 && taken === total;
          state.result = isWhole ? 'all there' : `${taken} bytes, wrong at ${wrong.join()}`;
        };
        run().catch((error: unknown) => (state.result = String(error)));
      }, STREAM_MIB);
      type WithState = typeof globalThis & { state: { given: number; result: string } };
      for (const mib of [4, STREAM_MIB / 4, STREAM_MIB / 2]) {
        await site.waitUntil(
          (bytes) => (globalThis as WithState).state.given > bytes,
          { timeoutMs: 60_000 },
          mib * 2 ** 20,
        );
        await session.killBackground();
      }
      await site.waitUntil(() => (globalThis as WithState).state.result !== '', {
        timeoutMs: 60_000,
      });
      const result = await site.evaluate(() => (globalThis as WithState).state.result);
      expect(result).to.equal('all there');
    });

    it('goes on although the background dies while it seals and opens a Blob', async () => {
      await site.evaluate((mib) => {
        const { api, pattern, isPattern } = (globalThis as WithTools).tools;
        const [parts, partBytes] = [mib / 8, 8 * 2 ** 20];
        const state = { sealing: 0, opening: 0, result: '' };
        Object.assign(globalThis, { state });
        const run = async () => {
          const list = Array.from({ length: parts }, (_, i) => pattern(i * partBytes, partBytes));
          const sealed = await api.sealBlob(new Blob(list), {
            onProgress: ({ bytes }: { bytes: number }) => (state.sealing = bytes),
          });
          const opened = await api.openBlob(sealed, {
            onProgress: ({ bytes }: { bytes: number }) => (state.opening = bytes),
          });
          let same = opened.size === parts * partBytes;
          for (let i = 0; i < parts && same; i++) {
            const part = await opened.slice(i * partBytes, (i + 1) * partBytes).arrayBuffer();
            same = isPattern(new Uint8Array(part), i * partBytes);
          }
          state.result = same ? 'all there' : 'something else';
        };
        run().catch((error: unknown) => (state.result = String(error)));
      }, BLOB_MIB);
      type State = { sealing: number; opening: number; result: string };
      type WithState = typeof globalThis & { state: State };
      for (const phase of ['sealing', 'opening'] as const) {
        await site.waitUntil(
          (name) => (globalThis as WithState).state[name] > 0,
          { timeoutMs: 60_000 },
          phase,
        );
        await session.killBackground();
        const after = await site.evaluate(() => (globalThis as WithState).state);
        expect(after.result, 'over before the background was killed').to.equal('');
      }
      await site.waitUntil(() => (globalThis as WithState).state.result !== '', {
        timeoutMs: 60_000,
      });
      const { result } = await site.evaluate(() => (globalThis as WithState).state);
      expect(result).to.equal('all there');
    });

    it('ends a stream that is under way when its grant is revoked', async () => {
      const seen = await site.evaluate(async () => {
        const { api, source, codeOf } = (globalThis as WithTools).tools;
        const from = source(2 ** 40, 2 ** 20);
        const order: string[] = [];
        let [called, last] = [0, 0];
        const revoke = async (): Promise<void> => {
          called = performance.now();
          await api.revoke();
          order.push('acknowledged');
        };
        let revoking: Promise<void> | undefined;
        const onProgress = (): void => {
          last = performance.now();
          order.push('chunk');
          if (from.given >= 10 * 2 ** 20) revoking ??= revoke();
        };
        const sealing = from.pipeThrough(api.sealStream({ onProgress }));
        const ended = await codeOf(sealing.pipeTo(new WritableStream()));
        await revoking;
        const after = order.slice(order.indexOf('acknowledged') + 1);
        return { ended, after, lateMs: Math.round(last - called) };
      });
      expect(seen.ended).to.equal('NOT_GRANTED');
      expect(seen.after, 'released after the revocation was acknowledged').to.deep.equal([]);
      console.log(`      the last chunk came ${seen.lateMs} ms after the call to revoke`);
      await connect(session, site);
    });

    it('ends what is under way when the vault locks', async () => {
      await site.evaluate(() => {
        const { api, source, codeOf } = (globalThis as WithTools).tools;
        const state = { result: '' };
        Object.assign(globalThis, { state });
        const sink = new WritableStream<Uint8Array>({
          write: () => new Promise((done) => setTimeout(done, 20)),
        });
        const stream = source(2 ** 40, 2 ** 20).pipeThrough(api.sealStream());
        void codeOf(stream.pipeTo(sink)).then((code) => (state.result = code));
      });
      type WithState = typeof globalThis & { state: { result: string } };
      await lockVault(session);
      await site.waitUntil(() => (globalThis as WithState).state.result !== '');
      expect(await site.evaluate(() => (globalThis as WithState).state.result)).to.equal('LOCKED');
      await unlockVault(session);
    });
  });
}
