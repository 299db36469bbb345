import { useText } from '../../ui/environment/environment.ts';
import { toggled, type Audience, type AudienceGroup } from './audience.ts';

interface GroupChoiceProps {
  readonly groups: readonly AudienceGroup[];
  readonly chosen: readonly string[];
  readonly onChange: (part: Pick<Audience, 'groups'>) => void;
}

/** The groups as checkboxes; one to which nothing can be sealed now says why. */
export function GroupChoice({ groups, chosen, onChange }: GroupChoiceProps) {
  const text = useText();
  if (groups.length === 0) return null;
  return (
    <ul class="people" aria-label={text.t('groupsTitle')}>
      {groups.map(({ id, name, problem }) => (
        <li key={id}>
          <label class="check">
            <input
              type="checkbox"
              id={`to-${id}`}
              checked={chosen.includes(id)}
              disabled={problem !== undefined}
              aria-describedby={problem && `to-${id}-problem`}
              onChange={() => onChange({ groups: toggled(chosen, id) })}
            />
            <bdi>{name}</bdi>
          </label>
          {problem && (
            <p class="hint" id={`to-${id}-problem`}>
              {text.t(problem)}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
