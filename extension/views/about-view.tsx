import { CopyButton } from '../ui/components/copy-button.tsx';
import { Mark } from '../ui/picture/mark.tsx';
import { View } from '../ui/components/view.tsx';
import { useEffect, useState } from 'preact/hooks';
import { ownDigest } from '../../src/release/digest-list.ts';
import { useEnvironment, useText } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';

interface AboutViewProps {
  readonly state: UiState;
  readonly onBack?: () => void;
}

/** What Sealwright is, what it promises, and details for bug reports. */
export function AboutView({ state, onBack }: AboutViewProps) {
  const text = useText();
  const engines = state.engines.join(', ');
  const report = `Sealwright ${state.version}\n${navigator.userAgent}\nengines: ${engines}`;
  return (
    <View title={text.t('aboutTitle')} onBack={onBack}>
      <div class="about-head">
        <Mark size={48} />
        <p class="muted">{text.t('version', state.version)}</p>
      </div>
      <p>{text.t('aboutWhat')}</p>
      <h2>{text.t('aboutPromises')}</h2>
      <ul class="plain-list">
        <li>{text.t('promiseKeys')}</li>
        <li>{text.t('promiseNetwork')}</li>
        <li>{text.t('promiseAsk')}</li>
        <li>{text.t('promiseLimit')}</li>
      </ul>
      <dl class="facts">
        <dt>{text.t('aboutEngines')}</dt>
        <dd>{engines}</dd>
        {state.created !== null && (
          <>
            <dt>{text.t('aboutVaultCreated')}</dt>
            <dd>{text.date(state.created)}</dd>
          </>
        )}
        <dt>{text.t('aboutLicence')}</dt>
        <dd>Apache-2.0</dd>
      </dl>
      <OwnCopy version={state.version} />
      <CopyButton value={report} label={text.t('copy')} />
    </View>
  );
}

/** The digest of the installed files, and the command that proves more (docs/cli.md). */
function OwnCopy({ version }: { readonly version: string }) {
  const { text, ownFile } = useEnvironment();
  const [isOpen, setOpen] = useState(false);
  const [digest, setDigest] = useState<string | null>();
  const command = `npx sealwright@${version} verify PATH`;
  useEffect(() => {
    if (!isOpen) return;
    ownDigest(ownFile)
      .then(setDigest)
      .catch(() => setDigest(null));
  }, [isOpen, ownFile]);
  return (
    <details id="own-copy" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.t('ownCopy')}</summary>
      <div class="stack">
        <p>{text.t('ownCopyLead')}</p>
        <div role="status">
          {digest === undefined && <p class="muted">{text.t('loading')}</p>}
          {digest === null && <p>{text.t('ownCopyFailed')}</p>}
          {digest && (
            <code class="code-line" id="own-digest" dir="ltr">
              {digest}
            </code>
          )}
        </div>
        <p>{text.t('ownCopyProof')}</p>
        <code class="code-line" dir="ltr">
          {command}
        </code>
      </div>
    </details>
  );
}
