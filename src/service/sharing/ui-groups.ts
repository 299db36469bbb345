import type { Call, Implementations } from '../../rpc/call.ts';
import { callIdOf, onceIn, OWN_PAGES } from '../calls/journal.ts';
import type { CommitOnce, KeptGroups, KeptGroupsDeps } from './kept-groups.ts';

interface Deps extends Pick<KeptGroupsDeps, 'vault' | 'now'> {
  readonly keptGroups: KeptGroups;
}

type GroupMethods =
  | 'ui.groups'
  | 'ui.sealableGroups'
  | 'ui.makeGroup'
  | 'ui.changeGroup'
  | 'ui.takeEpochs'
  | 'ui.renameGroup'
  | 'ui.removeGroup';

/** The ui methods for groups. A call that is repeated makes one epoch, and the other one is dropped. */
export function uiGroupMethods({
  keptGroups,
  vault,
  now,
}: Deps): Pick<Implementations, GroupMethods> {
  const once = (call: Call): CommitOnce => {
    const entry = { call: callIdOf(call), at: now() };
    return (change) =>
      vault.commit((draft) => onceIn(draft, OWN_PAGES, entry, () => change(draft)));
  };
  return {
    async 'ui.groups'() {
      const groups = await keptGroups.all();
      return groups.map(({ epochs, ...group }) => ({ ...group, epochs: [...epochs] }));
    },
    'ui.sealableGroups': () => keptGroups.sealable(),
    async 'ui.makeGroup'({ name, contacts, own, signer }, call) {
      await vault.refresh(); // locked: said before any work
      return { id: await keptGroups.make(name, contacts, { own, signer }, once(call)) };
    },
    async 'ui.changeGroup'({ id, signer, ...change }, call) {
      await vault.refresh();
      await keptGroups.change(id, change, signer, once(call));
      return {};
    },
    async 'ui.takeEpochs'({ id, epochs, name }, call) {
      await vault.refresh();
      await keptGroups.take(id, epochs, name, once(call));
      return {};
    },
    async 'ui.renameGroup'({ id, name }, call) {
      await once(call)((draft) => keptGroups.renameIn(draft, id, name).then(() => null));
      return {};
    },
    async 'ui.removeGroup'({ id }, call) {
      await once(call)((draft) => keptGroups.removeIn(draft, id).then(() => null));
      return {};
    },
  };
}
