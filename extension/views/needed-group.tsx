import { FileInput } from 'lucide-preact';
import type { NeededGroup } from '../../src/rpc/methods/ui-contacts.ts';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { GROUP_FILES } from '../ui/environment/manager-address.ts';
import { neededGroupWords } from '../ui/text/error-words.ts';

interface NeededGroupBannerProps {
  readonly group: NeededGroup;
  /** 'error' is announced at once. */
  readonly tone: 'info' | 'error';
}

/** Why a message for a group does not open here and whom to ask, with a way to where group files are added. */
export function NeededGroupBanner({ group, tone }: NeededGroupBannerProps) {
  const { text, openManager } = useEnvironment();
  return (
    <Banner tone={tone}>
      <p>{neededGroupWords(group, text)}</p>
      {group.lacks !== 'member' && (
        <Button
          class="add-group-file"
          icon={<FileInput size={16} aria-hidden="true" />}
          onClick={() => openManager(GROUP_FILES)}
        >
          {text.t('groupTake')}
        </Button>
      )}
    </Banner>
  );
}
