import { useEffect, useRef, useState } from 'preact/hooks';
import { Pencil } from 'lucide-preact';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { ToneDot } from '../ui/components/tone-dot.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { keyFacts } from '../ui/key-facts.ts';
import { KeyLabelField, useKeyLabel } from '../ui/key-label.tsx';
import { keyName } from '../ui/key-name.ts';
import type { SurfaceKey } from '../ui/surface.ts';
import { useAction } from '../ui/use-action.ts';

interface KeyRowProps {
  readonly item: SurfaceKey;
  readonly onChange: () => Promise<void>;
}

export function KeyRow({ item, onChange }: KeyRowProps) {
  const { text } = useEnvironment();
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    // Focus goes into the form, and back to the button that opened it.
    if (renaming) row.current?.querySelector('input')?.focus();
    else if (wasRenaming.current) row.current?.querySelector('button')?.focus();
    wasRenaming.current = renaming;
  }, [renaming]);
  const isApp = item.kind === 'app';
  const name = isApp ? text.t('appKeys') : keyName(item, text);
  return (
    <li class="row" ref={row}>
      {renaming ? (
        <RenameForm item={item} onDone={() => setRenaming(false)} onChange={onChange} />
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

interface RenameFormProps extends KeyRowProps {
  readonly onDone: () => void;
}

function RenameForm({ item, onDone, onChange }: RenameFormProps) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const label = useKeyLabel(`rename-${item.ref}`, item.label);
  const submit = (event: Event) => {
    event.preventDefault();
    const name = label.check();
    if (name === '') return;
    action.run(async () => {
      const { ref, note, tone } = item;
      await surface.call('ui.editKey', { ref, label: name, note, tone });
      announce(text.t('renamed'));
      await onChange();
      label.clear();
      onDone();
    });
  };
  return (
    <form class="stack grow" onSubmit={submit}>
      <KeyLabelField id={`rename-${item.ref}`} label={label} />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          onClick={() => {
            label.clear();
            onDone();
          }}
        >
          {text.t('cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={action.busy}>
          {text.t('save')}
        </Button>
      </div>
    </form>
  );
}
