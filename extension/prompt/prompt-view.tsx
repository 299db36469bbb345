import { Announcer } from '../ui/components/announcer.tsx';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { SmallPicture } from '../ui/components/install-picture.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { Mark } from '../ui/components/mark.tsx';
import { View } from '../ui/components/view.tsx';
import { useText } from '../ui/environment.ts';
import { ConsentForm } from './consent-form.tsx';
import { usePromptEnvironment } from './environment.ts';
import { RotationForm } from './rotation-form.tsx';
import { UnlockFirst } from './unlock-first.tsx';
import { usePrompt } from './use-prompt.ts';

/** The consent window. */
export function PromptView() {
  const text = useText();
  return (
    <Announcer>
      <header class="top">
        <Mark size={24} />
        <span class="top-name">{text.t('extName')}</span>
        <SmallPicture />
      </header>
      <Face />
    </Announcer>
  );
}

function Face() {
  const { prompt, error, reload } = usePrompt();
  if (error !== undefined) return <Gone />;
  if (!prompt) return <Loading />;
  if (prompt.vault === 'unlocked') {
    return prompt.rotates ? <RotationForm prompt={prompt} /> : <ConsentForm prompt={prompt} />;
  }
  return <UnlockFirst prompt={prompt} onUnlocked={reload} />;
}

/** The page that asked was closed, or has been answered already. */
function Gone() {
  const text = useText();
  const { closeWindow } = usePromptEnvironment();
  return (
    <main>
      <View title={text.t('promptGoneTitle')}>
        <Banner tone="info">{text.t('promptGone')}</Banner>
        <Button variant="primary" class="wide" onClick={closeWindow}>
          {text.t('close')}
        </Button>
      </View>
    </main>
  );
}
