import { Announcer } from '../ui/components/announcer.tsx';
import { ExpiredWindow } from '../ui/components/expired-window.tsx';
import { SmallPicture } from '../ui/components/install-picture.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { Mark } from '../ui/picture/mark.tsx';
import { useText } from '../ui/environment/environment.ts';
import { ConsentForm } from './consent-form.tsx';
import { usePromptEnvironment } from './environment.ts';
import { RotationForm } from './rotation-form.tsx';
import { UnlockFirst } from './unlock-first.tsx';
import { usePrompt } from './use-prompt.ts';

/**
 * The consent window: the request of a site, with the form that fits the request and the vault's
 * state.
 */
export function PromptApp() {
  const text = useText();
  return (
    <Announcer>
      <header class="top">
        <Mark size={24} />
        <span class="top-name">{text.t('extName')}</span>
        <SmallPicture />
      </header>
      <PromptBody />
    </Announcer>
  );
}

function PromptBody() {
  const text = useText();
  const { closeWindow } = usePromptEnvironment();
  const { prompt, error, reload } = usePrompt();
  // The requesting page was closed, or the request was answered already.
  if (error !== undefined) {
    return <ExpiredWindow reason={text.t('promptGone')} onClose={closeWindow} />;
  }
  if (!prompt) return <Loading />;
  if (prompt.vault === 'unlocked') {
    return prompt.rotates ? <RotationForm prompt={prompt} /> : <ConsentForm prompt={prompt} />;
  }
  return <UnlockFirst prompt={prompt} onUnlocked={reload} />;
}
