import { useEnvironment } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { RemovableRow } from './removable-row.tsx';

interface PersistentKeysProps {
  readonly origin: string;
  /** How many keys the site has in the vault by `exportKey('sealwright-ref', key)`. */
  readonly count: number;
  readonly onDeleted: () => Promise<void>;
}

/** A question before permissions end, with what becomes of the site's keys in the vault. */
export function withKeysEnd(question: string, count: number, text: Text): string {
  return count === 0 ? question : `${question} ${text.t('persistentKeysEnd', count)}`;
}

/** How many keys of its own a site has in the vault, and a button that deletes them after a question. */
export function PersistentKeys({ origin, count, onDeleted }: PersistentKeysProps) {
  const { ui, text } = useEnvironment();
  if (count === 0) return null;
  return (
    <RemovableRow
      name="persistent-keys"
      title={text.plural('persistentKeys', count)}
      hint={text.t('persistentKeysHint')}
      label={text.t('persistentKeysDelete')}
      question={text.t('persistentKeysQuestion')}
      removed={text.t('persistentKeysDeleted')}
      remove={() => ui.call('ui.deletePersistentKeys', { origin })}
      onRemoved={onDeleted}
    />
  );
}
