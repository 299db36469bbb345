import { useState } from 'preact/hooks';
import { LockKeyhole } from 'lucide-preact';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import {
  offeredKey,
  SealingKeyChoice,
  sealingKeyFor,
  sealingKeys,
} from '../../ui/components/sealing-key.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton, SaveButton } from '../../ui/components/copy-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

/** What was opened, and under what it can be sealed. */
export interface SealAgainProps {
  readonly contents: Uint8Array;
  /** All keys of the user. */
  readonly keys: readonly UiKey[];
  /** The name of the opened file; '' for pasted text. */
  readonly name: string;
}

/** Seals the opened contents with a key of the vault, as text that can be stored anywhere. */
export function SealAgain({ contents, keys: all, name }: SealAgainProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const keys = sealingKeys(all);
  const [chosen, setChosen] = useState('');
  const [sealed, setSealed] = useState<{ readonly of: Uint8Array; readonly armored: string }>();
  const ref = offeredKey(keys, chosen);
  const seal = () =>
    action.run(async () => {
      const own = await sealingKeyFor(ref, ui, text);
      const message = await ui.call('ui.sealText', { text: contents, ref: own });
      setSealed({ of: contents, armored: webArmor(message.sealed) });
    });
  return (
    <section class="stack card" aria-labelledby="seal-again-title">
      <h2 id="seal-again-title">{text.t('sealAgainTitle')}</h2>
      <p class="muted">{text.t('sealAgainLead')}</p>
      <SealingKeyChoice id="seal-again-key" keys={keys} value={ref} onChange={setChosen} />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id="seal-again"
          busy={action.busy}
          icon={<LockKeyhole size={18} aria-hidden="true" />}
          onClick={seal}
        >
          {text.t('sealAgain')}
        </Button>
      </div>
      {sealed?.of === contents && <Sealed armored={sealed.armored} name={name} />}
    </section>
  );
}

function Sealed({ armored, name }: { readonly armored: string; readonly name: string }) {
  const { text } = useEnvironment();
  return (
    <>
      <Field id="sealed-text" label={text.t('sealedText')}>
        {(attributes) => <textarea {...attributes} dir="ltr" rows={4} readOnly value={armored} />}
      </Field>
      <div class="actions">
        <CopyButton value={armored} label={text.t('copyText')} />
        <SaveButton
          id="save-sealed"
          label={text.t('sealAgainSave')}
          fileName={`${name === '' ? 'text' : name}.sealed.txt`}
          contents={armored}
        />
      </div>
    </>
  );
}
