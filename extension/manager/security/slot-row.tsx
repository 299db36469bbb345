import { Fingerprint, KeyRound, LifeBuoy, Trash2 } from 'lucide-preact';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Advanced } from '../../ui/components/advanced.tsx';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { MessageKey, Text } from '../../ui/text/i18n.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';

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
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const ask = useAskPassphrase();
  const { name, Icon } = KINDS[slot.kind];
  const isRemovable = slot.kind === 'recovery-code' || slot.kind === 'webauthn-prf';
  const title = text.t('slotRemoveNamed', text.t(name));
  const detail = <p>{text.t('slotRemoveQuestion')}</p>;
  const remove = () =>
    action.run(async () => {
      const question = { title, detail, confirm: text.t('slotRemove'), isDanger: true };
      const done = await ask(question, (by) => ui.call('ui.removeSlot', { by, id: slot.id }));
      if (!done) return;
      toast(text.t('slotRemoved'));
      focusTitle();
      await onChange();
    });
  return (
    <li class="row">
      <Icon size={20} aria-hidden="true" />
      <div class="row-main">
        <p class="row-title">{text.t(name)}</p>
        <p class="row-detail">{text.facts(facts(slot, text))}</p>
        {slot.cost && (
          <Advanced id={`cost-${slot.id}`}>
            <p class="row-detail">{costWords(slot.cost, text)}</p>
          </Advanced>
        )}
      </div>
      {isRemovable && (
        <Button
          variant="quiet"
          busy={action.busy}
          icon={<Trash2 size={16} aria-hidden="true" />}
          aria-label={title}
          onClick={remove}
        >
          {text.t('slotRemove')}
        </Button>
      )}
      <ErrorBanner error={action.error} />
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
