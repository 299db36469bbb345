import { MAX_RECIPIENTS } from '../../../src/rpc/limits.ts';
import type { SealableGroup } from '../../../src/rpc/methods/ui-contacts.ts';
import { sealingKeyFor } from '../../ui/components/sealing-key.tsx';
import { signingKeyFor, type Signing } from './signing-choice.tsx';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import type { MessageKey, Text } from '../../ui/text/i18n.ts';

/** One place of a message's recipients is taken by what proves the sender (docs/format.md section 3.5). */
const PEOPLE_MAX = MAX_RECIPIENTS - 1;

/** Why the user cannot seal to a group, in words. */
export const GROUP_PROBLEMS: Readonly<Record<NonNullable<SealableGroup['problem']>, MessageKey>> = {
  left: 'groupLeft',
  waiting: 'groupWaiting',
  noAdmins: 'groupNoAdmins',
};

/** A group as one to seal to. */
export interface AudienceGroup {
  /** "swg1.…" */
  readonly id: string;
  readonly name: string;
  /** One of GROUP_PROBLEMS; undefined where the user can seal to it. */
  readonly problem: MessageKey | undefined;
}

/** Who can open a text. */
export interface Audience extends Signing {
  /**
   * 'words': a person without Sealwright, who is told a passphrase (use-told-passphrase.ts). 'age': people who use age
   * (age-recipients.tsx).
   */
  readonly who: 'me' | 'people' | 'words' | 'age';
  /** The user's key; '' for one that will be created. */
  readonly ref: string;
  /** Whether the user's key opens texts for other people too. */
  readonly meToo: boolean;
  /** Ids of contacts. */
  readonly contacts: readonly string[];
  /** Ids of groups. */
  readonly groups: readonly string[];
}

/** The error of an audience for which nothing can be sealed; undefined if it is complete. */
export function audienceProblem({
  who,
  contacts,
  groups,
  meToo,
}: Audience): MessageKey | undefined {
  if (who !== 'people') return undefined;
  const count = contacts.length + groups.length;
  if (count === 0) return 'sealPeopleMissing';
  return count + (meToo ? 1 : 0) > PEOPLE_MAX ? 'sealPeopleTooMany' : undefined;
}

/** Whether one of the user's keys is a recipient. */
export const takesOwnKey = ({ who, meToo }: Audience): boolean =>
  who === 'me' || (who === 'people' && meToo);

/**
 * What a sealing call takes for an audience: the user's key where it is a recipient, the contacts and groups, and the key
 * that signs where the user chose that. A key that the user lacks is made now. A person who is told a passphrase has no key.
 */
export async function recipientsOf(
  audience: Audience,
  ui: UiClient,
  text: Text,
): Promise<{ ref?: string; contacts?: string[]; groups?: string[]; signer?: string }> {
  const isForPeople = audience.who === 'people';
  const { contacts, groups } = audience;
  return {
    ...(takesOwnKey(audience) && { ref: await sealingKeyFor(audience.ref, ui, text) }),
    ...(isForPeople && contacts.length > 0 && { contacts: [...contacts] }),
    ...(isForPeople && groups.length > 0 && { groups: [...groups] }),
    ...(isForPeople &&
      audience.signs && { signer: await signingKeyFor(audience.signer, ui, text) }),
  };
}

/** The ids with `id` added, or removed if it was among them. */
export function toggled(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
}
