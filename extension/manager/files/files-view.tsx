import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { OpenFile } from './open-file.tsx';
import { OpenedContents } from './opened-contents.tsx';
import { useOpenFile } from './use-open-file.ts';

/** Files and texts that were encrypted elsewhere, or sealed here earlier. */
export function FilesView() {
  const text = useText();
  const opening = useOpenFile();
  return (
    <View title={text.t('filesTitle')}>
      <p class="muted">{text.t('filesLead')}</p>
      <OpenFile opening={opening} />
      {opening.opened && <OpenedContents opened={opening.opened} />}
    </View>
  );
}
