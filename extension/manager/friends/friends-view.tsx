import { useState } from 'preact/hooks';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { BackupReport, type Report } from '../backup/backup-report.tsx';
import { AskFriends } from './ask-friends.tsx';
import { DealRecovery } from './deal-recovery.tsx';
import { DealtFriends } from './dealt-friends.tsx';
import { HelpFriend } from './help-friend.tsx';
import { WaitingRecovery } from './waiting-recovery.tsx';

/**
 * Recovery by friends: of whom a recovery file is, a new file, help for a friend who asks, and asking after everything was
 * lost.
 */
export function FriendsView() {
  const text = useText();
  const friends = useQuery('ui.friends', {});
  const contacts = useQuery('ui.contacts', {});
  const [file, setFile] = useState<File>();
  const [restored, setRestored] = useState<Report>();
  const { data, error, reload } = friends;
  return (
    <View title={text.t('friendsTitle')}>
      <p class="muted">{text.t('friendsLead')}</p>
      <ErrorBanner error={error ?? contacts.error} />
      {isPending(friends) || isPending(contacts) ? (
        <Loading />
      ) : (
        <>
          {restored && (
            <>
              <BackupReport report={restored} outcome="restored" />
              <Banner tone="warning" id="friends-restored" title={text.t('friendsRestoredCode')}>
                <p>
                  <a href="manager.html#backup">{text.t('recoveryMakeNew')}</a>
                </p>
              </Banner>
            </>
          )}
          {data?.recovery && (
            <WaitingRecovery
              recovery={data.recovery}
              file={file}
              onChange={reload}
              onRestored={async (report) => {
                await reload();
                setRestored(report);
              }}
            />
          )}
          {data?.dealt && <DealtFriends dealt={data.dealt} onChange={reload} />}
          {contacts.data && <DealRecovery contacts={contacts.data} onMade={reload} />}
          <HelpFriend />
          {data?.recovery === null && (
            <AskFriends
              onAsked={async (chosen) => {
                setFile(chosen);
                await reload();
              }}
            />
          )}
        </>
      )}
    </View>
  );
}
