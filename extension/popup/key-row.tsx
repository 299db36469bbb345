import { useState } from 'preact/hooks';
import { Pencil } from 'lucide-preact';
import { useToast } from '../ui/components/announcer.tsx';
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

/** One key in the popup's list, with a button that renames it. */
export function KeyRow({ item, onChange }: KeyRowProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const [renaming, setRenaming] = useState(false);
  const row = useFormFocus<HTMLLIElement>(renaming);
  const isApp = item.kind === 'app';
  const name = isApp ? text.t('appKeys') : keyName(item, text);
  const rename = async (label: string) => {
    await ui.call('ui.editKey', { ...detailsOf(item), label });
    toast(text.t('renamed'), async () => {
      await ui.call('ui.editKey', detailsOf(item));
      await onChange();
    });
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
            <p class="row-detail">{text.facts(keyFacts(item, text))}</p>
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

const detailsOf = ({ ref, label, note, tone }: UiKey) => ({ ref, label, note, tone });
