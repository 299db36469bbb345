import { Banner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';

interface BackupSavedProps {
  readonly id: string;
  /** The name of the saved file; undefined if none was saved yet. */
  readonly fileName: string | undefined;
}

/** Confirms that a backup was saved. */
export function BackupSaved({ id, fileName }: BackupSavedProps) {
  const text = useText();
  if (fileName === undefined) return null;
  return (
    <Banner tone="good" id={id} title={text.t('backupMade')}>
      <p>{text.t('backupMadeDetail', fileName)}</p>
    </Banner>
  );
}
