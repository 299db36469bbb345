import { useState } from 'preact/hooks';
import { Fingerprint, KeyRound, LifeBuoy, Trash2 } from 'lucide-preact';
import type { ResultOf } from '../../src/rpc/methods.ts';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { focusTitle } from '../ui/focus-title.ts';
import type { MessageKey, Text } from '../ui/i18n.ts';
import { useAction } from '../ui/use-action.ts';
import { SecretField } from './secret-field.tsx';
import { useSecret } from './use-secret.ts';

export type SurfaceSlot = ResultOf<'ui.slots'>[number];

interface SlotRowProps {
  readonly slot: SurfaceSlot;
  readonly onChange: () => Promise<void>;
}

const KINDS = {
  passphrase: { name: 'slotPassphrase', Icon: KeyRound },
  'recovery-code': { name: 'slotRecoveryCode', Icon: LifeBuoy },
  'webauthn-prf': { name: 'slotPasskey', Icon: Fingerprint },
  unknown: { name: 'slotUnknown', Icon: KeyRound },
} as const satisfies Record<string, { name: MessageKey; Icon: unknown }>;

export function SlotRow({ slot, onChange }: SlotRowProps) {
  const { text } = useEnvironment();
  const [removing, setRemoving] = useState(false);
  const { name, Icon } = KINDS[slot.kind];
  const canGo = slot.kind === 'recovery-code' || slot.kind === 'webauthn-prf';
  return (
    <li class="row">
      <Icon size={20} aria-hidden="true" />
      <div class="row-main">
        <p class="row-title">{text.t(name)}</p>
        <p class="row-detail">{facts(slot, text).join(' · ')}</p>
      </div>
      {canGo && !removing && (
        <Button
          variant="quiet"
          icon={<Trash2 size={16} aria-hidden="true" />}
          aria-label={text.t('slotRemoveNamed', text.t(name))}
          onClick={() => setRemoving(true)}
        >
          {text.t('slotRemove')}
        </Button>
      )}
      {removing && <RemoveForm slot={slot} onChange={onChange} onDone={() => setRemoving(false)} />}
    </li>
  );
}

function facts({ created, confirmed, cost }: SurfaceSlot, text: Text): string[] {
  return [
    text.t('slotSince', text.date(created)),
    ...(confirmed ? [] : [text.t('slotUnconfirmed')]),
    ...(cost ? [costWords(cost, text)] : []),
  ];
}

function costWords(cost: NonNullable<SurfaceSlot['cost']>, text: Text): string {
  if ('iterations' in cost) return text.t('slotCostPbkdf2', cost.iterations);
  return text.t('slotCostArgon2id', text.bytes(cost.memoryKiB * 1024), cost.passes);
}

function RemoveForm({ slot, onChange, onDone }: SlotRowProps & { readonly onDone: () => void }) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    action.run(async () => {
      const by = { passphrase: secret.value };
      const done = await secret.accepted(async () => {
        await surface.call('ui.removeSlot', { by, id: slot.id });
      });
      if (!done) return;
      announce(text.t('slotRemoved'));
      focusTitle();
      await onChange();
    });
  };
  return (
    <form class="confirm" onSubmit={submit}>
      <p>{text.t('slotRemoveQuestion')}</p>
      <SecretField id={`remove-${slot.id}`} label={text.t('currentPassphrase')} secret={secret} />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button onClick={onDone}>{text.t('keep')}</Button>
        <Button type="submit" variant="danger" busy={action.busy}>
          {text.t('slotRemove')}
        </Button>
      </div>
    </form>
  );
}
