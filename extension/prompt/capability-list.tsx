import { Banner } from '../ui/components/banner.tsx';
import { capabilityWords } from '../ui/text/key-words.ts';
import { useText } from '../ui/environment/environment.ts';

/** The capabilities that the site requests, with warnings, and longer explanations on request. */
export function CapabilityList({ capabilities }: { readonly capabilities: readonly string[] }) {
  const text = useText();
  const words = capabilities.map(capabilityWords);
  const warnings = new Set(words.flatMap(({ warning }) => warning ?? []));
  return (
    <section aria-labelledby="capabilities-title">
      <h2 id="capabilities-title">{text.t('promptCapabilities')}</h2>
      <ul class="capabilities" id="capabilities">
        {words.map(({ name }) => (
          <li key={name}>{text.t(name)}</li>
        ))}
      </ul>
      {[...warnings].map(({ id, words: warning }) => (
        <Banner key={id} tone="warning" id={id}>
          <p>{text.t(warning)}</p>
        </Banner>
      ))}
      <details>
        <summary>{text.t('whatThisMeans')}</summary>
        <ul class="plain-list">
          {words.map(({ detail }) => (
            <li key={detail}>{text.t(detail)}</li>
          ))}
          <li>{text.t('capabilityNeverKey')}</li>
        </ul>
      </details>
    </section>
  );
}
