import { useState } from 'preact/hooks';
import { Fingerprint, KeyRound, LifeBuoy, Trash2 } from 'lucide-preact';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Advanced } from '../../ui/components/advanced.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { MessageKey, Text } from '../../ui/text/i18n.ts';
import { PassphraseConfirm } from '../forms/passphrase-confirm.tsx';

/** One way to unlock the vault. */
export type UiSlot = ResultOf<'ui.slots'>[number];

interface SlotRowProps {
  readonly slot: UiSlot;
  readonly onChange: () => Promise<void>;
}

const KINDS = {
  passphrase: { name: 'slotPassphrase', Icon: KeyRound },
  'recovery-code': { name: 'slotRecoveryCode', Icon: LifeBuoy },
  'webauthn-prf': { name: 'slotPasskey', Icon: Fingerprint },
  unknown: { name: 'slotUnknown', Icon: KeyRound },
} as const satisfies Record<string, { name: MessageKey; Icon: unknown }>;

/** One way to unlock the vault, with a button that removes it. */
export function SlotRow({ slot, onChange }: SlotRowProps) {
  const { text } = useEnvironment();
  const [removing, setRemoving] = useState(false);
  const { name, Icon } = KINDS[slot.kind];
  const isRemovable = slot.kind === 'recovery-code' || slot.kind === 'webauthn-prf';
  return (
    <li class="row">
      <Icon size={20} aria-hidden="true" />
      <div class="row-main">
        <p class="row-title">{text.t(name)}</p>
        <p class="row-detail">{facts(slot, text).join(' · ')}</p>
        {slot.cost && (
          <Advanced id={`cost-${slot.id}`}>
            <p class="row-detail">{costWords(slot.cost, text)}</p>
          </Advanced>
        )}
      </div>
      {isRemovable && !removing && (
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

function facts({ created, confirmed }: UiSlot, text: Text): string[] {
  return [
    text.t('slotSince', text.date(created)),
    ...(confirmed ? [] : [text.t('slotUnconfirmed')]),
  ];
}

function costWords(cost: NonNullable<UiSlot['cost']>, text: Text): string {
  if ('iterations' in cost) return text.t('slotCostPbkdf2', cost.iterations);
  return text.t('slotCostArgon2id', text.bytes(cost.memoryKiB * 1024), cost.passes);
}

function RemoveForm({ slot, onChange, onDone }: SlotRowProps & { readonly onDone: () => void }) {
  const { ui, text } = useEnvironment();
  return (
    <PassphraseConfirm
      id={`remove-${slot.id}`}
      confirm="slotRemove"
      announcement="slotRemoved"
      act={(by) => ui.call('ui.removeSlot', { by, id: slot.id })}
      onKeep={onDone}
      onChange={onChange}
    >
      <p>{text.t('slotRemoveQuestion')}</p>
    </PassphraseConfirm>
  );
}
