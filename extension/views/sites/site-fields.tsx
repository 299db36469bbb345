import { X } from 'lucide-preact';
import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import type { FieldSettings } from '../../../src/rpc/methods/ui-fields.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CheckField } from '../../ui/components/forms/check-field.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import { sealingKeys } from '../../ui/components/sealing-key.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useQuery, type Query } from '../../ui/hooks/use-query.ts';

interface SiteFieldsProps extends Query<FieldSettings> {
  readonly origin: string;
  readonly pattern: string;
}

/**
 * The settings of one site for sealed texts in its pages: marks, key, fields that are always
 * sealed.
 */
export function SiteFields({ data, reload, origin, pattern }: SiteFieldsProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const toast = useToast();
  const change = (work: () => Promise<object>, undo?: () => Promise<object>) =>
    action.run(async () => {
      await work();
      toast(text.t('saved'), undo && (() => undo().then(reload)));
      await reload();
    });
  const alwaysSeal = (field: FieldName, on: boolean) =>
    ui.call('ui.alwaysSeal', { origin, field, on });
  if (!data) return null;
  return (
    <div class="site-fields stack">
      <CheckField
        id={`marks ${pattern}`}
        label={text.t('siteMarks')}
        hint={text.t('siteMarksHint')}
        checked={data.marks}
        onChange={(on) => change(() => ui.call('ui.setMarks', { pattern, on }))}
      />
      <OfferedKey
        id={`key ${origin}`}
        chosen={data.ref}
        onChoose={(ref) => change(() => ui.call('ui.offerKey', { origin, ref }))}
      />
      <AlwaysSealed
        fields={data.alwaysSealed}
        busy={action.busy}
        onRemove={(field) =>
          change(
            () => alwaysSeal(field, false),
            () => alwaysSeal(field, true),
          )
        }
      />
      <ErrorBanner error={action.error} />
    </div>
  );
}

interface OfferedKeyProps {
  readonly id: string;
  readonly chosen: string | null;
  readonly onChoose: (ref: string | null) => void;
}

function OfferedKey({ id, chosen, onChoose }: OfferedKeyProps) {
  const { text } = useEnvironment();
  const { data } = useQuery('ui.keys', {});
  const keys = sealingKeys(data ?? []);
  return (
    <Select
      id={id}
      label={text.t('siteKey')}
      value={chosen ?? ''}
      options={[
        { value: '', label: text.t('siteKeyAny') },
        ...keys.map((key) => ({ value: key.ref, label: keyName(key, text) })),
      ]}
      onChange={(ref) => onChoose(ref === '' ? null : ref)}
    />
  );
}

interface AlwaysSealedProps {
  readonly fields: FieldSettings['alwaysSealed'];
  readonly busy: boolean;
  readonly onRemove: (field: FieldName) => void;
}

/** What the site calls a field; else the name by which it is recognised. */
const calledField = ({ label, value }: FieldName): string => plainText(label ?? value, 80);

/** The fields that are always sealed, by their labels. */
function AlwaysSealed({ fields, busy, onRemove }: AlwaysSealedProps) {
  const { text } = useEnvironment();
  return (
    <section>
      <h2>{text.t('siteAlwaysSealed')}</h2>
      {fields.length === 0 && <p class="muted">{text.t('siteAlwaysSealedNone')}</p>}
      {fields.length > 0 && (
        <ul class="rows">
          {fields.map((field) => (
            <li class="row" key={`${field.tag} ${field.by} ${field.value}`}>
              <bdi class="row-main">{calledField(field)}</bdi>
              <Button
                variant="quiet"
                busy={busy}
                icon={<X size={16} aria-hidden="true" />}
                aria-label={text.t('slotRemoveNamed', calledField(field))}
                onClick={() => onRemove(field)}
              >
                {text.t('slotRemove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
