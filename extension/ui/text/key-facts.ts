import type { Text } from './i18n.ts';
import type { UiKey } from '../environment/ui-client.ts';
import { isSiteKind } from '../../../src/rpc/key-kinds.ts';
import { kindWords } from './key-words.ts';

/** What a key is for, and one fact about it: which sites may use it, else what was done with it, else when it was made. */
export function keyFacts(key: UiKey, text: Text): string[] {
  const purpose = kindWords(key.kind).purpose?.(key, text);
  return [...(purpose === undefined ? [] : [purpose]), stateOf(key, text)];
}

function stateOf({ kind, created, sealed, lastUsed, grants }: UiKey, text: Text): string {
  if (grants > 0) return text.plural('keyGrants', grants);
  if (sealed > 0) return text.plural('keySealed', sealed);
  if (lastUsed !== null) return text.t('lastUsed', text.relative(lastUsed));
  if (kind === 'app') return text.t('appKeysFacts');
  return isSiteKind(kind) ? text.t('keyUnused') : text.t('keyCreatedOn', text.date(created));
}

/**
 * The name of a key: the user's label, or a fixed name for the keys of sites. A key that the user has not taken
 * over is marked wherever its name is shown.
 */
export function keyName(
  key: { readonly kind: string; readonly label: string; readonly guest?: boolean },
  text: Text,
): string {
  if (key.kind === 'app') return text.t('appKey');
  const name = key.label || text.t('unnamedKey');
  return key.guest ? text.t('guestKey', name) : name;
}
