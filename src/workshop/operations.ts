import type { LoadWasm } from '../engine/wasm/loader.ts';
import type { Operation } from '../rpc/workshop.ts';
import type { Group, GroupOf, Operations, Perform } from './contract.ts';

interface Module<G extends string> {
  readonly operations: (loadWasm: LoadWasm) => Group<G> | Promise<Group<G>>;
}

/**
 * Each is a script of its own: Argon2id of the vault's passphrase runs beside no other operation's code. Signatures are
 * made by the code of `subtle`, and share its script; texts of messages are read beside those of epochs.
 */
const MODULES: { readonly [G in GroupOf<Operation>]: () => Promise<Module<G>> } = {
  argon2id: () => import(/* webpackChunkName: 'workshop-argon2id' */ './argon2id.ts'),
  age: () => import(/* webpackChunkName: 'workshop-age' */ './age.ts'),
  armor: () => import(/* webpackChunkName: 'workshop-groups' */ './groups.ts'),
  groups: () => import(/* webpackChunkName: 'workshop-groups' */ './groups.ts'),
  json: () => import(/* webpackChunkName: 'workshop-json' */ './json.ts'),
  signature: () => import(/* webpackChunkName: 'workshop-subtle' */ './signature.ts'),
  selfTest: () => import(/* webpackChunkName: 'workshop-self-test' */ './self-test.ts'),
  subtle: () => import(/* webpackChunkName: 'workshop-subtle' */ './subtle.ts'),
  sync: () => import(/* webpackChunkName: 'workshop-sync' */ './sync.ts'),
};

/** All operations. Each group is loaded at its first call, and its engines with it. */
export function allOperations(loadWasm: LoadWasm): Perform {
  const loaded = new Map<string, Promise<Partial<Operations>>>();
  const load = async (group: GroupOf<Operation>): Promise<Partial<Operations>> =>
    (await MODULES[group]()).operations(loadWasm);
  return async (operation, input, report) => {
    const group = operation.split('.')[0] as GroupOf<Operation>;
    const operations = loaded.get(group) ?? load(group);
    loaded.set(group, operations);
    return ((await operations) as Operations)[operation](input, report);
  };
}
