import { useState } from 'preact/hooks';
import { BadgeCheck, ListChecks, User } from 'lucide-preact';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import type { FriendsState } from '../../../src/rpc/methods/ui-contacts.ts';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { FILE_ERRORS, RECOVERY_FILE, SendText, textError } from './recovery-text.tsx';
import { TakeAnswer } from './take-answer.tsx';

interface DealtFriendsProps {
  readonly dealt: NonNullable<FriendsState['dealt']>;
  readonly onChange: () => Promise<void>;
}

/** The friends of the newest recovery file, and a drill, in which they prove that they can still open their shares. */
export function DealtFriends({ dealt, onChange }: DealtFriendsProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const file = useChosenFile(RECOVERY_FILE);
  const [request, setRequest] = useState<string>();
  const { created, threshold, friends, drillAsked } = dealt;
  const begin = (event: Event) => {
    event.preventDefault();
    const chosen = file.take();
    if (!chosen) return;
    action.run(async () => {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      let begun: ResultOf<'ui.drillFriends'>;
      try {
        begun = await ui.call('ui.drillFriends', { file: bytes });
      } catch (error) {
        file.refuse(textError(error, { ...FILE_ERRORS, INVALID_ARGUMENT: 'friendsFileOld' }));
        return;
      }
      await onChange(); // The list of friends, above the text to send.
      setRequest(begun.request);
    });
  };
  return (
    <section class="stack card" aria-labelledby="friends-dealt-title" id="dealt-friends">
      <h2 id="friends-dealt-title">{text.t('friendsDealtTitle')}</h2>
      <p>{text.t('friendsDealt', text.date(created), threshold, friends.length)}</p>
      <ul class="rows" id="friends">
        {friends.map(({ name, proved }, i) => (
          <li class="row" key={i}>
            {proved === null ? (
              <User size={20} aria-hidden="true" />
            ) : (
              <BadgeCheck size={20} aria-hidden="true" />
            )}
            <div class="row-main">
              <p class="row-title">{name}</p>
              <p class="row-detail">
                {proved === null
                  ? text.t('friendsUnproved')
                  : text.t('friendsProved', text.date(proved))}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <form class="stack" onSubmit={begin} aria-labelledby="friends-drill-title">
        <h3 id="friends-drill-title">{text.t('friendsDrill')}</h3>
        <p class="muted">{text.t('friendsDrillLead')}</p>
        <FileField id="drill-file" label={text.t('friendsFile')} file={file} />
        <ErrorBanner error={action.error} />
        <Button
          id="begin-drill"
          type="submit"
          busy={action.busy}
          icon={<ListChecks size={16} aria-hidden="true" />}
        >
          {text.t('friendsDrillMake')}
        </Button>
      </form>
      {request !== undefined && (
        <SendText
          id="drill-request"
          lead={text.t('friendsSend')}
          value={request}
          fileName="sealwright-check.txt"
          isNew
        />
      )}
      {drillAsked !== null && (
        <TakeAnswer id="drill-answer" buttonId="take-proof" onTaken={onChange} />
      )}
    </section>
  );
}
