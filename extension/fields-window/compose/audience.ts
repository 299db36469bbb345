import { MAX_RECIPIENTS } from '../../../src/rpc/limits.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** Who is to be able to open a text. */
export interface Audience {
  readonly who: 'me' | 'people';
  /** The user's key; '' for one that is to be made. */
  readonly ref: string;
  /** Whether the user's key opens what is sealed for other people too. */
  readonly meToo: boolean;
  readonly contacts: readonly string[];
}

/** What is missing before a text can be sealed for them. */
export function audienceProblem({ who, contacts, meToo }: Audience): MessageKey | undefined {
  if (who === 'me') return undefined;
  if (contacts.length === 0) return 'sealPeopleMissing';
  return contacts.length + (meToo ? 1 : 0) > MAX_RECIPIENTS ? 'sealPeopleTooMany' : undefined;
}

/** Whether one of the user's keys is among those that open it. */
export const takesOwnKey = ({ who, meToo }: Audience): boolean => who === 'me' || meToo;

export function toggled(contacts: readonly string[], id: string): readonly string[] {
  return contacts.includes(id) ? contacts.filter((one) => one !== id) : [...contacts, id];
}
