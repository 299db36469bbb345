import { useRef, useState } from 'preact/hooks';
import { Trash2 } from 'lucide-preact';
import { capabilityWords } from '../../ui/text/key-words.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import type { UiGrant } from '../../ui/environment/ui-client.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { FrozenGrant, isFrozen } from './frozen-grant.tsx';
import { UnusualHour } from './unusual-hour.tsx';
import { withKeysEnd } from './persistent-keys.tsx';

interface GrantRowProps {
  readonly grant: UiGrant;
  /** Whether it ended since the row appeared. */
  readonly isGone: boolean;
  readonly onRevoked: () => Promise<void>;
}

/**
 * The grants that there are, and those that were there since the list appeared: a row that is gone
 * would move other buttons under the pointer.
 */
export function GrantRows({ grants, none, onRevoked }: GrantRowsProps) {
  const text = useText();
  const seen = useRef<readonly UiGrant[]>([]);
  const fresh = grants.filter(({ id }) => !seen.current.some((each) => each.id === id));
  const current = (old: UiGrant) => grants.find(({ id }) => id === old.id);
  seen.current = [...seen.current.map((old) => current(old) ?? old), ...fresh];
  if (seen.current.length === 0) return none ? <p class="muted">{text.t(none)}</p> : null;
  return (
    <ul class="rows">
      {seen.current.map((grant) => (
        <GrantRow
          key={grant.id}
          grant={grant}
          isGone={current(grant) === undefined}
          onRevoked={onRevoked}
        />
      ))}
    </ul>
  );
}

interface GrantRowsProps {
  readonly grants: readonly UiGrant[];
  /** Shown where there are no rows. */
  readonly none?: MessageKey;
  readonly onRevoked: () => Promise<void>;
}

/** One grant: the key, the capabilities, the limits, and a button that revokes it. */
function GrantRow({ grant, isGone, onRevoked }: GrantRowProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const row = useRef<HTMLLIElement>(null);
  // The row's height with the question, which it keeps with the answer: nothing below it moves.
  const [height, setHeight] = useState<number>();
  const wasAsked = height !== undefined;
  const name = keyName({ kind: grant.keyKind, label: plainText(grant.keyLabel, 80) }, text);
  const question = withKeysEnd(text.t('revokeQuestion'), grant.persistentKeys, text);
  const isAnswerDue = isFrozen(grant) && !isGone && !(wasAsked && action.busy);
  const abilities = grant.capabilities.map((it) => text.t(capabilityWords(it).name));
  const revoke = () => {
    setHeight(row.current?.getBoundingClientRect().height);
    action.run(async () => {
      await ui.call('ui.revoke', { grantIds: [grant.id] });
      announce(text.t('revoked'));
      focusTitle();
      await onRevoked();
    });
  };
  return (
    <li
      ref={row}
      class={isGone ? 'row grant-gone' : 'row grant'}
      style={wasAsked ? { minBlockSize: `${height}px` } : undefined}
    >
      <div class="row-main">
        <p class="row-title">{name}</p>
        <p class="row-detail">{text.list(abilities)}</p>
        <p class="row-detail">{text.facts(limits())}</p>
        <ErrorBanner error={action.error} />
        {grant.isUnusual && !isGone && <UnusualHour grant={grant} name={name} onRead={onRevoked} />}
        {isAnswerDue && (
          <FrozenGrant
            grant={grant}
            name={name}
            question={question}
            isStopping={action.busy}
            onStop={revoke}
            onAnswered={onRevoked}
          />
        )}
      </div>
      {isAnswerDue ? null : isGone || (wasAsked && action.busy) ? (
        <p class={wasAsked ? 'confirm' : 'hint'}>{text.t(isGone ? 'revokedStays' : 'revoke')}</p>
      ) : (
        <ConfirmButton
          label={text.t('revoke')}
          describe={text.t('revokeNamed', name)}
          question={question}
          confirm={text.t('revoke')}
          busy={action.busy}
          icon={<Trash2 size={16} aria-hidden="true" />}
          onConfirm={revoke}
        />
      )}
    </li>
  );

  function limits(): string[] {
    const { expiresAt, usesLeft, maxPerHour, lastUsed, frozenFrom } = grant;
    return [
      expiresAt === null ? text.t('noExpiry') : text.t('expires', text.relative(expiresAt)),
      ...(usesLeft === null ? [] : [text.plural('usesLeft', usesLeft)]),
      ...(maxPerHour === null ? [] : [text.t('opensPerHour', maxPerHour)]),
      ...(frozenFrom === null || isFrozen(grant)
        ? []
        : [text.t('frozenAgain', text.relative(frozenFrom))]),
      lastUsed === null ? text.t('neverUsed') : text.t('lastUsed', text.relative(lastUsed)),
    ];
  }
}
