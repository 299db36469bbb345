import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { RadioList } from '../../ui/components/forms/radio-list.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { AgeChoice, type AgeRecipients } from './age-recipients.tsx';
import type { Audience, AudienceGroup } from './audience.ts';
import { ToldChoice } from './told-choice.tsx';
import type { ToldPassphrase } from './use-told-passphrase.ts';
import { ContactChoice } from './contact-choice.tsx';
import { GroupChoice } from './group-choice.tsx';
import { SigningChoice } from './signing-choice.tsx';
import { SealingKeyChoice } from '../../ui/components/sealing-key.tsx';

interface AudienceChoiceProps {
  readonly keys: readonly UiKey[];
  readonly signers: readonly UiKey[];
  readonly contacts: readonly UiContact[];
  readonly groups: readonly AudienceGroup[];
  readonly value: Audience;
  readonly error: string | undefined;
  /** Absent where a person without Sealwright cannot be chosen. */
  readonly told?: ToldPassphrase;
  /** Absent where people who use age cannot be chosen. */
  readonly age?: AgeRecipients;
  readonly onChange: (part: Partial<Audience>) => void;
}

/** Choice of who can open it: the user alone, contacts and groups as well, a person who is told a passphrase, or people who use age; and the user's keys. */
export function AudienceChoice(props: AudienceChoiceProps) {
  const { keys, signers, contacts, groups, value, error, told, age, onChange } = props;
  const text = useText();
  const key = (
    <SealingKeyChoice keys={keys} value={value.ref} onChange={(ref) => onChange({ ref })} />
  );
  return (
    <RadioList
      name="audience"
      legend={text.t('sealFor')}
      options={[
        { value: 'me', label: text.t('sealForMe'), extra: key },
        {
          value: 'people',
          label: text.t('sealForPeople'),
          extra: (
            <div class="stack">
              <ContactChoice contacts={contacts} chosen={value.contacts} onChange={onChange} />
              <GroupChoice groups={groups} chosen={value.groups} onChange={onChange} />
              <label class="check">
                <input
                  type="checkbox"
                  id="me-too"
                  checked={value.meToo}
                  onChange={() => onChange({ meToo: !value.meToo })}
                />
                {text.t('sealMeToo')}
              </label>
              {value.meToo && key}
              <SigningChoice keys={signers} value={value} onChange={onChange} />
            </div>
          ),
        },
        ...(told
          ? [
              {
                value: 'words',
                label: text.t('sealForWords'),
                extra: <ToldChoice told={told} />,
              },
            ]
          : []),
        ...(age
          ? [{ value: 'age', label: text.t('sealForTool'), extra: <AgeChoice age={age} /> }]
          : []),
      ]}
      value={value.who}
      error={error}
      onChange={(who) => onChange({ who: who as Audience['who'] })}
    />
  );
}
