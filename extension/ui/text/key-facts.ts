import type { Text } from './i18n.ts';
import type { UiKey } from '../environment/ui-client.ts';
import { formatName } from './sync-formats.ts';

/** What is said of a key below its name. */
export function keyFacts(key: UiKey, text: Text): string[] {
  const { kind, algorithm, created, lastUsed, grants } = key;
  return [
    ...(kind === 'signing' ? [text.t('keySigns', algorithm ?? '')] : []),
    ...(kind === 'age' ? [text.t('keyOpensAge')] : []),
    ...(kind === 'sync' ? [text.t('keySyncs', formatName(algorithm))] : []),
    kind === 'app' ? text.t('appKeysFacts') : text.t('keyCreatedOn', text.date(created)),
    ...(lastUsed === null ? [] : [text.t('lastUsed', text.relative(lastUsed))]),
    ...(kind === 'age' ? [] : [grantsOf(grants, text)]),
  ];
}

/** No site is ever given an identity of age: of those, nothing is said. */
function grantsOf(grants: number, text: Text): string {
  return grants === 0 ? text.t('keyUnused') : text.plural('keyGrants', grants);
}

/** What a key is called: app keys by what they are, the rest by the label that the user gave. */
export function keyName(
  key: { readonly kind: string; readonly label: string },
  text: Text,
): string {
  if (key.kind === 'app') return text.t('appKey');
  return key.label || text.t('unnamedKey');
}
