import { useLayoutEffect } from 'preact/hooks';
import { Banner } from '../../ui/components/banner.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { RadioList } from '../../ui/components/forms/radio-list.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { BindingFields } from './use-binding.ts';

interface BindingFormProps {
  readonly binding: BindingFields;
  readonly asksForSite: boolean;
}

/**
 * Asks for the context that a site bound a message to, which only the site knows; and for its address,
 * which a message that somebody shared does not name.
 */
export function BindingForm({ binding, asksForSite }: BindingFormProps) {
  const text = useText();
  const { kind, context, origin, error, input } = binding;
  useLayoutEffect(() => input.current?.focus(), [input]);
  return (
    <section class="stack" aria-labelledby="context-title">
      <Banner tone="info" id="context-needed">
        <p class="banner-title" id="context-title">
          {text.t('contextTitle')}
        </p>
        <p>{text.t('contextLead')}</p>
      </Banner>
      <Field id="context" label={text.t('contextLabel')} error={error && text.t(error)}>
        {(attributes) => (
          <input
            {...attributes}
            ref={binding.input}
            type="text"
            dir={kind === 'hex' ? 'ltr' : 'auto'}
            value={context}
            onInput={(event) => binding.setContext(event.currentTarget.value)}
          />
        )}
      </Field>
      <RadioList
        name="context-kind"
        legend={text.t('contextKind')}
        options={[
          { value: 'text' as const, label: text.t('contextAsText') },
          { value: 'hex' as const, label: text.t('contextAsHex') },
        ]}
        value={kind}
        onChange={binding.setKind}
      />
      {asksForSite && (
        <TextField
          id="context-origin"
          label={text.t('contextSite')}
          hint={text.t('contextSiteHint')}
          value={origin}
          onInput={binding.setOrigin}
        />
      )}
    </section>
  );
}
