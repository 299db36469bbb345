import { kindHas } from '../../../src/rpc/key-kinds.ts';
import { Select } from './forms/select.tsx';
import { useText } from '../environment/environment.ts';
import type { Text } from '../text/i18n.ts';
import { keyName } from '../text/key-facts.ts';
import type { UiClient, UiKey } from '../environment/ui-client.ts';

/** The keys that can seal texts and are not archived. */
export function sealingKeys(keys: readonly UiKey[]): readonly UiKey[] {
  return keys.filter(({ kind, archived }) => kindHas(kind, 'isForFields') && archived === null);
}

/**
 * `wanted` if it is the ref of one of the keys, else the ref of the first; '' if there are no keys.
 */
export function offeredKey(keys: readonly UiKey[], wanted: string): string {
  return keys.find(({ ref }) => ref === wanted)?.ref ?? keys[0]?.ref ?? '';
}

interface SealingKeyChoiceProps {
  readonly id?: string;
  /** The result of `sealingKeys`. */
  readonly keys: readonly UiKey[];
  /** The ref of the chosen key; '' if there are no keys. */
  readonly value: string;
  readonly onChange: (ref: string) => void;
}

/** Choice of the key to seal with. If the user has none, it names the one that will be created. */
export function SealingKeyChoice({
  id = 'seal-key',
  keys,
  value,
  onChange,
}: SealingKeyChoiceProps) {
  const text = useText();
  return (
    <Select
      id={id}
      label={text.t('sealWithKey')}
      value={value}
      options={
        keys.length === 0
          ? [{ value: '', label: text.t('sealNewKey', text.t('sealedTexts')) }]
          : keys.map((key) => ({ value: key.ref, label: keyName(key, text) }))
      }
      onChange={onChange}
    />
  );
}

/**
 * Resolves to `ref`, or for '' to the ref of the first sealing key, which is created if there is
 * none.
 */
export async function sealingKeyFor(ref: string, ui: UiClient, text: Text): Promise<string> {
  if (ref !== '') return ref;
  // An earlier try may have created one.
  const [existing] = sealingKeys(await ui.call('ui.keys', {}));
  if (existing) return existing.ref;
  return (await ui.call('ui.createKey', { label: text.t('sealedTexts') })).ref;
}
