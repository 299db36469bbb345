import { Select } from '../../ui/components/forms/select.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { UiClient, UiKey } from '../../ui/environment/ui-client.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import type { Text } from '../../ui/text/i18n.ts';

/** Whether and how the user signs for others to check. */
export interface Signing {
  readonly signs: boolean;
  /** The signing key; '' for one that will be created. */
  readonly signer: string;
}

/**
 * The keys that can sign for others to check, those that no site has used first: by a key that sites have, these could tell
 * who signed.
 */
export function signingKeys(keys: readonly UiKey[]): readonly UiKey[] {
  return keys
    .filter(({ kind, algorithm, archived, guest }) => {
      const signsMessages = kind === 'signing' && (algorithm ?? 'Ed25519') === 'Ed25519';
      return signsMessages && archived === null && !guest;
    })
    .sort((a, b) => Number(a.sites > 0) - Number(b.sites > 0));
}

interface SigningChoiceProps {
  /** The result of `signingKeys`. */
  readonly keys: readonly UiKey[];
  readonly value: Signing;
  readonly onChange: (part: Partial<Signing>) => void;
}

/** Whether the user signs what is sealed for others, and with which key. */
export function SigningChoice({ keys, value, onChange }: SigningChoiceProps) {
  const text = useText();
  const { signs, signer } = value;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          id="sign"
          aria-describedby="sign-hint"
          checked={signs}
          onChange={() => onChange({ signs: !signs })}
        />
        {text.t('signChoice')}
      </label>
      <p class="hint" id="sign-hint">
        {text.t('signHint')}
      </p>
      {signs && keys.length > 1 && (
        <Select
          id="sign-key"
          label={text.t('signKey')}
          value={signer}
          options={keys.map((key) => ({ value: key.ref, label: keyName(key, text) }))}
          onChange={(ref) => onChange({ signer: ref })}
        />
      )}
    </>
  );
}

/** Resolves to `ref`, or for '' to the ref of the first signing key, which is created if the vault has no such key. */
export async function signingKeyFor(ref: string, ui: UiClient, text: Text): Promise<string> {
  if (ref !== '') return ref;
  // An earlier try may have created one.
  const [existing] = signingKeys(await ui.call('ui.keys', {}));
  if (existing) return existing.ref;
  return (await ui.call('ui.createKey', { kind: 'signing', label: text.t('signLabel') })).ref;
}
