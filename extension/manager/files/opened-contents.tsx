import { useLayoutEffect, useRef } from 'preact/hooks';
import { MAX_SEALED_TEXT_BYTES, type OpenedFile } from '../../../src/rpc/methods/ui-files.ts';
import { Banner } from '../../ui/components/banner.tsx';
import { CopyButton, SaveButton } from '../../ui/components/buttons/copy-button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { SealAgain } from './seal-again.tsx';
import { plainName, shownText } from './shown-text.ts';
import type { Opened } from './use-open-file.ts';

/**
 * The opened contents: shown as text, with buttons to copy and save, and a form to seal them again.
 */
export function OpenedContents({ opened: { file, name } }: { readonly opened: Opened }) {
  const text = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [file]);
  const { contents } = file;
  const plain = shownText(contents);
  return (
    <>
      <section class="stack card" aria-labelledby="opened-title">
        <h2 id="opened-title" tabIndex={-1} ref={heading}>
          {text.t('openedTitle')}
        </h2>
        <Trust file={file} />
        {plain ? (
          <pre class="opened" dir="auto" tabIndex={0} aria-labelledby="opened-title">
            {plain.shown}
          </pre>
        ) : (
          <p id="opened-bytes">{text.t('openedNotText')}</p>
        )}
        {plain?.isCut && <p class="hint">{text.t('openedBeginning')}</p>}
        {plain?.hidesSome && <p class="hint">{text.t('readerHidden')}</p>}
        <div class="actions">
          {plain && <CopyButton value={plain.whole} label={text.t('copyText')} />}
          <SaveButton
            id="save-opened"
            label={text.t('openedSave')}
            fileName={plainName(name, endingOf(file, plain !== undefined))}
            contents={contents}
          />
        </div>
      </section>
      {contents.length <= MAX_SEALED_TEXT_BYTES ? (
        <SealAgain contents={contents} name={name} />
      ) : (
        <p class="hint">{text.t('sealAgainTooLarge')}</p>
      )}
    </>
  );
}

/** The extension for the saved file: Weave accounts are JSON; others are text or bytes. */
function endingOf({ format }: OpenedFile, isText: boolean): '.json' | '.txt' | '.bin' {
  if (format === 'weave') return '.json';
  return isText ? '.txt' : '.bin';
}

/** Which key opened the file, or a warning if its sender or integrity is not proven. */
function Trust({ file: { format, trust, key } }: { readonly file: OpenedFile }) {
  const text = useText();
  const name = key && keyName(key, text);
  if (trust === 'forgeable') {
    return (
      <Banner tone="warning" id="opened-forgeable" title={text.t('openedForgeableTitle')}>
        <p>{text.t(format === 'weave' ? 'openedForgeableWeave' : 'openedForgeable')}</p>
      </Banner>
    );
  }
  if (trust === 'sender-unknown') {
    return (
      <Banner tone="info" id="opened-shared" title={text.t('readerSharedTitle')}>
        <p>{text.t('readerShared', name ?? '')}</p>
      </Banner>
    );
  }
  return name === null ? null : <p class="muted">{text.t('readerKey', name)}</p>;
}
