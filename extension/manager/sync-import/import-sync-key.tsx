import { useRef, useState } from 'preact/hooks';
import { FolderKey } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useKeyLabel } from '../../ui/components/forms/key-label.tsx';
import { FOREIGN_FORMATS, formatName } from '../../ui/text/sync-formats.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { ImportCard } from '../forms/import-card.tsx';
import { SOURCE_WORDS, SyncSourceInputs } from './sync-source-fields.tsx';
import { sourceOf, useSyncSource } from './sync-source.ts';

/** Form that imports the key of a sync service. */
export function ImportSyncKey({ onImported }: { readonly onImported: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const label = useKeyLabel('import-sync-label');
  const source = useSyncSource();
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<MessageKey>();
  const refuse = (why: MessageKey) => {
    setWrong(why);
    input.current?.focus();
  };
  const submit = () => {
    const name = label.check();
    action.run(async () => {
      setWrong(undefined);
      try {
        const given = await sourceOf(source.kind, source.fields);
        if (!given) refuse('importSyncWrong');
        if (!given || name === '') return;
        const { format } = source;
        await ui.call('ui.importSyncKey', { label: name, format, source: given });
      } catch (error) {
        const isWrong = error instanceof RangeError || errorCode(error) === 'INVALID_ARGUMENT';
        if (!isWrong) throw error;
        refuse('importSyncWrong');
        return;
      }
      source.clear();
      label.clear();
      if (input.current) input.current.value = '';
      announce(text.t('importKeyDone'));
      await onImported();
    });
  };
  return (
    <ImportCard
      id="import-sync"
      title={text.t('importSyncTitle')}
      lead={text.t('importSyncLead')}
      label={label}
      action={action}
      icon={<FolderKey size={16} aria-hidden="true" />}
      onSubmit={submit}
    >
      <Select
        id="import-sync-format"
        label={text.t('importSyncFormat')}
        value={source.format}
        options={FOREIGN_FORMATS.map((value) => ({ value, label: formatName(value) }))}
        onChange={source.setFormat}
      />
      <Select
        id="import-sync-source"
        label={text.t('importSyncSource')}
        value={source.kind}
        options={source.kinds.map((value) => ({ value, label: text.t(SOURCE_WORDS[value]) }))}
        onChange={source.setKind}
      />
      <SyncSourceInputs
        kind={source.kind}
        fields={source.fields}
        error={wrong && text.t(wrong)}
        input={input}
        onChange={(part) => {
          setWrong(undefined);
          source.change(part);
        }}
      />
    </ImportCard>
  );
}
