import type { LucideIcon } from 'lucide-preact';
import { ChevronRight, CircleAlert, CircleCheck, FileLock2, PenLine } from 'lucide-preact';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { WithPicture } from '../../ui/components/install-picture.tsx';
import { hasConfirmedCode } from '../../views/unlock/recovery-reminder.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { isPending, useQuery, type Query } from '../../ui/hooks/use-query.ts';
import type { Text } from '../../ui/text/i18n.ts';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { ActivityRow } from '../activity/activity-row.tsx';
import type { Screen } from '../screens.ts';

/** Entries of the activity that are shown here. */
const NEWEST = 3;

/** What leads everywhere: two things to do, whether all is safe, and what happened last. */
export function HomeView() {
  const text = useText();
  const slots = useQuery('ui.slots', {});
  const times = useQuery('ui.backupTimes', {});
  const sites = useQuery('ui.sites', {});
  const newest = useQuery('ui.activity', { offset: 0, limit: NEWEST });
  return (
    <View title={text.t('homeTitle')}>
      <WithPicture caption="pictureHint">
        <div class="large-links">
          <LargeLink screen="files" Icon={FileLock2} label={text.t('homeFiles')} />
          <LargeLink screen="write" Icon={PenLine} label={text.t('writeTitle')} />
        </div>
        {/* Together: whichever came later would move the other. */}
        {[slots, times, sites, newest].some(isPending) ? (
          <Loading />
        ) : (
          <>
            <Safety slots={slots} times={times} sites={sites} />
            <Newest {...newest} />
          </>
        )}
      </WithPicture>
    </View>
  );
}

interface LargeLinkProps {
  readonly screen: Screen;
  readonly Icon: LucideIcon;
  readonly label: string;
}

function LargeLink({ screen, Icon, label }: LargeLinkProps) {
  return (
    <a class="large-link" id={`home-${screen}`} href={`manager.html#${screen}`}>
      <Icon size={24} aria-hidden="true" />
      {label}
    </a>
  );
}

interface SafetyProps {
  readonly slots: Query<ResultOf<'ui.slots'>>;
  readonly times: Query<ResultOf<'ui.backupTimes'>>;
  readonly sites: Query<ResultOf<'ui.sites'>>;
}

/** Three lines: the recovery code, the backup, and the sites that may use keys. */
function Safety({ slots, times, sites }: SafetyProps) {
  const text = useText();
  const hasCode = slots.data !== undefined && hasConfirmedCode(slots.data);
  const inUse = sites.data?.filter(({ grants }) => grants.length > 0).length ?? 0;
  return (
    <section class="rows" aria-label={text.t('navSafety')}>
      {[slots, times, sites].map(({ error }, at) => (
        <ErrorBanner key={at} error={error} />
      ))}
      {slots.data && (
        <State
          screen="backup"
          isDue={!hasCode}
          title={text.t('recoveryTitle')}
          detail={text.t(hasCode ? 'homeCodeThere' : 'recoveryNone')}
        />
      )}
      {times.data && (
        <State
          screen="backup"
          isDue={times.data.made === null}
          title={text.t('backupLastMade')}
          detail={backupState(times.data, text)}
        />
      )}
      {sites.data && (
        <State
          screen="sites"
          isDue={false}
          title={text.t('navSites')}
          detail={inUse === 0 ? text.t('homeSitesNone') : text.t('homeSites', text.number(inUse))}
        />
      )}
    </section>
  );
}

function backupState({ made, checked }: ResultOf<'ui.backupTimes'>, text: Text): string {
  if (made === null) return text.t('backupNone');
  const tried = checked === null ? text.t('never') : text.relative(checked);
  return text.facts([text.relative(made), `${text.t('backupLastChecked')}: ${tried}`]);
}

interface StateProps {
  readonly screen: Screen;
  /** Whether the user has something to do there. */
  readonly isDue: boolean;
  readonly title: string;
  readonly detail: string;
}

function State({ screen, isDue, title, detail }: StateProps) {
  const Icon = isDue ? CircleAlert : CircleCheck;
  return (
    <a class="home-state" data-due={isDue} href={`manager.html#${screen}`}>
      <Icon size={20} aria-hidden="true" />
      <span class="row-main">
        <span class="row-title">{title}</span>
        <span class="row-detail">{detail}</span>
      </span>
      <ChevronRight size={18} aria-hidden="true" class="mirror" />
    </a>
  );
}

/** The newest entries of the activity, and the way to all of them. */
function Newest({ data, error }: Query<ResultOf<'ui.activity'>>) {
  const text = useText();
  return (
    <section class="stack" aria-labelledby="home-activity-title">
      <h2 id="home-activity-title">{text.t('activityTitle')}</h2>
      <ErrorBanner error={error} />
      {data?.total === 0 && <p class="muted">{text.t('activityNone')}</p>}
      {data && data.total > 0 && (
        <>
          <ul class="rows">
            {data.entries.map((entry) => (
              <ActivityRow key={`${entry.from} ${entry.operation}`} entry={entry} />
            ))}
          </ul>
          <Button id="home-activity" variant="quiet" onClick={() => (location.hash = 'activity')}>
            {text.t('homeAllActivity')}
          </Button>
        </>
      )}
    </section>
  );
}
