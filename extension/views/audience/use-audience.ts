import { useState } from 'preact/hooks';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { offeredKey, sealingKeys } from '../../ui/components/sealing-key.tsx';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import { useQuery } from '../../ui/hooks/use-query.ts';
import { GROUP_PROBLEMS, type Audience, type AudienceGroup } from './audience.ts';
import { signingKeys } from './signing-choice.tsx';

interface AudienceState {
  readonly ready: boolean;
  readonly keys: readonly UiKey[];
  /** The keys that can sign for others to check. */
  readonly signers: readonly UiKey[];
  readonly contacts: readonly UiContact[];
  /** None until they were checked, for which nothing else waits: a group can have a thousand epochs. */
  readonly groups: readonly AudienceGroup[];
  readonly value: Audience;
  readonly onChange: (part: Partial<Audience>) => void;
}

const DEFAULT_AUDIENCE: Audience = {
  who: 'me',
  ref: '',
  meToo: true,
  contacts: [],
  groups: [],
  signs: false,
  signer: '',
};

/**
 * State of the audience. The site's own setting is the first choice of the key, then the key chosen
 * last.
 *
 * @param siteRef the key that is set for the site; null if there is none
 * @param contact the contact that is chosen at first
 */
export function useAudience(siteRef: string | null, contact?: string): AudienceState {
  const { data: all } = useQuery('ui.keys', {});
  const { data: contacts } = useQuery('ui.contacts', {});
  const { data: groups } = useQuery('ui.sealableGroups', {});
  const [lastRef, setLastRef] = useDraft('sealed-text-key');
  const [chosen, setChosen] = useState<Partial<Audience>>(
    contact === undefined ? {} : { who: 'people', contacts: [contact] },
  );
  const keys = sealingKeys(all ?? []);
  const wanted = chosen.ref ?? siteRef ?? lastRef;
  const ref = offeredKey(keys, wanted);
  const signers = signingKeys(all ?? []);
  const signer = offeredKey(signers, chosen.signer ?? '');
  const onChange = (part: Partial<Audience>) => {
    if (part.ref !== undefined) setLastRef(part.ref);
    setChosen((before) => ({ ...before, ...part }));
  };
  return {
    ready: all !== undefined && contacts !== undefined,
    keys,
    signers,
    contacts: contacts ?? [],
    groups: (groups ?? []).map(({ problem, ...group }) => ({
      ...group,
      problem: problem === null ? undefined : GROUP_PROBLEMS[problem],
    })),
    value: { ...DEFAULT_AUDIENCE, ...chosen, ref, signer },
    onChange,
  };
}
