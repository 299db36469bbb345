import type { Text } from './i18n.ts';

/** What a key is called: app keys by what they are, the rest by the label that the user gave. */
export function keyName(
  key: { readonly kind: string; readonly label: string },
  text: Text,
): string {
  if (key.kind === 'app') return text.t('appKey');
  return key.label || text.t('unnamedKey');
}
