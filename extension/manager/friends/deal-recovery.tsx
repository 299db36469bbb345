import { useState } from 'preact/hooks';
import { Download } from 'lucide-preact';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CheckField } from '../../ui/components/forms/check-field.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useFirstFocus } from '../../ui/hooks/use-focus.ts';
import { downloadBackup } from '../backup/use-make-backup.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';

/** src/keys/recovery/recovery-file.ts */
const FRIENDS_MIN = 2;
const FRIENDS_MAX = 10;
/** Of five friends, three: two can be away or lost, and two cannot open it. */
const thresholdFor = (count: number): number => Math.max(FRIENDS_MIN, Math.floor(count / 2) + 1);

interface DealRecoveryProps {
  readonly contacts: readonly UiContact[];
  readonly onMade: () => Promise<void>;
}

/** Form that chooses friends among the contacts and makes a recovery file. */
export function DealRecovery({ contacts, onMade }: DealRecoveryProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const ask = useAskPassphrase();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [wanted, setWanted] = useState<number>();
  const [fileName, setFileName] = useState<string>();
  const friends = contacts.filter(({ id }) => chosen.includes(id));
  const count = friends.length;
  const threshold = Math.min(wanted ?? thresholdFor(count), Math.max(count, FRIENDS_MIN));
  const uncompared = friends.filter(({ verified }) => verified === null);
  const isPossible = count >= FRIENDS_MIN && count <= FRIENDS_MAX;
  /** What says why there are too few. */
  const lack = contacts.length < FRIENDS_MIN ? 'friends-too-few' : 'friends-choose';
  const make = (event: Event) => {
    event.preventDefault();
    if (!isPossible) return;
    setFileName(undefined);
    action.run(async () => {
      const ids = friends.map(({ id }) => id);
      let made = '';
      const isMade = await ask({ title: text.t('friendsMake') }, async (by) => {
        const dealt = await ui.call('ui.dealRecovery', { by, contacts: ids, threshold });
        made = downloadBackup(dealt.file, 'recovery');
      });
      if (!isMade) return;
      // The list of friends comes first, above this form, which it would move out of the window.
      await onMade();
      setChosen([]);
      setWanted(undefined);
      setFileName(made);
      announce(text.t('friendsMade'));
    });
  };
  // Compared ones first: the others' keys may be somebody else's.
  const shown = [...contacts].sort((a, b) => Number(!a.verified) - Number(!b.verified));
  return (
    <form class="stack card" onSubmit={make} aria-labelledby="friends-deal-title" id="deal-friends">
      <h2 id="friends-deal-title">{text.t('friendsDealTitle')}</h2>
      <p class="muted">{text.t('friendsDealLead')}</p>
      {contacts.length < FRIENDS_MIN && (
        <p id="friends-too-few">
          {text.t('friendsTooFew')} <a href="manager.html#contacts">{text.t('navContacts')}</a>
        </p>
      )}
      {shown.map(({ id, name, verified }) => (
        <CheckField
          key={id}
          id={`friend-${id}`}
          label={name}
          hint={
            verified === null
              ? text.t('contactUnverified')
              : text.t('contactVerified', text.date(verified))
          }
          checked={chosen.includes(id)}
          onChange={(isChosen) =>
            setChosen(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))
          }
        />
      ))}
      {uncompared.length > 0 && (
        <Banner tone="warning" id="friends-uncompared">
          <p>{text.t('friendsUncompared', text.list(uncompared.map(({ name }) => name)))}</p>
        </Banner>
      )}
      {count > FRIENDS_MAX && <Banner tone="warning">{text.t('friendsTooMany')}</Banner>}
      {isPossible && (
        <>
          <Select
            id="friends-threshold"
            label={text.t('friendsThreshold')}
            value={String(threshold)}
            options={Array.from({ length: count - 1 }, (_, i) => i + FRIENDS_MIN).map((some) => ({
              value: String(some),
              label: text.t('friendsOf', some, count),
            }))}
            onChange={(value) => setWanted(Number(value))}
          />
          <Banner tone="info" id="friends-risk">
            <p>{text.t('friendsRiskTogether', threshold)}</p>
            <p>{text.t('friendsRiskOld')}</p>
          </Banner>
        </>
      )}
      {contacts.length >= FRIENDS_MIN && count < FRIENDS_MIN && (
        <p class="hint" id="friends-choose">
          {text.t('friendsChoose')}
        </p>
      )}
      <ErrorBanner error={action.error} />
      {fileName !== undefined && <Made fileName={fileName} />}
      <Button
        id="make-recovery-file"
        type="submit"
        busy={action.busy}
        unavailable={!isPossible}
        aria-describedby={count < FRIENDS_MIN ? lack : undefined}
        icon={<Download size={18} aria-hidden="true" />}
      >
        {text.t('friendsMake')}
      </Button>
    </form>
  );
}

/** Says where the file is. */
function Made({ fileName }: { readonly fileName: string }) {
  const { text } = useEnvironment();
  const first = useFirstFocus<HTMLDivElement>();
  return (
    <div id="friends-made" ref={first} tabIndex={-1}>
      <Banner tone="good" title={text.t('friendsMade')}>
        <p>{text.t('friendsMadeDetail', fileName)}</p>
      </Banner>
    </div>
  );
}
