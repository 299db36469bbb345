import { Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { SurfacePrompt } from '../ui/environment/surface.ts';
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
