import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import type { BackupReport } from '../../../src/keys/backup/backups.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import { MemoryLocks } from '../../../extension/testing/memory.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { Faults, FAULTS, InjectedError, type Fault } from '../../support/stores/faults.ts';
import { notes, PASSPHRASE, TestBrowser } from '../world.ts';

/*
 * Random lives of a vault: two workers of one browser act on it in any order, while stores go and come, are full or
 * fail, workers end at any operation, and the clock is set. `Model` says what must hold, however it came about.
 */

const SEQUENCES = Number(process.env['SEALWRIGHT_LIVES'] ?? (IS_NIGHTLY ? 2000 : inDepth(100, 40)));
/** Of the sequences of `npm test`; those of nightly are others each time. */
const SEED = IS_NIGHTLY ? undefined : '1';
const ORIGIN = 'https://a.example';
const FILE = 'the passphrase of files';
const BY = { passphrase: PASSPHRASE };
const HOUR = 3_600_000;
/** A sequence takes 30 ms; of a process that others starve, one has taken more than ten seconds. */
const LONGEST_MS = 120_000;
const JUMPS = [-2 * HOUR, HOUR / 60, 13 * HOUR] as const;
const STORES = ['primary', 'copy'] as const;
const WORKERS = [0, 1] as const;

const ACTS = [
  ...['create', 'unlock', 'unlock', 'wrong passphrase', 'lock', 'lock during an unlock', 'restart'],
  ...['save', 'save', 'remove', 'key', 'rotate', 'backup', 'restore own', 'restore foreign'],
  ...['outage', 'clock'],
] as const;

interface Step {
  readonly act: (typeof ACTS)[number];
  readonly by: (typeof WORKERS)[number];
  /** Which of a few: records, stores, jumps of the clock, moments. */
  readonly which: number;
  /** What happens at one of its operations on stores; 'outage': one of them goes or comes. */
  readonly fault: { readonly kind: Fault | 'outage'; readonly at: number } | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACTS),
  by: fc.constantFrom(...WORKERS),
  which: fc.nat(11),
  fault: fc.option(
    fc.record({
      kind: fc.constantFrom(...FAULTS, 'outage' as const),
      at: fc.integer({ min: 1, max: 80 }),
    }),
    { freq: 4 },
  ),
});

/** A head that could not be read once, in the one store that had it: an older one was taken, and the record was lost. */
const FOUND: Step[] = [
  { act: 'restore foreign', by: 0, which: 3, fault: { kind: 'outage', at: 1 } },
  { act: 'save', by: 0, which: 0, fault: null },
  { act: 'outage', by: 0, which: 3, fault: null },
  { act: 'rotate', by: 1, which: 0, fault: { kind: 'throw', at: 13 } },
];

/** Saved without one store, and then without the other: the later value was lost, as the other line was longer. */
const OVERTAKEN: Step[] = [
  { act: 'outage', by: 0, which: 0, fault: null },
  { act: 'save', by: 0, which: 0, fault: null },
  { act: 'save', by: 0, which: 0, fault: null },
  { act: 'outage', by: 0, which: 1, fault: null },
  { act: 'outage', by: 0, which: 0, fault: null },
  { act: 'save', by: 0, which: 0, fault: null },
];

/** What the user has been told, and so may rely on. */
class Model {
  /** 'maybe': its creation was cut off. */
  vault: 'none' | 'maybe' | 'there' = 'none';
  readonly records = new Map<string, number>();
  /** Labels of the user's own keys. */
  readonly keys = new Set<string>();
  /** Records and keys of changes that were reported as failed, or not at all: both are right. */
  readonly unsure = new Set<string>();
  /** Of the file that the user has: labels of its keys. */
  file: { readonly bytes: Uint8Array; readonly keys: readonly string[] } | undefined;
  /** The first app key of ORIGIN, where it was made while no store was missing: then it has one value. */
  appKey: string | undefined;
  hadOutage = false;
  /** Then the clock does not tell which of two lines has written a record later. */
  wasSetBack = false;
}

/** One browser, its two workers, and the model beside it. */
class Life {
  readonly model = new Model();
  readonly #world = new TestBrowser();
  readonly #missing = new Set<string>();
  readonly #foreign: Uint8Array;
  /** Those of a worker that has ended are free. */
  #locks = new MemoryLocks();
  readonly #workers = WORKERS.map(() => this.#worker());
  #count = 0;

  constructor(foreign: Uint8Array) {
    this.#foreign = foreign;
  }

  #worker() {
    const { primary, copy, session } = this.#world;
    const faults = new Faults(undefined, 0, undefined, this.#missing);
    const vault = this.#world.vault({
      primary: faults.store(primary, true),
      copy: faults.store(copy, false),
      session: faults.session(session),
      locks: {
        // One that has ended takes none of the locks that the others have since.
        exclusive: (name, work) =>
          faults.isDead ? new Promise(() => undefined) : this.#locks.exclusive(name, work),
      },
    });
    return { vault, faults };
  }

  #endWorkers(which: readonly number[]): void {
    this.#locks = new MemoryLocks();
    for (const at of which) this.#workers[at] = this.#worker();
  }

  async take({ act, by, which, fault }: Step): Promise<void> {
    const { vault, faults } = this.#workers[by]!;
    this.#world.time += 1000;
    if (fault?.kind === 'outage') this.#outageAt(faults, fault.at, which);
    else faults.arm(fault?.kind, fault?.at);
    const outcome = await Promise.race([
      this.#act(act, vault, which).then(
        () => 'done',
        (error: unknown) => error,
      ),
      faults.died.then(() => 'ended'),
    ]);
    faults.arm();
    faults.before = () => undefined;
    if (faults.isDead) this.#endWorkers([by]);
    if (outcome instanceof Error) refused(outcome);
  }

  async #act(act: Step['act'], vault: Vault, which: number): Promise<void> {
    const { model } = this;
    switch (act) {
      case 'create':
        return this.#create(vault);
      case 'unlock':
        await vault.unlock(PASSPHRASE);
        break;
      case 'wrong passphrase':
        await vault
          .unlock('wrong')
          .then(() => expect.fail('A wrong passphrase has opened it'), refused);
        break;
      case 'lock':
        await vault.lock();
        return this.#isClosed('after a lock');
      case 'lock during an unlock': {
        const unlocking = vault.unlock(PASSPHRASE).catch(refused);
        for (let turn = 0; turn < which * 8; turn++) await Promise.resolve();
        await vault.lock();
        await unlocking;
        return this.#isClosed('after a lock during an unlock');
      }
      case 'restart':
        this.#world.session.values.clear();
        this.#endWorkers(WORKERS);
        break;
      case 'save':
        return this.#save(vault, idOf(which));
      case 'remove':
        return this.#remove(vault, idOf(which));
      case 'key': {
        const label = `key ${++this.#count}`;
        await this.#changing([label], () => this.#ring(vault).createSealingKey(label));
        model.keys.add(label);
        break;
      }
      case 'rotate':
        return this.#rotate(vault);
      case 'backup': {
        const bytes = await this.#world.backups(vault).make(BY, { passphrase: FILE });
        model.file = { bytes, keys: await this.#ownLabels(vault) };
        break;
      }
      case 'restore own':
        return this.#restoreOwn(vault);
      case 'restore foreign':
        return this.#restoreForeign(vault);
      case 'outage':
        this.#outage(which);
        break;
      case 'clock': {
        const jump = JUMPS[which % JUMPS.length]!;
        this.#world.time += jump;
        if (jump < 0) this.model.wasSetBack = true;
        if (Math.abs(jump) >= HOUR) await this.#isClosed('after the clock was set');
        break;
      }
    }
  }

  #outage(which: number): void {
    const store = STORES[which % 2]!;
    if (!this.#missing.delete(store)) this.#missing.add(store);
    this.model.hadOutage = true;
  }

  #outageAt(faults: Faults, at: number, which: number): void {
    let left = at;
    faults.before = () => {
      if (--left === 0) this.#outage(which);
    };
  }

  async #create(vault: Vault): Promise<void> {
    const { model } = this;
    const was = model.vault;
    if (was === 'none') model.vault = 'maybe';
    await vault.create(PASSPHRASE);
    expect(was, 'a vault was made over another one').to.not.equal('there');
    model.vault = 'there';
    const made = await this.#appKey(vault);
    if (!model.hadOutage) model.appKey = made;
  }

  /** A change that may count or not, unless it is reported as saved. */
  async #changing<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    const { unsure } = this.model;
    const before = ids.filter((id) => unsure.has(id));
    for (const id of ids) unsure.add(id);
    const result = await work();
    const { hadOutage, wasSetBack } = this.model;
    // What an earlier change left open may come back with the store that it was written to.
    const stayOpen = !hadOutage ? [] : wasSetBack ? ids : before;
    for (const id of ids) if (!stayOpen.includes(id)) unsure.delete(id);
    return result;
  }

  async #save(vault: Vault, id: string): Promise<void> {
    const value = ++this.#count;
    await this.#changing([id], () => vault.commit((d) => d.put({ id, type: 'note', value })));
    this.model.records.set(id, value);
  }

  async #remove(vault: Vault, id: string): Promise<void> {
    const wasThere = await this.#changing([id], () =>
      vault.commit(async (draft) => {
        const isThere = (await draft.get(id)) !== undefined;
        draft.remove(id);
        return isThere;
      }),
    );
    // On the line of the other store it may be there still.
    if (wasThere || !this.model.hadOutage) this.model.records.delete(id);
  }

  /** What was sealed before opens afterwards. */
  async #rotate(vault: Vault): Promise<void> {
    const ring = this.#ring(vault);
    const before = await this.#appKey(vault);
    const rotated = await vault.commit((draft) => ring.rotateIn(draft, 'app', ORIGIN));
    const { generation } = await ring.sealingMaterial('app', ORIGIN);
    expect(generation).to.equal(rotated);
    const used = await ring.usedKeys('app', ORIGIN);
    expect(used.map(toBase64url)).to.include(before);
  }

  async #restoreOwn(vault: Vault): Promise<void> {
    const { file, keys } = this.model;
    if (file === undefined) return;
    const report = await this.#changing(file.keys, () => this.#restored(vault, file.bytes));
    if (report.relation === 'own') for (const label of file.keys) keys.add(label);
    else expect(this.model.hadOutage, 'a file of one’s own is foreign').to.equal(true);
  }

  async #restoreForeign(vault: Vault): Promise<void> {
    const before = [await this.#ownLabels(vault), await this.#appKeyIfMade(vault)];
    const report = await this.#restored(vault, this.#foreign);
    if (report.relation === 'first') {
      expect(this.model.appKey, 'a vault in use has taken a foreign file as its own').to.equal(
        undefined,
      );
      for (const label of report.labels) this.model.unsure.add(label);
    } else {
      const after = [await this.#ownLabels(vault), await this.#appKeyIfMade(vault)];
      expect(after, 'a foreign file has changed a choice').to.deep.equal(before);
    }
  }

  #restored(vault: Vault, bytes: Uint8Array): Promise<BackupReport> {
    return this.#world.backups(vault).restore(bytes, FILE);
  }

  async #isClosed(when: string): Promise<void> {
    for (const { vault } of this.#workers) {
      const { state } = await vault.state();
      expect(state, when).to.not.equal('unlocked');
      expect(vault.isKnownOpen(), when).to.equal(false);
    }
  }

  #ring(vault: Vault) {
    return this.#world.keyRing(vault);
  }

  async #appKey(vault: Vault): Promise<string> {
    return toBase64url((await this.#ring(vault).sealingMaterial('app', ORIGIN)).key);
  }

  async #appKeyIfMade(vault: Vault): Promise<string | undefined> {
    return (await vault.list('key-root')).length > 0 ? this.#appKey(vault) : undefined;
  }

  async #ownLabels(vault: Vault): Promise<string[]> {
    const keys = await this.#ring(vault).list();
    const own = keys.filter(({ kind, guest }) => kind === 'sealing' && !guest);
    return own.map(({ label }) => label).toSorted();
  }

  /** What a worker of a later day finds, when all stores are there. */
  async end(): Promise<void> {
    const { model } = this;
    this.#missing.clear();
    this.#world.session.values.clear();
    this.#endWorkers(WORKERS);
    const { vault } = this.#workers[0]!;
    const { state } = await vault.state();
    if (model.vault === 'none') expect(state).to.equal('absent');
    if (model.vault !== 'there') return;
    expect(state).to.equal('locked');
    await vault.unlock(PASSPHRASE);
    const found = new Map(Object.entries(await notes(vault)));
    for (const id of model.unsure) [found, model.records].forEach((map) => map.delete(id));
    expect(Object.fromEntries(found)).to.deep.equal(Object.fromEntries(model.records));
    const labels = await this.#ownLabels(vault);
    expect(labels).to.include.members([...model.keys]);
    expect([...model.keys, ...model.unsure]).to.include.members(labels);
    if (model.appKey !== undefined) {
      await this.#appKey(vault);
      const used = await this.#ring(vault).usedKeys('app', ORIGIN);
      expect(used.map(toBase64url)).to.include(model.appKey);
    }
    expect(vault.repairs.filter(({ mended }) => !mended)).to.deep.equal([]);
    const making = await vault.create(PASSPHRASE).catch(refused);
    expect(making).to.equal('EXISTS');
  }
}

const idOf = (which: number): string => `record ${which % 4}`;

/** The session store has no copy: its error goes on as it is. */
function refused(error: unknown): string {
  if (error instanceof VaultError) return error.code;
  if (error instanceof InjectedError) return 'INJECTED';
  throw error;
}

/** A file of another user, with a root, a key and a use of each. */
async function foreignFile(): Promise<Uint8Array> {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  const ring = world.keyRing(vault);
  const { ref } = await ring.createSealingKey('foreign');
  for (const used of ['app', ref]) await ring.sealingMaterial(used, ORIGIN);
  return world.backups(vault).make(BY, { passphrase: FILE });
}

describe('The life of a vault', () => {
  it(`keeps what it has reported, in ${SEQUENCES} sequences`, async function () {
    this.timeout(60_000 + SEQUENCES * 2000);
    const foreign = await foreignFile();
    const lives = fc.array(step, { maxLength: 16, size: 'max' });
    await fc.assert(
      fc.asyncProperty(lives, async (steps) => {
        await Promise.race([lived(foreign, steps), tooLong()]);
      }),
      {
        numRuns: SEQUENCES,
        examples: [[FOUND], [OVERTAKEN]],
        ...seedOf(process.env['SEALWRIGHT_LIVES_SEED'] ?? SEED),
      },
    );
  });
});

async function lived(foreign: Uint8Array, steps: readonly Step[]): Promise<void> {
  const life = new Life(foreign);
  const first: Step = { act: 'create', by: 0, which: 0, fault: null };
  for (const each of [first, ...steps]) await life.take(each);
  await life.end();
}

/** Rejects if the sequence does not end in time, so that fast-check reports it and looks for a shorter one. */
async function tooLong(): Promise<never> {
  await pause(LONGEST_MS, undefined, { ref: false });
  throw new Error(`It has not ended within ${LONGEST_MS} ms`);
}

const seedOf = (seed: string | undefined) => (seed === undefined ? {} : { seed: Number(seed) });
