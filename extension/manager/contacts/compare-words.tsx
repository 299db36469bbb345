import type { OwnSharingKey, UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { Check, Trash2, X } from 'lucide-preact';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useState } from 'preact/hooks';
import { Words } from '../forms/words.tsx';
import { Invite } from './own-sharing-key.tsx';

interface CompareWordsProps {
  readonly contact: UiContact;
  readonly own: OwnSharingKey;
  readonly busy: boolean;
  readonly onMatch: () => void;
  readonly onRemove: () => void;
}

/**
 * The words and digits of both public keys, in the same order on both sides (docs/format.md section
 * 3.4).
 */
export function CompareWords({ contact, own, busy, onMatch, onRemove }: CompareWordsProps) {
  const text = useText();
  const [differ, setDiffer] = useState(false);
  const both = [contact, own].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  return (
    <div class="confirm stack" id={`compare-${contact.id}`}>
      <p>{text.t('contactCompareLead', contact.name)}</p>
      <Words places={both.flatMap(({ words }) => words)} />
      <p class="hint">{text.t('contactCompareDigits')}</p>
      <p class="code" dir="ltr">
        {both.flatMap(({ digest, digits }) =>
          digits.map((group, i) => (
            <span key={`${digest} ${i}`} class="code-group">
              {group}
            </span>
          )),
        )}
      </p>
      <div class="actions">
        <Button
          id={`match-${contact.id}`}
          busy={busy}
          variant="primary"
          icon={<Check size={16} aria-hidden="true" />}
          onClick={onMatch}
        >
          {text.t('contactMatch')}
        </Button>
        <Button
          id={`differ-${contact.id}`}
          aria-expanded={differ}
          icon={<X size={16} aria-hidden="true" />}
          onClick={() => setDiffer(!differ)}
        >
          {text.t('contactDiffer')}
        </Button>
      </div>
      {differ && (
        <Banner tone="error" title={text.t('contactDifferTitle')}>
          <p>{text.t('contactDifferMore', contact.name)}</p>
          <div class="actions">
            <Button
              variant="danger"
              busy={busy}
              icon={<Trash2 size={16} aria-hidden="true" />}
              onClick={onRemove}
            >
              {text.t('contactRemove')}
            </Button>
          </div>
        </Banner>
      )}
      {contact.verified === null && !differ && (
        <>
          <p>{text.t('contactAddBack', contact.name)}</p>
          <Invite place={`invite-${contact.id}`} own={own} onMade={nothingMade} />
        </>
      )}
    </div>
  );
}

/** The key is there: the words of both are shown. */
const nothingMade = () => Promise.resolve();
