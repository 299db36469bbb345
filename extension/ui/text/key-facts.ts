import type { Text } from './i18n.ts';
import type { UiKey } from '../environment/ui-client.ts';
import { isSiteKind } from '../../../src/rpc/key-kinds.ts';
import { kindWords } from './key-words.ts';

/** The facts that are shown below the name of a key. */
export function keyFacts(key: UiKey, text: Text): string[] {
  const { kind, created, sealed, lastUsed, grants } = key;
  const purpose = kindWords(kind).purpose?.(key, text);
  return [
    ...(purpose === undefined ? [] : [purpose]),
    kind === 'app' ? text.t('appKeysFacts') : text.t('keyCreatedOn', text.date(created)),
    ...(sealed === 0 ? [] : [text.plural('keySealed', sealed)]),
    ...(lastUsed === null ? [] : [text.t('lastUsed', text.relative(lastUsed))]),
    ...(isSiteKind(kind) ? [grantsOf(grants, text)] : []),
  ];
}

/** How many permissions use the key. */
function grantsOf(grants: number, text: Text): string {
  return grants === 0 ? text.t('keyUnused') : text.plural('keyGrants', grants);
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
