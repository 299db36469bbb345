import { useText } from '../environment/environment.ts';
import { Banner } from './banner.tsx';
import { Button } from './buttons/button.tsx';
import { View } from './view.tsx';

interface ExpiredWindowProps {
  /** Why there is nothing left to do here. */
  readonly reason: string;
  readonly onClose: () => void;
}

/**
 * The content of a window whose request no longer exists: the reason, and a button that closes it.
 */
export function ExpiredWindow({ reason, onClose }: ExpiredWindowProps) {
  const text = useText();
  return (
    <main>
      <View title={text.t('promptGoneTitle')}>
        <Banner tone="info">{reason}</Banner>
        <Button variant="primary" class="wide" onClick={onClose}>
          {text.t('close')}
        </Button>
      </View>
    </main>
  );
}
