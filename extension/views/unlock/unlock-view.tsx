import type { ComponentChildren } from 'preact';
import { UnlockForm } from '../../ui/components/forms/unlock-form.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';

interface UnlockViewProps {
  readonly lead?: ComponentChildren;
  readonly onUnlocked: () => Promise<void>;
}

export function UnlockView({ lead, onUnlocked }: UnlockViewProps) {
  const text = useText();
  return (
    <main>
      <View title={text.t('unlockTitle')} focusHeading={false}>
        {lead}
        <p class="lead">{text.t('unlockLead')}</p>
        <UnlockForm onUnlocked={onUnlocked} />
      </View>
    </main>
  );
}
