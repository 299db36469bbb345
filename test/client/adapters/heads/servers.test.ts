import 'fake-indexeddb/auto';
import { expect } from 'chai';
import { createTestSealwright } from '../../../../extension/testing/testing.ts';
import type { Sealwright } from '../../../../src/client/page-api.ts';
import { chooser } from '../../../keys/stress.ts';
import { IS_NIGHTLY } from '../../../support/nightly.ts';
import {
  couchMedium,
  kintoMedium,
  remoteStorageMedium,
  type App,
  type Medium,
  type Owned,
} from './media.ts';

const HONEST = IS_NIGHTLY ? 6 : 2;
/** Each with all attacks. */
const HOSTILE = IS_NIGHTLY ? 3 : 1;
const MEDIA = { Kinto: kintoMedium, CouchDB: couchMedium, remoteStorage: remoteStorageMedium };

type Choose = (n: number) => number;
type Contents = ReadonlyMap<string, string>;

/** Devices with one key, and a server that has a place for them. */
class History {
  readonly apps: App[] = [];
  readonly records: Owned;
  readonly heads: Owned;
  /** All that the server had, after each step. */
  readonly before: { readonly records: Contents; readonly heads: Contents }[] = [];
  readonly #medium: Medium;
  readonly #place: string;
  readonly #choose: Choose;

  constructor(medium: Medium, place: string, choose: Choose) {
    [this.#medium, this.#place, this.#choose] = [medium, place, choose];
    ({ records: this.records, heads: this.heads } = medium.owned(place));
  }

  async start(): Promise<void> {
    const first = await createTestSealwright();
    await connect(first.sealwright);
    const state = first.state();
    // Databases are made by the first request, which not all devices can be at once.
    await this.#look();
    const devices = 2 + this.#choose(3);
    for (let i = 0; i < devices; i++) {
      const { sealwright } = await createTestSealwright({ state });
      await connect(sealwright);
      this.apps.push(this.#medium.app(sealwright, this.#place));
    }
  }

  /** Devices do something, one after the other, and sync at the same time. */
  async run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const app of this.apps) await this.#step(app, `text ${round}`);
      await Promise.all(this.apps.map((app) => this.#synced(app)));
      await this.#look();
    }
  }

  async #step(app: App, text: string): Promise<void> {
    const id = `n${this.#choose(4)}`;
    // Of what this device has of it, which may be nothing.
    if (this.#choose(3) > 0) await app.write(id, text);
    else if ((await app.list()).includes(id)) await app.remove(id);
  }

  async #synced(app: App): Promise<void> {
    await app.sync();
    // A page may be closed here.
    if (this.#choose(5) > 0) await quiet(app);
  }

  /** Each device writes a record of its own, and all learn of it. */
  async settle(): Promise<void> {
    for (const [i, app] of this.apps.entries()) {
      for (const text of ['one', 'two']) {
        await app.write(`own${i}`, text);
        await app.sync();
        await quiet(app);
        await this.#look();
      }
    }
    for (const app of this.apps) await quiet(app);
    await this.#look();
  }

  async #look(): Promise<void> {
    const [records, heads] = [await this.records.all(), await this.heads.all()];
    this.before.push({ records, heads });
  }
}

async function connect(sealwright: Sealwright): Promise<void> {
  const key = { kind: 'sync', label: 'Notes', collections: ['notes'] } as const;
  await sealwright.connect({ purpose: 'Keep notes private', key, capabilities: ['sync'] });
}

const QUIET = { ok: true, missing: [], missingCount: 0, rolledBack: [], forked: false };

async function quiet(app: App, when = ''): Promise<void> {
  const report = await app.notes.verify();
  expect(report, `${when} ${JSON.stringify(report)}`).to.deep.include(QUIET);
}

/** Puts back what was taken away or changed. */
async function restored(owned: Owned, contents: Contents): Promise<void> {
  const now = await owned.all();
  for (const [id, payload] of contents) {
    if (now.get(id) !== payload) await owned.put(id, payload);
  }
}

const isChunk = (id: string): boolean => /-\d+$/.test(id);

/** What the owner of the server does to the record that the first device wrote last, or to heads; the last one to everything. */
const ATTACKS: Readonly<Record<string, (history: History) => Promise<unknown>>> = {
  'leaves a record out': ({ records }) => records.delete('own0'),
  'shows an older version': ({ records, before }) =>
    records.put('own0', before.find((all) => all.records.has('own0'))!.records.get('own0')!),
  'shows what is not sealed': ({ records }) => records.put('own0', 'x'),
  'leaves out a head': async ({ heads }) => {
    const id = [...(await heads.all()).keys()].find((one) => !isChunk(one))!;
    await heads.delete(id);
  },
  'shows an older head': async ({ heads, before }) => {
    const now = await heads.all();
    const older = before.findLast((all) =>
      [...all.heads].some(([id, payload]) => !isChunk(id) && now.get(id) !== payload),
    )!;
    const [id, payload] = [...older.heads].find(
      ([one, head]) => !isChunk(one) && now.get(one) !== head,
    )!;
    await heads.put(id, payload);
  },
  'damages a chunk': async ({ heads }) => {
    const id = [...(await heads.all()).keys()].find(isChunk)!;
    await heads.put(id, 'sw1.AAAA');
  },
  'shows all as it was before': async (history) => {
    // Before the last device wrote for the last time.
    const { records, heads } = history.before.at(-3)!;
    for (const [id, payload] of records) await history.records.put(id, payload);
    for (const [id, payload] of heads) await history.heads.put(id, payload);
  },
};

for (const [name, start] of Object.entries(MEDIA)) {
  describe(`heads over a server of ${name}`, function () {
    this.timeout(10 * 60_000);
    let medium: Medium;
    let places = 0;
    before(async () => (medium = await start()));
    after(() => medium.close());

    async function settled(seed: number): Promise<History> {
      const choose = chooser(seed);
      const history = new History(medium, `place${places++}`, choose);
      await history.start();
      await history.run(2 + choose(3));
      await history.settle();
      return history;
    }

    it(`no alarm in ${HONEST} histories without an attack, and no head in the app's lists`, async () => {
      for (let seed = 0; seed < HONEST; seed++) {
        const { apps } = await settled(seed).catch((error: unknown) => {
          throw new Error(`history ${seed}`, { cause: error });
        });
        for (const app of apps) expect((await app.list()).join()).to.not.include('sealwright');
      }
    });

    it(`each of ${Object.keys(ATTACKS).length} attacks is reported by all devices in ${HOSTILE} histories`, async () => {
      for (let seed = 0; seed < HOSTILE; seed++) {
        const history = await settled(0x5eed + seed);
        const { records, heads } = history.before.at(-1)!;
        for (const [does, attack] of Object.entries(ATTACKS)) {
          await restored(history.records, records);
          await restored(history.heads, heads);
          for (const app of history.apps) await quiet(app, `history ${seed}, before it ${does}:`);
          await attack(history);
          for (const app of history.apps) {
            const { ok } = await app.notes.verify();
            expect(ok, `history ${seed}: ${does}`).to.equal(false);
          }
        }
      }
    });
  });
}
