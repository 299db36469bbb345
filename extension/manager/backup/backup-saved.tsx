import { Banner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';

interface BackupSavedProps {
  readonly id: string;
  /** Under which it was saved; undefined: it was not made yet. */
  readonly fileName: string | undefined;
}

export function BackupSaved({ id, fileName }: BackupSavedProps) {
  const text = useText();
  if (fileName === undefined) return null;
  return (
    <Banner tone="good" id={id} title={text.t('backupMade')}>
      <p>{text.t('backupMadeDetail', fileName)}</p>
    </Banner>
  );
}
