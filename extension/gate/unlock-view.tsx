import { UnlockForm } from '../ui/components/unlock-form.tsx';
import { View } from '../ui/components/view.tsx';
import { useText } from '../ui/environment.ts';

export function UnlockView({ onUnlocked }: { readonly onUnlocked: () => Promise<void> }) {
  const text = useText();
  return (
    <main>
      <View title={text.t('unlockTitle')} focusHeading={false}>
        <p class="lead">{text.t('unlockLead')}</p>
        <UnlockForm onUnlocked={onUnlocked} />
      </View>
    </main>
  );
}
