import { Button } from '../ui/components/button.tsx';
import { useEnvironment } from '../ui/environment.ts';
import type { SurfacePrompt } from '../ui/surface.ts';
import { refusal } from './answer.ts';
import { usePromptEnvironment } from './environment.ts';

/** Refusing needs no waiting and no reasons; if telling the background fails, closing says it too. */
export function DenyButton({ prompt }: { readonly prompt: SurfacePrompt }) {
  const { surface, text } = useEnvironment();
  const { closeWindow } = usePromptEnvironment();
  const deny = (event: Event) => {
    if (!event.isTrusted) return;
    void surface.call('ui.answerPrompt', refusal(prompt)).then(closeWindow, closeWindow);
  };
  return (
    <Button id="deny" class="wide" onClick={deny}>
      {text.t('deny')}
    </Button>
  );
}
