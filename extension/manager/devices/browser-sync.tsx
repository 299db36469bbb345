import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { UiMedium } from '../../../src/rpc/methods/ui-devices.ts';
import { useAnnounce, useToast } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { Query } from '../../ui/hooks/use-query.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { CodeOfCircle } from './code-of-circle.tsx';
import { useRemoveMember } from './members.tsx';

interface SectionProps {
  readonly medium: UiMedium;
  readonly onChange: () => Promise<void>;
}

type Last = NonNullable<UiMedium['last']>;
type Hindrance = NonNullable<Last['hindrance']>['kind'];

/** The exchange with the other devices through the browser's sync; nothing for a device that is alone. */
export function BrowserSync({ data: medium, reload }: Query<UiMedium | null>) {
  const text = useText();
  if (!medium) return null;
  if (!medium.isOn && !medium.isInCircle) return null;
  return (
    <>
      <Joined medium={medium} onChange={reload} />
      <section class="stack" aria-labelledby="browser-sync-title" id="browser-sync">
        <h2 id="browser-sync-title">{text.t('browserSyncTitle')}</h2>
        <p class="muted">{text.t('browserSyncMore')}</p>
        {medium.isOn ? (
          <>
            <State last={medium.last} />
            {medium.last?.hindrance?.kind === 'forbidden' && <TurnOn onChange={reload} />}
            <Choice last={medium.last} onChange={reload} />
            <Room last={medium.last} />
            <CodeOfCircle standing={medium.code} onChange={reload} />
            <TurnOff onChange={reload} />
          </>
        ) : (
          <TurnOn onChange={reload} />
        )}
      </section>
    </>
  );
}

/**
 * The browser's own question before sealed keys leave the device through its sync. `ask` has to be called directly in the
 * handler of a click; `note` says that the person has refused.
 */
export function useSyncConsent() {
  const { text, requestSync } = useEnvironment();
  const announce = useAnnounce();
  const [isRefused, setIsRefused] = useState(false);
  const ask = async (): Promise<boolean> => {
    const isAllowed = await requestSync();
    setIsRefused(!isAllowed);
    if (!isAllowed) announce(text.t('siteDeclined'));
    return isAllowed;
  };
  const note = isRefused && (
    <Banner tone="info" id="browser-sync-declined">
      <p>{text.t('siteDeclined')}</p>
    </Banner>
  );
  return { ask, note };
}

type Changing = Pick<SectionProps, 'onChange'>;

function TurnOn({ onChange }: Changing) {
  const { ui, text } = useEnvironment();
  const consent = useSyncConsent();
  const toast = useToast();
  const action = useAction();
  const turnOn = () => {
    const answer = consent.ask();
    action.run(async () => {
      if (!(await answer)) return;
      await ui.call('ui.useMedium', {});
      toast(text.t('done'));
      focusTitle();
      await onChange();
    });
  };
  return (
    <>
      {consent.note}
      <div>
        <Button id="browser-sync-on" busy={action.busy} onClick={turnOn}>
          {text.t('browserSyncTurnOn')}
        </Button>
      </div>
      <ErrorBanner error={action.error} />
    </>
  );
}

/** Asks in its own place whether the stored items are removed. */
function TurnOff({ onChange }: Changing) {
  const { text } = useEnvironment();
  const [isAsking, setIsAsking] = useState(false);
  const wasAsking = useRef(false);
  const opener = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (wasAsking.current && !isAsking) opener.current?.querySelector('button')?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (isAsking) return <OffQuestion onChange={onChange} onCancel={() => setIsAsking(false)} />;
  return (
    <div ref={opener}>
      <Button id="browser-sync-off" variant="quiet" onClick={() => setIsAsking(true)}>
        {text.t('disableConfirm')}
      </Button>
    </div>
  );
}

function OffQuestion({ onChange, onCancel }: Changing & { readonly onCancel: () => void }) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const answers = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => answers.current?.querySelector('button')?.focus(), []);
  const turnOff = (removeItems: boolean) => () =>
    action.run(async () => {
      await ui.call('ui.leaveMedium', { removeItems });
      toast(text.t('done'));
      focusTitle();
      await onChange();
    });
  return (
    <div class="confirm" role="group" aria-labelledby="browser-sync-question">
      <p id="browser-sync-question">{text.t('browserSyncOffQuestion')}</p>
      <div class="actions" ref={answers}>
        <Button unavailable={action.busy} onClick={onCancel}>
          {text.t('cancel')}
        </Button>
        <Button id="browser-sync-off-keep" busy={action.busy} onClick={turnOff(false)}>
          {text.t('browserSyncOffKeep')}
        </Button>
        <Button id="browser-sync-off-remove" busy={action.busy} onClick={turnOff(true)}>
          {text.t('browserSyncOffRemove')}
        </Button>
      </div>
      <ErrorBanner error={action.error} />
    </div>
  );
}

const HINDRANCES: Record<Hindrance, MessageKey> = {
  'no-circle': 'browserSyncAlone',
  medium: 'browserSyncFails',
  forbidden: 'browserSyncForbidden',
  failed: 'browserSyncFails',
  late: 'browserSyncLate',
  refused: 'browserSyncRefused',
  unreached: 'browserSyncUnreached',
  forked: 'browserSyncForked',
};

/** How the last exchange ended. */
function State({ last }: Pick<UiMedium, 'last'>) {
  const text = useText();
  if (!last) return <p id="browser-sync-state">{text.t('browserSyncNone')}</p>;
  const { at, hindrance } = last;
  if (!hindrance) {
    return <p id="browser-sync-state">{text.t('browserSyncLast', text.moment(at))}</p>;
  }
  return (
    <Banner tone="warning" id="browser-sync-hindered">
      <p>{text.t(HINDRANCES[hindrance.kind])}</p>
      <p class="hint">{text.t('browserSyncSince', text.moment(hindrance.since))}</p>
    </Banner>
  );
}

/** Where the devices do not agree, the person says which list of them holds. */
function Choice({ last, onChange }: Changing & Pick<UiMedium, 'last'>) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const ask = useAskPassphrase();
  const other = last?.other;
  if (other === undefined || other === null) return null;
  const choose = (holds: 'own' | 'other') => () =>
    action.run(async () => {
      const [title, more] = WORDS_OF_CHOICE[holds];
      const question = { title: text.t(title), detail: <p>{text.t(more)}</p> };
      const isDone = await ask(question, (by) => ui.call('ui.chooseEpoch', { by, other, holds }));
      if (!isDone) return;
      toast(text.t('done'));
      focusTitle();
      await onChange();
    });
  return (
    <>
      <div class="actions">
        <Button id="browser-sync-own" busy={action.busy} onClick={choose('own')}>
          {text.t('browserSyncKeepOwn')}
        </Button>
        {last?.hindrance?.kind === 'forked' && (
          <Button id="browser-sync-other" busy={action.busy} onClick={choose('other')}>
            {text.t('browserSyncTakeOther')}
          </Button>
        )}
      </div>
      <ErrorBanner error={action.error} />
    </>
  );
}

const WORDS_OF_CHOICE = {
  own: ['browserSyncKeepOwn', 'browserSyncKeepOwnMore'],
  other: ['browserSyncTakeOther', 'browserSyncTakeOtherMore'],
} as const satisfies Record<string, readonly [MessageKey, MessageKey]>;

/** Where the room becomes scarce, or has not been enough. */
function Room({ last }: Pick<UiMedium, 'last'>) {
  const text = useText();
  if (!last?.room?.isNearlyFull) return null;
  const { usedPercent, leftOut } = last.room;
  const { contacts, siteKeys, others } = leftOut;
  const percent = text.number(usedPercent / 100, { style: 'percent' });
  return (
    <Banner tone="info" id="browser-sync-room">
      <p>{text.t('browserSyncNearlyFull', percent)}</p>
      <progress max={100} value={usedPercent} aria-hidden="true" />
      {contacts + siteKeys + others > 0 && (
        <p>{text.t('browserSyncLeftOut', contacts, siteKeys, others)}</p>
      )}
    </Banner>
  );
}

/** Who joined on another device, until the person has read it. */
function Joined({ medium: { joined }, onChange }: SectionProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  if (joined.length === 0) return null;
  const read = () =>
    action.run(async () => {
      await ui.call('ui.readJoined', {});
      focusTitle();
      await onChange();
    });
  return (
    <Banner tone="warning" title={text.t('browserSyncJoined')} id="browser-sync-joined">
      <p>{text.t('browserSyncJoinedMore')}</p>
      <ul class="rows">
        {joined.map((member) => (
          <JoinedRow key={member.id} member={member} onChange={onChange} />
        ))}
      </ul>
      <div>
        <Button id="browser-sync-known" busy={action.busy} onClick={read}>
          {text.t('browserSyncJoinedKnown')}
        </Button>
      </div>
      <ErrorBanner error={action.error} />
    </Banner>
  );
}

function JoinedRow({
  member,
  onChange,
}: Changing & { readonly member: UiMedium['joined'][number] }) {
  const text = useText();
  const name = member.name || text.t('openerJoined');
  const { action, remove } = useRemoveMember({ id: member.id, name }, onChange);
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          <bdi>{name}</bdi>
        </p>
        <p class="row-detail">{text.moment(member.at)}</p>
      </div>
      <Button
        variant="quiet"
        busy={action.busy}
        aria-label={text.t('slotRemoveNamed', name)}
        onClick={remove}
      >
        {text.t('slotRemove')}
      </Button>
      <ErrorBanner error={action.error} />
    </li>
  );
}
