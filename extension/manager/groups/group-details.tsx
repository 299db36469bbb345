import { useState } from 'preact/hooks';
import { GitMerge, UserPlus } from 'lucide-preact';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { safeFileName } from '../../../src/format/file-name.ts';
import { groupFileText } from '../../../src/format/groups/group-file.ts';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton, SaveButton } from '../../ui/components/copy-button.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { ChangeList } from './change-list.tsx';
import type { GroupFacts } from './group-facts.ts';
import { MemberChoice } from './member-choice.tsx';
import { MemberRow, type MemberActions } from './member-row.tsx';
import { SixWords } from './person-name.tsx';

interface GroupDetailsProps {
  readonly group: GroupFacts;
  readonly contacts: readonly UiContact[];
  readonly onChange: () => Promise<void>;
}

type Change = Partial<Pick<ParamsOf<'ui.changeGroup'>, 'add' | 'remove' | 'roles' | 'giveOldKeys'>>;

/** The members of a group and its file; for an admin what changes it. */
export function GroupDetails({ group, contacts, onChange }: GroupDetailsProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  /** How many epochs there were before the newest change that was made here. */
  const [changedFrom, setChangedFrom] = useState<number>();
  const { id, name, epochs, members, adminKeys, signer, isForked, isOwn, words } = group;
  const canChange = signer !== undefined && !isForked;
  const change = (part: Change, onDone?: () => void) =>
    action.run(async () => {
      const whole = { add: [], remove: [], roles: [], giveOldKeys: false, ...part };
      await ui.call('ui.changeGroup', { id, signer: signer!, ...whole });
      setChangedFrom(epochs.length); // it is told when the list of members above has grown
      await onChange();
      onDone?.();
      announce(text.t('groupChanged'));
    });
  const actions: MemberActions = {
    onRemove: ({ publicKey }) => change({ remove: [publicKey] }),
    onRole: ({ publicKey: member }, adminKey, onDone) =>
      change({ roles: [{ member, adminKey }] }, onDone),
  };
  const others = contacts.filter(
    ({ publicKey }) => !members.some((member) => member.publicKey === publicKey),
  );
  return (
    <div class="confirm stack" id={`group-${id}`} role="group" aria-labelledby={`group-name-${id}`}>
      <StateNotice group={group} />
      {!isOwn && (
        <div>
          <p>{text.t('groupCompare')}</p>
          <SixWords words={words} />
        </div>
      )}
      <ul class="rows" aria-label={text.t('groupMembers', members.length)}>
        {members.map((member) => (
          <MemberRow
            key={member.publicKey}
            member={member}
            adminKeys={adminKeys}
            busy={action.busy}
            actions={canChange ? actions : undefined}
          />
        ))}
      </ul>
      {changedFrom !== undefined && epochs.length > changedFrom && (
        <Banner tone="good" id={`group-changed-${id}`}>
          <p>{text.t('groupChanged')}</p>
        </Banner>
      )}
      <ErrorBanner error={action.error} />
      <div class="actions">
        <SaveButton
          id={`group-save-${id}`}
          label={text.t('groupSave')}
          fileName={`${safeFileName(name) || 'sealwright'}.group.txt`}
          contents={groupFileText({ name, id, epochs })}
        />
        <CopyButton value={id} label={text.t('groupCopyId')} />
        {signer !== undefined && isForked && (
          <Button
            variant="primary"
            busy={action.busy}
            icon={<GitMerge size={16} aria-hidden="true" />}
            onClick={() => change({})}
          >
            {text.t('groupJoin')}
          </Button>
        )}
      </div>
      <p class="hint">{text.t('groupSaveHint')}</p>
      {canChange && others.length > 0 && (
        <AddMembers id={id} contacts={others} busy={action.busy} onAdd={change} />
      )}
      <ChangeList group={group} />
    </div>
  );
}

/** What to do where admins changed the group at the same time, and that no admin is left; nothing for any other group. */
function StateNotice({ group }: { readonly group: GroupFacts }) {
  const text = useText();
  const words = stateWords(group);
  if (!words) return null;
  return (
    <Banner tone={group.isWaiting ? 'warning' : 'info'} id={`group-fork-${group.id}`}>
      <p>{text.t(words)}</p>
    </Banner>
  );
}

function stateWords(group: GroupFacts): MessageKey | undefined {
  const { problem, adminKeys, signer, isForked, isWaiting } = group;
  if (adminKeys.length === 0) return problem === undefined ? 'groupWithoutAdmin' : undefined;
  if (!isForked) return undefined;
  if (signer === undefined) return isWaiting ? 'groupAskToJoin' : undefined;
  return isWaiting ? 'groupJoinNow' : 'groupJoinFirst';
}

interface AddMembersProps {
  readonly id: string;
  readonly contacts: readonly UiContact[];
  readonly busy: boolean;
  readonly onAdd: (change: Change, onDone: () => void) => void;
}

function AddMembers({ id, contacts, busy, onAdd }: AddMembersProps) {
  const text = useText();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [giveOldKeys, setGiveOldKeys] = useState(false);
  const add = (event: Event) => {
    event.preventDefault();
    if (chosen.length > 0) onAdd({ add: [...chosen], giveOldKeys }, () => setChosen([]));
  };
  return (
    <form class="stack" onSubmit={add} aria-label={text.t('groupAdd')}>
      <MemberChoice place={`add-${id}`} contacts={contacts} chosen={chosen} onChange={setChosen} />
      <label class="check">
        <input
          type="checkbox"
          id={`old-${id}`}
          checked={giveOldKeys}
          onChange={() => setGiveOldKeys(!giveOldKeys)}
        />
        {text.t('groupOldToo')}
      </label>
      <div class="actions">
        <Button
          type="submit"
          busy={busy}
          unavailable={chosen.length === 0}
          icon={<UserPlus size={16} aria-hidden="true" />}
        >
          {text.t('groupAdd')}
        </Button>
      </div>
    </form>
  );
}
