import { useText } from '../environment/environment.ts';
import { Banner } from './banner.tsx';
import { Button } from './buttons/button.tsx';
import { View } from './view.tsx';

interface ExpiredWindowProps {
  /** Why there is nothing left to do. */
  readonly words: string;
  readonly onClose: () => void;
}

/** A window whose question is nobody's any more. */
export function ExpiredWindow({ words, onClose }: ExpiredWindowProps) {
  const text = useText();
  return (
    <main>
      <View title={text.t('promptGoneTitle')}>
        <Banner tone="info">{words}</Banner>
        <Button variant="primary" class="wide" onClick={onClose}>
          {text.t('close')}
        </Button>
      </View>
    </main>
  );
}
