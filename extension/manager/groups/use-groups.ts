import { useEffect, useState } from 'preact/hooks';
import type { OwnSharingKey, UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiClient, UiKey } from '../../ui/environment/ui-client.ts';
import { useQuery } from '../../ui/hooks/use-query.ts';
import { signingKeys } from '../../views/audience/signing-choice.tsx';
import { groupFacts, type GroupFacts, type OwnSigner } from './group-facts.ts';

/** The groups of the user. */
export interface GroupsState {
  /** Undefined until their epochs were read. */
  readonly groups: readonly GroupFacts[] | undefined;
  readonly error: unknown;
  readonly reload: () => Promise<void>;
}

/** By what members are recognized. */
interface Known {
  readonly contacts: readonly UiContact[];
  readonly own: readonly OwnSharingKey[];
}

/** The groups that the vault keeps. Who belongs to them is read from their epochs in this page. */
export function useGroups({ contacts, own }: Known): GroupsState {
  const { ui } = useEnvironment();
  const kept = useQuery('ui.groups', {});
  const keys = useQuery('ui.keys', {});
  const [state, setState] = useState<{ groups?: readonly GroupFacts[]; error?: unknown }>({});
  useEffect(() => {
    if (!kept.data || !keys.data) return undefined;
    const known = { own, contacts };
    let isLatest = true; // a slow older answer is dropped
    const settle = (next: typeof state) => {
      if (isLatest) setState(next);
    };
    const read = async (groups: typeof kept.data, all: readonly UiKey[]) => {
      const signers = groups.length === 0 ? [] : await signersAmong(all, ui);
      return Promise.all(groups.map((group) => groupFacts(group, { ...known, signers })));
    };
    void read(kept.data, keys.data).then(
      (groups) => settle({ groups }),
      (error: unknown) => settle({ error }),
    );
    return () => {
      isLatest = false;
    };
  }, [ui, kept.data, own, keys.data, contacts]);
  const error = kept.error ?? keys.error ?? state.error;
  const reload = async () => {
    await Promise.all([kept.reload(), keys.reload()]);
  };
  return { groups: state.groups, error, reload };
}

function signersAmong(keys: readonly UiKey[], ui: UiClient): Promise<OwnSigner[]> {
  return Promise.all(
    signingKeys(keys).map(async ({ ref }) => {
      const { text } = await ui.call('ui.publicKey', { ref });
      return { ref, publicKey: text };
    }),
  );
}
