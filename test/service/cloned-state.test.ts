import { expect } from 'chai';
import { toHex } from '../../src/crypto/bytes.ts';
import { parsePrefix } from '../../src/format/wire/envelope.ts';
import { Random } from '../../src/random/random.ts';
import { streamSource } from '../random/fixed-source.ts';
import { inDepth } from '../support/depth.ts';
import { pageSubtle } from '../support/page-subtle.ts';
import { pageCaller } from '../support/service-fakes.ts';
import { PASSPHRASE, World } from '../support/service-world.ts';

const TEXT = new TextEncoder().encode('the same text in both copies');
const GCM = { name: 'AES-GCM', length: 256 };
const CHUNKS = { purpose: 'stream' } as const;
/** How a sealed message begins: a header of 24 bytes, then the salt. */
const MAGIC = toHex(Uint8Array.of(0xf5, 0x53, 0x57, 0x4d));

/**
 * A profile and the machine it is on. Memory is copied by repetition: with the same bytes of the platform
 * and the same calls, two machines are in the same state, which each test checks.
 */
class Machine {
  readonly world = World.fresh();
  /** All values that must not occur twice, in the order in which they were made. */
  readonly made: { readonly what: string; readonly value: string }[] = [];
  /** What a page holds: a key that is collected is let go, on each machine at another moment. */
  readonly held: unknown[] = [];
  nowMs = 0;
  random!: Random;
  #platform = streamSource('before the copy');

  constructor() {
    this.world.platformRandom = { bytes: (length) => this.#platform.bytes(length) };
    this.restart();
  }

  /** The background ends, and starts again. */
  restart(): void {
    const nowMs = () => this.nowMs;
    const random = new Random({ nowMs, platform: this.world.platformRandom });
    this.random = random;
    this.world.random.bytes = (length) => random.bytes(length);
    this.world.restart();
  }

  /** From now on, the platform gives what no other machine gets. */
  isCopy(name: string): void {
    this.#platform = streamSource(name);
    this.made.length = 0;
  }

  note(what: string, value: Uint8Array | string): void {
    this.made.push({ what, value: typeof value === 'string' ? value : toHex(value) });
  }

  noteSalt(what: string, sealed: Uint8Array): void {
    const { recipients, chunksOffset } = parsePrefix(sealed);
    for (const { id, body } of recipients.entries) {
      this.note(`id of an entry of ${what}`, id);
      this.note(`sealed data key of ${what}`, body);
    }
    this.note(`salt of ${what}`, sealed.slice(chunksOffset - 56, chunksOffset - 32));
  }
}

/** What a user and a page do, one after the other. The state is copied before each, and at the end. */
const STEPS: Readonly<Record<string, (machine: Machine) => Promise<void>>> = {
  async 'the set-up'({ world }) {
    const { vault } = await world.surface('ui.state', {});
    if (vault === 'absent') await world.surface('ui.createVault', { passphrase: PASSPHRASE });
  },
  async 'a lock'({ world }) {
    await world.surface('ui.lock', {});
  },
  async 'an unlock'({ world }) {
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
  },
  async 'a grant'({ world }) {
    await world.connect();
  },
  async 'random values'(machine) {
    const { world } = machine;
    machine.note('random', await world.call('random', { length: 32 }));
    for (let i = 0; i < 3; i++) {
      machine.note('UUID', await world.call('randomUUID', {}));
      machine.note('integer', String(await world.call('randomInt', { max: 2 ** 48 })));
    }
  },
  async messages(machine) {
    const { world } = machine;
    for (let i = 0; i < 3; i++) {
      machine.noteSalt('seal', await world.call('seal', { plaintext: TEXT }));
    }
  },
  async 'a stream'(machine) {
    const { prefix, key, baseNonce } = await machine.world.call('releaseSeal', CHUNKS);
    machine.noteSalt('a stream', prefix);
    machine.note('key of a stream', key);
    machine.note('nonce of a stream', baseNonce);
  },
  async 'session keys'(machine) {
    const subtle = pageSubtle(machine.world);
    const key = await subtle.generateKey(GCM, true, ['encrypt']);
    machine.held.push(subtle, key);
    machine.note('session key', new Uint8Array(await subtle.exportKey('raw', key)));
  },
  'the end of the background'(machine) {
    machine.restart();
    return Promise.resolve();
  },
  async 'keys of a user, and shared messages'(machine) {
    const { world } = machine;
    for (const kind of ['sealing', 'sharing'] as const) {
      const { ref } = await world.surface('ui.createKey', { kind, label: kind });
      machine.note(`id of a ${kind} key`, ref);
    }
    const { publicKey } = (await world.surface('ui.ownSharingKeys', {})).at(-1)!;
    const sealed = await world.call('seal', { plaintext: TEXT, to: [publicKey] });
    machine.noteSalt('a shared message', sealed);
  },
  async 'another site'(machine) {
    const { world } = machine;
    const number = world.prompter.shown.length;
    const caller = pageCaller({ origin: `https://site-${number}.example`, documentId: 'other' });
    const [grant] = await world.connect({}, caller);
    machine.note('prompt', world.prompter.shown.at(-1)!);
    machine.note('grant', grant!.id);
    const sealed = await world.call('seal', { plaintext: TEXT }, caller);
    machine.note('header key id', sealed.slice(8, 24));
    machine.noteSalt('the first message of a site', sealed);
  },
  async 'a recovery code'(machine) {
    const by = { passphrase: PASSPHRASE };
    const { code } = await machine.world.surface('ui.addRecoveryCode', { by });
    machine.note('recovery code', code);
  },
  async 'the end of the browser'(machine) {
    machine.world.session.values.clear();
    machine.restart();
    await machine.world.surface('ui.unlock', { passphrase: PASSPHRASE });
  },
};
const NAMES = Object.keys(STEPS);
const FIRST_MAKER = NAMES.indexOf('random values');

/** Two copies of one machine. @param count how many steps came before the copy */
async function copiesAfter(count: number): Promise<[Machine, Machine]> {
  const machines: [Machine, Machine] = [new Machine(), new Machine()];
  for (const machine of machines) {
    for (const name of NAMES.slice(0, count)) await STEPS[name]!(machine);
  }
  const [first, second] = machines;
  expect(second.world.stored(), 'the same is stored').to.equal(first.world.stored());
  expect([...second.world.session.values]).to.deep.equal([...first.world.session.values]);
  expect(second.made, 'the same was made').to.deep.equal(first.made);
  return machines;
}

/** Of the values that were stored since `before`: each whole, and the salt of what is sealed in it. */
function newlyStored({ world }: Machine, before: ReadonlySet<string>) {
  const all = [world.primary, world.copy].flatMap(({ values }) => [...values.values()].map(toHex));
  const values = [...new Set(all)].filter((value) => !before.has(value));
  const salts = values.flatMap((value) => {
    const at = value.indexOf(MAGIC);
    return at < 0 ? [] : [value.slice(at + 2 * 24, at + 2 * 48)];
  });
  return { values, salts };
}

describe('Two copies of one machine', function () {
  this.timeout(60_000);

  for (const [count, next] of [...NAMES, 'the end'].entries()) {
    if (count % inDepth(1, 3) !== 0) continue;
    it(`before ${next}: repeat no salt, nonce, key, id or random value`, async () => {
      const machines = await copiesAfter(count);
      const before = new Set(newlyStored(machines[0], new Set()).values);
      for (const [i, machine] of machines.entries()) {
        machine.isCopy(`copy ${i}`);
        // Again what made something before the copy, then on to the end.
        const again = NAMES.slice(FIRST_MAKER, Math.max(count, FIRST_MAKER));
        for (const name of [...again, ...NAMES.slice(count)]) await STEPS[name]!(machine);
      }
      const [first, second] = machines;
      expect(first.made.length).to.be.at.least(20);
      expect(second.made.map(({ what }) => what)).to.deep.equal(first.made.map(({ what }) => what));
      const made = new Set(first.made.map(({ value }) => value));
      expect(made.size, 'all differ in one copy').to.equal(first.made.length);
      expect(second.made.filter(({ value }) => made.has(value))).to.deep.equal([]);

      const [one, other] = machines.map((machine) => newlyStored(machine, before));
      expect(one!.salts.length).to.be.above(10);
      expect(new Set(one!.salts)).to.have.property('size', one!.salts.length);
      for (const kind of ['values', 'salts'] as const) {
        expect(
          one![kind].filter((each) => other![kind].includes(each)),
          kind,
        ).to.deep.equal([]);
      }
    });
  }
});

/* The promise of SECURITY.md, 7: output is good if the platform's or Fortuna's is. */
describe('Two copies of one machine whose platform repeats itself too', () => {
  const all = NAMES.indexOf('session keys');
  const sealed = ({ world }: Machine, text: string) =>
    world.call('seal', { plaintext: new TextEncoder().encode(text) });
  const random = ({ world }: Machine) => world.call('random', { length: 32 });

  it('give the same random values, as nothing tells them apart', async () => {
    const [first, second] = await copiesAfter(all);
    expect(await random(first)).to.deep.equal(await random(second));
  });

  it('seal the same message alike, and others under salts of their own', async () => {
    const [first, second] = await copiesAfter(all);
    expect(await sealed(first, 'same')).to.deep.equal(await sealed(second, 'same'));
    const [one, other] = [await sealed(first, 'one'), await sealed(second, 'two')];
    expect(one.slice(24, 48)).to.not.deep.equal(other.slice(24, 48));
    expect(one.slice(0, 24), 'one key').to.deep.equal(other.slice(0, 24));
  });

  it('differ from the first reseed on after an event that only one of them sees', async () => {
    const [first, second] = await copiesAfter(all);
    first.random.addEvent(1, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    for (const machine of [first, second]) {
      // Pool 0 needs 64 bytes: each request adds 34 to one of the 32 pools.
      for (let i = 0; i < 64; i++) await random(machine);
      machine.nowMs += 1000;
    }
    expect(await random(first)).to.not.deep.equal(await random(second));
  });
});
