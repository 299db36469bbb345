import { useEffect, useState } from 'preact/hooks';
import type { OpenedField } from '../../src/rpc/methods/ui-fields.ts';
import { Banner } from '../ui/components/banner.tsx';
import { CopyButton } from '../ui/components/buttons/copy-button.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { useEnvironment, useText } from '../ui/environment/environment.ts';
import { errorCode, errorWords } from '../ui/text/error-words.ts';
import type { MessageKey, Text } from '../ui/text/i18n.ts';
import { keyName } from '../ui/text/key-facts.ts';
import { shortOrigin } from '../ui/text/origin.ts';
import { visibleText, utf8Text } from '../ui/text/plain-text.ts';
import { useFieldSessionEnvironment } from './environment.ts';

const FAILURES: Readonly<Record<string, MessageKey>> = {
  NEEDS_KEY: 'readerNeedsKey',
  AUTH_FAILED: 'readerFailed',
  UNSUPPORTED: 'readerOther',
  BAD_ENVELOPE: 'readerBroken',
};

type Opening = { readonly opened?: OpenedField; readonly error?: unknown };

interface OpenedTextProps {
  readonly found: Uint8Array;
  /** A press that was meant for what stood here before must not copy what was secret. */
  readonly mayAct: (event: Event) => boolean;
}

/** One sealed text: what it says, or why it does not open. */
export function OpenedText({ found, mayAct }: OpenedTextProps) {
  const { ui, text } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const [{ opened, error }, setOpening] = useState<Opening>({});
  useEffect(() => {
    ui.call('ui.openField', { visitId: sessionId, found }).then(
      (answer) => setOpening({ opened: answer }),
      (failure: unknown) => setOpening({ error: failure }),
    );
  }, [ui, sessionId, found]);
  if (opened) return <Plain opened={opened} mayAct={mayAct} />;
  if (error === undefined) {
    return (
      <li>
        <Loading />
      </li>
    );
  }
  return (
    <li class="not-opened">
      <Banner tone="info">
        <p>{failureWords(error, text)}</p>
      </Banner>
    </li>
  );
}

function failureWords(error: unknown, text: Text): string {
  const code = errorCode(error);
  return Object.hasOwn(FAILURES, code) ? text.t(FAILURES[code]!) : errorWords(error, text);
}

interface PlainProps {
  readonly opened: OpenedField;
  readonly mayAct: (event: Event) => boolean;
}

/** As text and nothing else: one node, in which nothing is hidden and nothing is active. */
function Plain({ opened, mayAct }: PlainProps) {
  const text = useText();
  const plain = utf8Text(opened.text);
  const shown = plain === undefined ? text.t('readerNotText') : visibleText(plain);
  const hidesSome = plain !== undefined && shown !== plain.replaceAll('\r\n', '\n');
  return (
    <li class="card stack">
      <pre class="opened" dir="auto" tabIndex={0}>
        {shown}
      </pre>
      {hidesSome && <p class="hint">{text.t('readerHidden')}</p>}
      <Provenance opened={opened} />
      {plain !== undefined && (
        <CopyButton value={plain} label={text.t('copyText')} mayAct={mayAct} />
      )}
    </li>
  );
}

function Provenance({ opened: { key, origin, shared } }: { readonly opened: OpenedField }) {
  const text = useText();
  const name = keyName(key, text);
  if (shared) {
    return (
      <Banner tone="warning" title={text.t('readerSharedTitle')}>
        <p>{text.t('readerShared', name)}</p>
      </Banner>
    );
  }
  return (
    <p class="muted provenance">
      {origin === null
        ? text.t('readerKey', name)
        : text.t('readerKeyAndSite', name, shortOrigin(origin))}
    </p>
  );
}
