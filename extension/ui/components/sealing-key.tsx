import { Select } from './forms/select.tsx';
import { useText } from '../environment/environment.ts';
import type { Text } from '../text/i18n.ts';
import { keyName } from '../text/key-facts.ts';
import type { UiClient, UiKey } from '../environment/ui-client.ts';

/** Those of the user's keys that texts are sealed with. */
export function sealingKeys(keys: readonly UiKey[]): readonly UiKey[] {
  return keys.filter(({ kind, archived }) => kind === 'sealing' && archived === null);
}

/** The ref of the one that is wanted, else of the first; '' where there is none. */
export function offeredKey(keys: readonly UiKey[], wanted: string): string {
  return keys.find(({ ref }) => ref === wanted)?.ref ?? keys[0]?.ref ?? '';
}

interface SealingKeyChoiceProps {
  /** `sealingKeys` of them all. */
  readonly keys: readonly UiKey[];
  /** The ref of one of them; '' where there is none. */
  readonly value: string;
  readonly onChange: (ref: string) => void;
}

/** With which key; where the user has none, one will be made. */
export function SealingKeyChoice({ keys, value, onChange }: SealingKeyChoiceProps) {
  const text = useText();
  return (
    <Select
      id="seal-key"
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

/** The key that was chosen, or the first one, which is made now. */
export async function sealingKeyFor(ref: string, ui: UiClient, text: Text): Promise<string> {
  if (ref !== '') return ref;
  // One that an earlier try has made is not made again.
  const [known] = sealingKeys(await ui.call('ui.keys', {}));
  if (known) return known.ref;
  return (await ui.call('ui.createKey', { label: text.t('sealedTexts') })).ref;
}
