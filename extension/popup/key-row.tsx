import { useState } from 'preact/hooks';
import { Pencil } from 'lucide-preact';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { RenameForm } from '../ui/components/forms/rename-form.tsx';
import { ToneDot } from '../ui/picture/tones.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { keyFacts, keyName } from '../ui/text/key-facts.ts';
import type { UiKey } from '../ui/environment/ui-client.ts';
import { useFormFocus } from '../ui/hooks/use-action.ts';

interface KeyRowProps {
  readonly item: UiKey;
  readonly onChange: () => Promise<void>;
}

export function KeyRow({ item, onChange }: KeyRowProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const [renaming, setRenaming] = useState(false);
  const row = useFormFocus<HTMLLIElement>(renaming);
  const isApp = item.kind === 'app';
  const name = isApp ? text.t('appKeys') : keyName(item, text);
  const rename = async (label: string) => {
    const { ref, note, tone } = item;
    await ui.call('ui.editKey', { ref, label, note, tone });
    announce(text.t('renamed'));
    await onChange();
  };
  return (
    <li class="row" ref={row}>
      {renaming ? (
        <RenameForm
          id={`rename-${item.ref}`}
          label={text.t('keyLabel')}
          missing={text.t('keyLabelMissing')}
          name={item.label}
          onSave={rename}
          onDone={() => setRenaming(false)}
        />
      ) : (
        <>
          <div class="row-main">
            <p class="row-title">
              <ToneDot tone={item.tone} />
              {name}
            </p>
            <p class="row-detail">{keyFacts(item, text).join(' · ')}</p>
          </div>
          {!isApp && (
            <Button
              variant="quiet"
              icon={<Pencil size={16} aria-hidden="true" />}
              aria-label={text.t('renameNamed', name)}
              onClick={() => setRenaming(true)}
            >
              {text.t('rename')}
            </Button>
          )}
        </>
      )}
    </li>
  );
}
