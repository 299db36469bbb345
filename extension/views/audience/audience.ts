import { MAX_RECIPIENTS } from '../../../src/rpc/limits.ts';
import { sealingKeyFor } from '../../ui/components/sealing-key.tsx';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import type { MessageKey, Text } from '../../ui/text/i18n.ts';

/** One place of a message's recipients is taken by what proves the sender (docs/format.md section 3.5). */
const PEOPLE_MAX = MAX_RECIPIENTS - 1;

/** Who can open a text. */
export interface Audience {
  /** 'words': a person without Sealwright, who is told a passphrase (use-told-passphrase.ts). */
  readonly who: 'me' | 'people' | 'words';
  /** The user's key; '' for one that will be created. */
  readonly ref: string;
  /** Whether the user's key opens texts for other people too. */
  readonly meToo: boolean;
  /** Ids of contacts. */
  readonly contacts: readonly string[];
}

/** The error of an audience for which nothing can be sealed; undefined if it is complete. */
export function audienceProblem({ who, contacts, meToo }: Audience): MessageKey | undefined {
  if (who !== 'people') return undefined;
  if (contacts.length === 0) return 'sealPeopleMissing';
  return contacts.length + (meToo ? 1 : 0) > PEOPLE_MAX ? 'sealPeopleTooMany' : undefined;
}

/** Whether one of the user's keys is a recipient. */
export const takesOwnKey = ({ who, meToo }: Audience): boolean =>
  who === 'me' || (who === 'people' && meToo);

/**
 * What a sealing call takes for an audience: the user's key, made now if there is none, where it is a recipient, and
 * the contacts; nothing for a person who is told a passphrase.
 */
export async function recipientsOf(
  audience: Audience,
  ui: UiClient,
  text: Text,
): Promise<{ ref?: string; contacts?: string[] }> {
  return {
    ...(takesOwnKey(audience) && { ref: await sealingKeyFor(audience.ref, ui, text) }),
    ...(audience.who === 'people' && { contacts: [...audience.contacts] }),
  };
}

/** The contacts with `id` added, or removed if it was among them. */
export function toggled(contacts: readonly string[], id: string): readonly string[] {
  return contacts.includes(id) ? contacts.filter((one) => one !== id) : [...contacts, id];
}
