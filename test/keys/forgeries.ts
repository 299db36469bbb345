import { concat, u16be, u32be, u64be } from '../../src/crypto/bytes.ts';
import { frameValue } from '../../src/keys/values/checksummed-value.ts';
import type { PassphraseKdf } from '../../src/format/passphrase.ts';
import { encodeParameters } from '../../src/keys/unlock/passphrase-kdf.ts';
import { ARGON2ID_COST } from '../../src/format/passphrase.ts';
import { encodeSlot, nameOfSlot, SLOT_TYPES } from '../../src/keys/unlock/slots.ts';
import { EXISTS, HEADS } from '../../src/keys/values/value-names.ts';
import type { Vault } from '../../src/keys/vault/vault.ts';
import { cheapKdf, systemRandom } from '../support/stores/memory-store.ts';
import type { MemoryStore } from '../support/stores/memory-store.ts';
import { Tally, type StressResult } from './stress.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE } from './world.ts';
import type { TestBrowser } from './world.ts';
import { codeOf } from '../support/outcomes.ts';

/*
 * Values that others than the vault write into one of its stores: well-formed, with right checksums,
 * and replayed ones that were right once. Whatever they are, the other store decides.
 */

/** A head without a MAC: by an earlier version, or by anyone who can write a store. */
export function forgedHead(
  name: string,
  { schema = 1, generation = 2 ** 40, manifestHash = systemRandom.bytes(32) } = {},
): Uint8Array {
  return frameValue(name, concat(u16be(schema), u64be(generation), manifestHash));
}

/** A slot that no passphrase opens. @returns its name and its bytes */
export function forgedSlot(cost: Partial<typeof ARGON2ID_COST> = {}): [string, Uint8Array] {
  const salt = systemRandom.bytes(16);
  const slot = {
    type: SLOT_TYPES.argon2id,
    vaultId: systemRandom.bytes(16),
    slotId: systemRandom.bytes(16),
    created: 8e15,
    parameters: encodeParameters({ cost: { ...ARGON2ID_COST, ...cost }, salt }),
    sealed: systemRandom.bytes(105),
  };
  return [nameOfSlot(slot), encodeSlot(slot)];
}

/** What this machine cannot do: it has too little memory. */
export const POOR_KDF: PassphraseKdf = (passphrase, salt, cost) =>
  cost.memoryKiB > 200_000
    ? Promise.reject(new RangeError('WebAssembly.Memory(): could not allocate memory'))
    : cheapKdf(passphrase, salt, cost);

type Choose = (n: number) => number;
type Values = MemoryStore['values'];

interface Stage {
  readonly world: TestBrowser;
  /** What the stores held before, oldest first. */
  readonly past: readonly Values[];
  /** What they would hold, had a commit not failed. */
  readonly never: Values;
  /** Of a vault that is gone, with the same passphrase. */
  readonly other: Values;
}

const LIVE = 'a grant to be revoked';
const REVOKED = 'a grant that was revoked';
const grant = (id: string) => ({ id, type: 'grant', value: { id } });

async function staged(): Promise<Stage> {
  const { world, vault } = await filledWorld();
  const past: Values[] = [];
  const commit = async (...[change]: Parameters<Vault['commit']>) => {
    past.push(world.copy.clone().values);
    await vault.commit(change);
  };
  for (const id of [LIVE, REVOKED]) await commit((draft) => draft.put(grant(id)));
  await commit((draft) => draft.remove(REVOKED));
  await commit((draft) => draft.put({ id: 'other', type: 'other', value: 1 }));
  const branch = world.clone({ keepSession: true });
  await branch.vault().commit((draft) => draft.put(grant('never granted')));
  const { world: other } = await filledWorld();
  return { world, past, never: branch.copy.values, other: other.copy.values };
}

const random = (choose: Choose, max: number) =>
  Uint8Array.from({ length: choose(max) }, () => choose(256));

const FORGERIES: Readonly<Record<string, (values: Values, stage: Stage, choose: Choose) => void>> =
  {
    'head of a far generation': (values, _, choose) => {
      const generation = 1 + choose(2 ** 31) * 2 ** choose(21);
      const name = HEADS[choose(2)]!;
      values.set(name, forgedHead(name, { generation }));
    },
    'both heads of a far generation': (values) => {
      for (const name of HEADS) values.set(name, forgedHead(name));
    },
    'head of another schema': (values, _, choose) => {
      const name = HEADS[choose(2)]!;
      values.set(name, forgedHead(name, { schema: 3 + choose(65_533) }));
    },
    'heads of no sense': (values, _, choose) => {
      for (const name of HEADS) values.set(name, frameValue(name, random(choose, 120)));
    },
    'heads in each other’s place': (values) => {
      const [a, b] = HEADS.map((name) => values.get(name)!);
      values.set(HEADS[0], b!);
      values.set(HEADS[1], a!);
    },
    'head without its MAC': (values, { past, never }, choose) => {
      const from = [...past, never, values][choose(past.length + 2)]!;
      const name = HEADS[choose(2)]!;
      const body = from.get(name)!.slice(4, 4 + 42);
      values.set(name, frameValue(name, body));
    },
    'heads of an older generation': (values, { past }, choose) => {
      const before = past[choose(past.length)]!;
      for (const name of HEADS) values.set(name, before.get(name)!);
    },
    'head of a commit that failed': (values, { never }) => {
      for (const name of HEADS) values.set(name, never.get(name)!);
    },
    'everything of an older generation': (values, { past }, choose) => {
      const before = past[choose(past.length)]!;
      values.clear();
      for (const [name, bytes] of before) values.set(name, bytes);
    },
    'expensive slots': (values, _, choose) => {
      for (let i = 0; i < 20; i++) {
        values.set(...forgedSlot({ memoryKiB: 262_144 << choose(3), passes: 16 << choose(2) }));
      }
    },
    'cheap slots': (values) => {
      for (let i = 0; i < 20; i++) values.set(...forgedSlot({ memoryKiB: 19_456, passes: 2 }));
    },
    'slot with other parameters': (values, _, choose) => {
      const name = [...values.keys()].find((each) => each.startsWith('vault/slot/'));
      const body = name && values.get(name)!.slice(4, -32);
      if (!body || body.length < 100) return;
      body.set(u32be(choose(2 ** 31)), 43 + 1 + 4 * choose(3));
      values.set(name, frameValue(name, body));
    },
    'another vault’s slot, of the same passphrase': (values, { other }) => {
      for (const [name, bytes] of other) {
        if (name.startsWith('vault/slot/')) values.set(name, bytes);
      }
    },
    'all of another vault': (values, { other }) => {
      for (const [name, bytes] of other) values.set(name, bytes);
    },
    'vault marker': (values) => {
      values.set(EXISTS, frameValue(EXISTS, concat(systemRandom.bytes(16), u64be(2n ** 63n))));
    },
    'manifests of older generations, and one of none': (values, { past }, choose) => {
      const manifests = [...values.keys()].filter((name) => name.startsWith('vault/manifest/'));
      const before = [...past[choose(past.length)]!];
      const bytes = before.filter(([name]) => name.startsWith('vault/manifest/'));
      for (const name of manifests) values.set(name, bytes[choose(bytes.length)]![1]);
      values.set(`vault/manifest/${2 ** 40}`, bytes[0]![1]);
      for (const [name, value] of bytes) if (choose(2) === 0) values.set(name, value);
    },
    'records in each other’s place': (values, _, choose) => {
      const names = [...values.keys()].filter((name) => name.startsWith('vault/record/'));
      const bytes = names.map((name) => values.get(name)!);
      for (const name of names) values.set(name, bytes[choose(bytes.length)]!);
    },
    'any value': (values, _, choose) => {
      const names = [...values.keys()];
      const name = names[choose(names.length)]!;
      values.set(name, frameValue(name, random(choose, 400)));
    },
  };

const NAMES = Object.keys(FORGERIES);

/**
 * Forges values in one store, while the vault is locked or open. The right passphrase must open it,
 * and a revocation must be saved and last.
 */
export async function forgeries(trials: number, choose: Choose): Promise<StressResult> {
  const tally = new Tally();
  const stage = await staged();
  for (let trial = 0; trial < trials; trial++) {
    const isOpen = choose(2) === 0;
    const world = stage.world.clone({ keepSession: isOpen });
    const place = choose(2) === 0 ? 'primary' : 'copy';
    const forged = Array.from({ length: 1 + choose(3) }, () => NAMES[choose(NAMES.length)]!);
    for (const name of forged) FORGERIES[name]!(world[place].values, stage, choose);
    const title = `trial ${trial}, ${isOpen ? 'open' : 'locked'}, ${place}: ${forged.join(', ')}`;
    tally.trials++;
    for (const name of forged) tally.count(name);
    const vault = world.vault({ derive: POOR_KDF });
    const { state } = await vault.state();
    tally.hold(state === (isOpen ? 'unlocked' : 'locked'), `${title}: ${state}`);
    const outcome = await outcomeOf(vault, isOpen);
    tally.hold(outcome === 'well', `${title}: ${outcome}`);
    const later = world.clone().vault({ derive: POOR_KDF });
    const after = await afterwards(later);
    tally.hold(after === 'well', `${title}: afterwards ${after}`);
  }
  return tally.result();
}

/** Opens the vault, looks, and takes a grant back. */
async function outcomeOf(vault: Vault, isOpen: boolean): Promise<string> {
  const code = await codeOf(
    (async () => {
      if (!isOpen) await vault.unlock(PASSPHRASE);
      const now = JSON.stringify(await notes(vault));
      if (now !== JSON.stringify(EXPECTED)) throw new Error(`holds ${now}`);
      await vault.commit((draft) => draft.remove(LIVE));
    })(),
  );
  return code === 'ok' ? 'well' : code;
}

async function afterwards(vault: Vault): Promise<string> {
  const code = await codeOf(
    (async () => {
      await vault.unlock(PASSPHRASE);
      const now = JSON.stringify(await notes(vault));
      if (now !== JSON.stringify(EXPECTED)) throw new Error(`holds ${now}`);
      const grants = await vault.list('grant');
      if (grants.length > 0) throw new Error(`a revoked grant: ${grants[0]!.id}`);
      if (vault.repairs.some(({ mended }) => !mended)) throw new Error('not mended');
    })(),
  );
  return code === 'ok' ? 'well' : code;
}
