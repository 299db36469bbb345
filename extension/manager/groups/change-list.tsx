import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import type { ChangeFacts, PersonFacts } from './group-changes.ts';
import type { GroupFacts } from './group-facts.ts';
import { PersonName, SixWords, usePersonName } from './person-name.tsx';

/** A group may have a thousand changes. */
const SHOWN_AT_ONCE = 20;

/** What was changed in a group, folded: the newest change first, with who signed it and the words that people compare. */
export function ChangeList({ group }: { readonly group: GroupFacts }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const changes = useMemo(() => (isOpen ? [...group.changes()].reverse() : []), [group, isOpen]);
  return (
    <details id={`history-${group.id}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.t('groupHistory')}</summary>
      <div class="stack">
        <p class="hint">{text.t('groupHistoryLead')}</p>
        <ol class="rows changes">
          {changes.slice(0, shown).map((change, place) => (
            <ChangeItem key={changes.length - place} change={change} />
          ))}
        </ol>
        {changes.length > shown && (
          <div class="actions">
            <Button onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
              {text.t('activityMore')}
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}

/** Why a change has no effect, where admins changed the group at the same time. */
const NO_EFFECT: Readonly<Partial<Record<ChangeFacts['standing'], MessageKey>>> = {
  void: 'changeVoid',
  undecided: 'changeUndecided',
};

const NO_MEMBERS: Readonly<Partial<Record<ChangeFacts['kind'], MessageKey>>> = {
  join: 'changeJoins',
  key: 'changeKeyAlone',
};

function ChangeItem({ change }: { readonly change: ChangeFacts }) {
  const text = useText();
  const nameOf = usePersonName();
  const { number, kind, at, author, standing, givesOldKeys, words } = change;
  const noEffect = NO_EFFECT[standing];
  const noMembers = NO_MEMBERS[kind];
  const signed = author?.isUser
    ? text.t('changeSignedByYou')
    : author && text.t('changeSigned', nameOf(author));
  return (
    <li class="change">
      <p class="row-title">
        {kind === 'first' ? text.t('changeFirst') : text.t('changeNumber', number)}
      </p>
      {signed !== undefined && <p class="row-detail">{signed}</p>}
      <p class="row-detail">{text.t('changeHere', text.date(at))}</p>
      {noEffect && <p class="row-detail state-warning">{text.t(noEffect)}</p>}
      <dl class="change-facts">
        <People name={kind === 'first' ? 'changeMembers' : 'changeAdded'} people={change.added} />
        <People name="changeRemoved" people={change.removed} />
        <People name="changeNewAdmins" people={change.newAdmins} />
        <People name="changeFormerAdmins" people={change.formerAdmins} />
        <dt>{text.t('changeWords')}</dt>
        <dd>
          <SixWords words={words} />
        </dd>
      </dl>
      {noMembers && <p class="hint">{text.t(noMembers)}</p>}
      {givesOldKeys && <p class="hint">{text.t('changeOldKeys')}</p>}
    </li>
  );
}

interface PeopleProps {
  readonly name: MessageKey;
  readonly people: readonly PersonFacts[];
}

/** Those whom a change concerns in one way; nothing where there are none. */
function People({ name, people }: PeopleProps) {
  const text = useText();
  if (people.length === 0) return null;
  return (
    <>
      <dt>{text.t(name)}</dt>
      {people.map((person) => (
        <dd key={person.publicKey}>
          <PersonName person={person} />
          {person.isAdmin && ` (${text.t('groupAdmin')})`}
        </dd>
      ))}
    </>
  );
}
