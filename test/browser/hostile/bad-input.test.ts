import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import {
  BAD_CALLS,
  BAD_CHUNKS,
  LENGTH_CALLS,
  SUBTLE_CALLS,
  STREAM_CALLS,
  type BadCall,
} from '../in-page/attacks/bad-calls.ts';
import { streamOutcomesOf } from '../in-page/attacks/bad-streams.ts';
import { installHostileValues, lengthsOf, outcomesOf } from '../in-page/attacks/hostile-values.ts';
import { closeScene, openSiteScene } from '../scene.ts';
import { type TestServer } from '../server.ts';
import { bytes, connect, openPopup, storedAtRest, succeed } from '../steps.ts';

const MIB = 2 ** 20;
/** A grant that counts: a call that was charged although it was refused would show. */
const COUNTED = { purpose: 'Count', capabilities: ['seal', 'open'], maxUses: 1000 };

/** What the calls came to that is not as the table has it. Notes values that the browser lacks. */
function surprises(
  method: string,
  calls: readonly BadCall[],
  outcomes: readonly string[],
  lacking: Set<string>,
): string[] {
  return calls.flatMap(({ args, expected }, i) => {
    const outcome = outcomes[i]!;
    if (outcome === 'not available') lacking.add(JSON.stringify(args));
    if (outcome === 'not available' || outcome.split(':')[0] === expected) return [];
    return [`${method}(${JSON.stringify(args).slice(1, -1)}): ${outcome}, not ${expected}`];
  });
}

const argumentsOf = (calls: readonly BadCall[]) => calls.map(({ args }) => args);

/**
 * Header 24, salt 24 and commitment 32; then 16 bytes for each chunk, of which the last is short or
 * empty: 16 KiB chunks up to 1 MiB, 1 MiB chunks beyond (docs/format.md sections 2, 5 and 6).
 */
function sealedBytes(bodyBytes: number, chunkBytes: number): number {
  return 80 + bodyBytes + 16 * (Math.floor(bodyBytes / chunkBytes) + 1);
}

/** Every method and every argument, wrong in every way: a typed error, and nothing is different. */
for (const browser of BROWSERS) {
  describe(`bad input, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;
    let popup: Tab;
    let storedBefore: readonly string[];
    let calls = 0;
    const lacking = new Set<string>();

    before(async () => {
      ({ session, server, site } = await openSiteScene(browser));
      expect((await connect(session, site, COUNTED)).ok).to.equal(true);
      await succeed(site, 'open', await succeed(site, 'seal', bytes(1)));
      await site.evaluate(installHostileValues);
      popup = await openPopup(session);
      storedBefore = await storedAtRest(popup);
    });

    after(async () => {
      console.log(`      ${calls} bad calls; values this browser cannot make: ${lacking.size}`);
      await closeScene({ session, server });
    });

    for (const [method, table] of Object.entries({ ...BAD_CALLS, ...SUBTLE_CALLS })) {
      it(`of ${method}: ${table.length} calls reject with their typed errors`, async () => {
        calls += table.length;
        const outcomes = await site.evaluate(outcomesOf, method, argumentsOf(table));
        expect(surprises(method, table, outcomes, lacking)).to.deep.equal([]);
      });
    }

    it('finds every method of the contract in one of the tables', async () => {
      const found = await site.evaluate(() => {
        type Shard = Record<string, unknown>;
        const { sealwright } = globalThis as unknown as {
          sealwright: Shard & Record<'sync' | 'subtle', Shard>;
        };
        const own = Object.getOwnPropertyNames(Object.getPrototypeOf(sealwright));
        return [
          ...own,
          ...(['sync', 'subtle'] as const).flatMap((shard) =>
            Object.getOwnPropertyNames(Object.getPrototypeOf(sealwright[shard]))
              .filter((name) => name !== 'constructor')
              .map((name) => `${shard}.${name}`),
          ),
        ];
      });
      const ofTargets = Object.keys(Object.getOwnPropertyDescriptors(EventTarget.prototype));
      const others = [...ofTargets, 'sync', 'subtle', 'sealedLength', 'subtle.supports'];
      const tables = [BAD_CALLS, STREAM_CALLS, SUBTLE_CALLS].flatMap((table) => Object.keys(table));
      expect(found.sort()).to.deep.equal([...tables, ...others].sort());
    });

    for (const [method, table] of Object.entries(STREAM_CALLS)) {
      it(`of ${method}: both sides of ${table.length} streams fail with their errors`, async () => {
        calls += table.length;
        const outcomes = await site.evaluate(streamOutcomesOf, method, argumentsOf(table));
        expect(surprises(method, table, outcomes, lacking)).to.deep.equal([]);
      });
    }

    it('of sealedLength: throws a RangeError at once', async () => {
      const outcomes = await site.evaluate(lengthsOf, argumentsOf(LENGTH_CALLS));
      calls += LENGTH_CALLS.length;
      const wrong = LENGTH_CALLS.flatMap(({ args }, i) =>
        outcomes[i] === 'RangeError' ? [] : [`${JSON.stringify(args)}: ${outcomes[i]}`],
      );
      expect(wrong).to.deep.equal([]);
    });

    it('of subtle.supports: is answered at once, and never yes', async () => {
      const answers = await site.evaluate(() => {
        const { sealwright } = globalThis as unknown as {
          sealwright: { subtle: { supports(...args: unknown[]): boolean } };
        };
        const throwing = new Proxy(
          {},
          {
            get() {
              throw new RangeError('of the page');
            },
          },
        );
        const odd = [undefined, null, 7, Symbol('odd'), {}, [], 'encrypt', 'AES-GCM', throwing];
        return odd.flatMap((operation) =>
          odd.map((algorithm) => {
            try {
              return String(sealwright.subtle.supports(operation, algorithm, algorithm));
            } catch (error) {
              return (error as Error).name;
            }
          }),
        );
      });
      calls += answers.length;
      expect(answers).to.include('false');
      expect(answers.filter((one) => !['false', 'TypeError', 'RangeError'].includes(one))).to.be
        .empty;
    });

    it('is not what sealedLength gets at its edges: there it is right', async () => {
      const edges = [0, 1, 16_383, 16_384, 16_385, MIB, MIB + 1, 2 ** 35];
      const plain = await site.evaluate(
        lengthsOf,
        edges.map((length) => [length]),
      );
      expect(plain).to.deep.equal([
        ...edges.slice(0, 6).map((length) => sealedBytes(length, 16_384)),
        ...edges.slice(6).map((length) => sealedBytes(length, MIB)),
      ]);
      // Padmé of the message and one byte, which is at least 32.
      const padded = await site.evaluate(
        lengthsOf,
        edges.map((length) => [length, { pad: true }]),
      );
      expect(padded.slice(0, 2)).to.deep.equal(Array(2).fill(sealedBytes(32, 16_384)));
      expect(padded[2]).to.equal(sealedBytes(16_384, 16_384));
      expect(padded.map((length, i) => length >= plain[i]!)).to.deep.equal(edges.map(() => true));
    });

    it('changes nothing that is stored, charges no use and asks the user nothing', async () => {
      expect(await storedAtRest(popup)).to.deep.equal(storedBefore);
      expect(await session.countTabs('prompt.html')).to.equal(0);
      expect(await site.evaluate(() => 'polluted' in {})).to.equal(false);
      // What a good call changes is seen.
      await succeed(site, 'seal', 'text');
      expect(await storedAtRest(popup)).to.not.deep.equal(storedBefore);
    });

    it('written to a stream makes both of its sides fail, whatever the stream has cost', async () => {
      const streams = BAD_CHUNKS.map(() => []);
      for (const method of ['sealStream', 'openStream']) {
        const chunks = argumentsOf(BAD_CHUNKS);
        const outcomes = await site.evaluate(streamOutcomesOf, method, streams, chunks);
        calls += BAD_CHUNKS.length;
        expect(surprises(`${method}.write`, BAD_CHUNKS, outcomes, lacking)).to.deep.equal([]);
      }
    });

    it('sealedLength says what seal then makes', async () => {
      const pairs = await site.evaluate(async () => {
        const { sealwright } = globalThis as unknown as {
          sealwright: {
            sealedLength(length: number, options: object): number;
            seal(data: Uint8Array, options: object): Promise<Uint8Array>;
          };
        };
        const list: [number, number][] = [];
        for (const length of [0, 1, 31, 32, 16_383, 16_384, 2 ** 20, 2 ** 20 + 1]) {
          for (const pad of [false, true]) {
            const sealed = await sealwright.seal(new Uint8Array(length), { pad });
            list.push([sealed.length, sealwright.sealedLength(length, { pad })]);
          }
        }
        return list;
      });
      for (const [made, promised] of pairs) expect(made).to.equal(promised);
    });
  });
}
