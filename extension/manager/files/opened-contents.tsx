import { useLayoutEffect, useRef } from 'preact/hooks';
import { safeFileName, shownMediaType } from '../../../src/format/file-name.ts';
import { proofWithMessage } from '../../../src/format/recipients/proof.ts';
import type { MessageSigned } from '../../../src/rpc/methods/ui-contacts.ts';
import { MAX_SEALED_TEXT_BYTES } from '../../../src/rpc/methods/ui-files.ts';
import { Banner } from '../../ui/components/banner.tsx';
import { CopyButton, SaveButton } from '../../ui/components/copy-button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { focusAfterWork } from '../../ui/hooks/use-focus.ts';
import { OriginName } from '../../ui/components/origin-name.tsx';
import { keyName } from '../../ui/text/key-facts.ts';
import { OpenedByWords, SenderBanner, type ShownSignature } from '../../views/sender-banner.tsx';
import { SealAgain, type SealAgainProps } from './seal-again.tsx';
import { plainName, shownText } from './shown-text.ts';
import type { Opened } from './use-open-file.ts';

interface OpenedContentsProps {
  readonly opened: Opened;
  /** All keys of the user. */
  readonly keys: readonly UiKey[];
  readonly onSave: () => void;
}

/**
 * The opened contents: shown as text, with buttons to copy and save, and a form to seal them again.
 */
export function OpenedContents({ opened, keys, onSave }: OpenedContentsProps) {
  const text = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => focusAfterWork(heading.current, '#open-form'), [opened]);
  const { contents, blob, name, named } = opened;
  const plain = contents && shownText(contents);
  const ending = endingOf(opened, plain !== undefined);
  const fileName = (named && safeFileName(named.name)) || plainName(name, ending);
  return (
    <>
      <section class="stack card" aria-labelledby="opened-title">
        <h2 id="opened-title" tabIndex={-1} ref={heading}>
          {text.t('openedTitle')}
        </h2>
        {named && <Named name={fileName} type={named.type} />}
        <Source opened={opened} />
        <Trust opened={opened} fileName={fileName} isText={plain !== undefined} />
        {plain ? (
          <pre class="opened" dir="auto" tabIndex={0} aria-labelledby="opened-title">
            {plain.shown}
          </pre>
        ) : (
          <p id="opened-bytes">
            {contents ? text.t('openedNotText') : text.t('openedTooLong', text.bytes(blob.size))}
          </p>
        )}
        {plain?.isCut && <p class="hint">{text.t('openedBeginning')}</p>}
        {plain?.hidesSome && <p class="hint">{text.t('readerHidden')}</p>}
        <div class="actions">
          {plain && <CopyButton value={plain.whole} label={text.t('copyText')} />}
          <SaveButton
            id="save-opened"
            label={text.t('openedSave')}
            fileName={fileName}
            contents={blob}
            onSave={onSave}
          />
        </div>
      </section>
      {opened.format !== 'sealwright' && contents && (
        <Resealing contents={contents} keys={keys} name={name} />
      )}
    </>
  );
}

/** The name whole, because its end says what opens the file. */
function Named({ name, type }: { readonly name: string; readonly type: string }) {
  return (
    <p id="opened-name">
      <bdi class="file-name">{name}</bdi> <bdi class="muted">{shownMediaType(type)}</bdi>
    </p>
  );
}

/** For what another tool encrypted: seals it with a key of the vault. */
function Resealing(props: SealAgainProps) {
  const text = useText();
  if (props.contents.length <= MAX_SEALED_TEXT_BYTES) return <SealAgain {...props} />;
  return <p class="hint">{text.t('sealAgainTooLarge')}</p>;
}

/** The site that a message was sealed for. */
function Source({ opened: { origin } }: { readonly opened: Opened }) {
  const text = useText();
  if (origin === null) return null;
  return (
    <div class="stack" id="opened-site">
      <p class="muted">{text.t('openedSite')}</p>
      <OriginName origin={origin} />
    </div>
  );
}

/** The extension for the saved file: Weave accounts are JSON; others are text or bytes. */
function endingOf({ format }: Opened, isText: boolean): '.json' | '.txt' | '.bin' {
  if (format === 'weave') return '.json';
  return isText ? '.txt' : '.bin';
}

/** @param message a text that is no file of its own, which its proof then holds */
function shownSignature(
  signed: MessageSigned,
  fileName: string,
  message: Uint8Array | undefined,
): ShownSignature {
  const proof = message ? proofWithMessage(signed.proof, message) : signed.proof;
  return { ...signed, proof, fileName, hasText: message !== undefined };
}

interface TrustProps {
  readonly opened: Opened;
  /** Under which the contents are saved. */
  readonly fileName: string;
  readonly isText: boolean;
}

/** Which key opened the file, or a warning if its sender or integrity is not proven. */
function Trust({ opened, fileName, isText }: TrustProps) {
  const text = useText();
  const { format, trust, key, sender, signed, named, contents } = opened;
  if (format === 'sealwright' && key === null) return <OpenedByWords id="opened-by-words" />;
  if (trust === 'forgeable') {
    return (
      <Banner tone="warning" id="opened-forgeable" title={text.t('openedForgeableTitle')}>
        <p>{text.t(format === 'weave' ? 'openedForgeableWeave' : 'openedForgeable')}</p>
      </Banner>
    );
  }
  if (trust === 'weak') {
    return (
      <Banner tone="warning" id="opened-weak" title={text.t('openedWeakTitle')}>
        <p>{text.t('openedWeak')}</p>
      </Banner>
    );
  }
  if (trust === 'sender-unknown' || sender) {
    const name = key ? keyName(key, text) : '';
    const message = isText && !named ? contents : undefined;
    const shown = signed && shownSignature(signed, `${fileName}.proof`, message);
    return <SenderBanner id="opened-sender" sender={sender} signed={shown} keyName={name} />;
  }
  if (key === null) return null;
  return (
    <p class="muted" id="opened-key">
      {key.kind === 'app' ? text.t('openedAppKey') : text.t('readerKey', keyName(key, text))}
    </p>
  );
}
