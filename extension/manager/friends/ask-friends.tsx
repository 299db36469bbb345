import { useState } from 'preact/hooks';
import { LifeBuoy } from 'lucide-preact';
import { MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { FILE_ERRORS, RECOVERY_FILE, textError } from './recovery-text.tsx';

interface AskFriendsProps {
  /** Called with the file, which is needed again when enough friends have answered. */
  readonly onAsked: (file: File) => Promise<void>;
}

/** Form with which somebody who has lost everything asks their friends. */
export function AskFriends({ onAsked }: AskFriendsProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const file = useChosenFile(RECOVERY_FILE);
  const [typed, setTyped] = useState('');
  const [isNameWrong, setNameWrong] = useState(false);
  const ask = (event: Event) => {
    event.preventDefault();
    const name = typed.trim();
    const chosen = file.take();
    setNameWrong(name === '');
    if (!chosen || name === '') return;
    action.run(async () => {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      try {
        await ui.call('ui.askFriends', { file: bytes, name });
      } catch (error) {
        if (errorCode(error) !== 'INVALID_ARGUMENT') file.refuse(textError(error, FILE_ERRORS));
        else setNameWrong(true);
        return;
      }
      focusTitle(); // the form goes
      await onAsked(chosen);
    });
  };
  return (
    <form class="stack card" onSubmit={ask} aria-labelledby="friends-ask-title" id="ask-friends">
      <h2 id="friends-ask-title">{text.t('friendsAskTitle')}</h2>
      <p class="muted">{text.t('friendsAskLead')}</p>
      <FileField id="ask-file" label={text.t('friendsFile')} file={file} />
      <TextField
        id="ask-name"
        label={text.t('friendsAskName')}
        hint={text.t('friendsAskNameHint')}
        maxLength={MAX_LABEL_CHARACTERS}
        value={typed}
        error={isNameWrong ? text.t('friendsAskNameBad') : undefined}
        onInput={(value) => {
          setTyped(value);
          setNameWrong(false);
        }}
      />
      <ErrorBanner error={action.error} />
      <Button
        id="begin-asking"
        type="submit"
        busy={action.busy}
        icon={<LifeBuoy size={18} aria-hidden="true" />}
      >
        {text.t('friendsAsk')}
      </Button>
    </form>
  );
}
