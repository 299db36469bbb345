import { Check, Fingerprint, LifeBuoy, LogOut, MonitorSmartphone, Trash2 } from 'lucide-preact';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { JOINING_MS } from '../../../src/rpc/limits.ts';
import type { UiMember } from '../../../src/rpc/methods/ui-devices.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { Query } from '../../ui/hooks/use-query.ts';
import type { MessageKey, Text } from '../../ui/text/i18n.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';

const OPENERS = {
  code: { name: 'slotRecoveryCode', Icon: LifeBuoy },
  passkey: { name: 'slotPasskey', Icon: Fingerprint },
} as const satisfies Record<string, { name: MessageKey; Icon: unknown }>;

/** What a member is called: the name of a device, or what opens the vault without one. */
export const nameOfMember = (
  { kind, name }: Pick<UiMember, 'kind' | 'name'>,
  text: Text,
): string => (kind === 'device' ? name : text.t(OPENERS[kind].name));

interface MembersProps extends Query<ResultOf<'ui.members'>> {
  /** Whether this device exchanges over a medium, and so hears of members by itself. */
  readonly isExchanging: boolean;
}

/** The devices that have the same keys as this one; nothing while there are none. */
export function Members({ data, reload, isExchanging }: MembersProps) {
  const { text } = useEnvironment();
  if (!data) return null;
  return (
    <section class="stack" aria-labelledby="members-title" id="members">
      <h2 id="members-title">{text.t('devicesMembers')}</h2>
      <ul class="rows">
        {data.members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            isExchanging={isExchanging}
            onChange={reload}
          />
        ))}
      </ul>
    </section>
  );
}

interface MemberRowProps extends Pick<MembersProps, 'isExchanging'> {
  readonly member: UiMember;
  readonly onChange: () => Promise<void>;
}

/** Removes a member after its dialog. */
export function useRemoveMember(
  { id, name, isThis = false }: Pick<UiMember, 'id' | 'name'> & { readonly isThis?: boolean },
  onChange: () => Promise<void>,
) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const ask = useAskPassphrase();
  const title = isThis ? text.t('deviceLeave') : text.t('slotRemoveNamed', name);
  const confirm = text.t(isThis ? 'deviceLeave' : 'slotRemove');
  const remove = () =>
    action.run(async () => {
      const detail = <p>{text.t(isThis ? 'deviceLeaveMore' : 'deviceRemoveMore')}</p>;
      const done = await ask({ title, detail, confirm, isDanger: true }, (by) =>
        isThis ? ui.call('ui.leaveCircle', { by }) : ui.call('ui.removeMember', { by, id }),
      );
      if (!done) return;
      toast(text.t(isThis ? 'done' : 'slotRemoved'));
      focusTitle();
      await onChange();
    });
  return { action, remove, title, confirm };
}

/** One member: this device may leave, and each other one be removed. */
function MemberRow({ member, isExchanging, onChange }: MemberRowProps) {
  const { text } = useEnvironment();
  const { id, kind, isThis, joiningSince } = member;
  const name = nameOfMember(member, text);
  const Icon = kind === 'device' ? MonitorSmartphone : OPENERS[kind].Icon;
  const { action, remove, title, confirm } = useRemoveMember({ id, name, isThis }, onChange);
  return (
    <li class="row" aria-current={isThis ? 'true' : undefined}>
      <Icon size={20} aria-hidden="true" />
      <div class="row-main">
        <p class="row-title">
          <bdi>{name}</bdi>
        </p>
        {isThis && <p class="row-detail">{text.t('deviceThis')}</p>}
        {joiningSince !== null && (
          <>
            <p class="row-detail">{joiningWords(joiningSince, isExchanging, text)}</p>
            <HasJoined id={id} name={name} onChange={onChange} />
          </>
        )}
      </div>
      <Button
        variant="quiet"
        busy={action.busy}
        icon={
          isThis ? <LogOut size={16} aria-hidden="true" /> : <Trash2 size={16} aria-hidden="true" />
        }
        aria-label={title}
        onClick={remove}
      >
        {confirm}
      </Button>
      <ErrorBanner error={action.error} />
    </li>
  );
}

function joiningWords(since: number, isExchanging: boolean, text: Text): string {
  const added = text.t('deviceJoining', text.relative(since));
  if (!isExchanging) return added;
  return `${added} ${text.t('deviceJoiningEnds', text.relative(since + JOINING_MS))}`;
}

interface HasJoinedProps extends Pick<MemberRowProps, 'onChange'>, Pick<UiMember, 'id' | 'name'> {}

/** For a device of which nothing was heard, and which the user has seen to have the keys. */
function HasJoined({ id, name, onChange }: HasJoinedProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const confirm = () =>
    action.run(async () => {
      await ui.call('ui.memberHasJoined', { id });
      focusTitle();
      await onChange();
    });
  return (
    <div>
      <Button
        variant="quiet"
        class="has-joined"
        busy={action.busy}
        icon={<Check size={16} aria-hidden="true" />}
        aria-label={`${text.t('deviceHasJoined')}: ${name}`}
        onClick={confirm}
      >
        {text.t('deviceHasJoined')}
      </Button>
      <ErrorBanner error={action.error} />
    </div>
  );
}
