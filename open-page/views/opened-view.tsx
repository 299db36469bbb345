import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Download } from 'lucide-preact';
import { safeFileName, shownMediaType } from '../../src/format/file-name.ts';
import { Button } from '../../extension/ui/components/buttons/button.tsx';
import { Banner } from '../../extension/ui/components/banner.tsx';
import { CopyButton } from '../../extension/ui/components/copy-button.tsx';
import { plainName, shownText } from '../../extension/manager/files/shown-text.ts';
import { useFileWork } from '../../extension/manager/files/use-file-work.ts';
import { Working } from '../../extension/manager/files/working.tsx';
import type { Opened } from '../opening.ts';
import { usePageText } from '../page-text.ts';
import { save } from '../saving.ts';
import { problemOf } from './problem.ts';

interface OpenedViewProps {
  readonly message: Opened;
  /** The name of the file that it was in; '' for a text. */
  readonly from: string;
}

/** What was opened: who can have sealed it, what it is called, its text, and a button that saves it. */
export function OpenedView({ message, from }: OpenedViewProps) {
  const text = usePageText();
  const work = useFileWork();
  const [isSaved, setSaved] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const { named, bytes, contents } = message;
  const plain = contents && shownText(contents);
  const given = named ? safeFileName(named.name) : '';
  const name = given || plainName(safeFileName(from), plain ? '.txt' : '.bin');
  const words = problemOf(work.action.error);
  const start = () => {
    setSaved(false);
    work.run(async (hooks) => setSaved(await save(name, message, hooks)));
  };
  return (
    <section class="stack card" id="opened" aria-labelledby="opened-title">
      <h2 id="opened-title" tabIndex={-1} ref={heading}>
        {text.t('openedTitle')}
      </h2>
      <Banner tone="info" id="opened-sender" title={text.t('pageSenderTitle')}>
        <p>{text.t('pageSender')}</p>
      </Banner>
      {/* A pasted text has no name: none is shown that its sender did not give it. */}
      {(named || from !== '') && (
        <dl class="facts">
          <dt>{text.t('pageFileName')}</dt>
          <dd>
            <bdi id="opened-name">{name}</bdi>
          </dd>
          {named && shownMediaType(named.type) !== '' && (
            <>
              <dt>{text.t('pageFileType')}</dt>
              <dd>
                <bdi id="opened-type">{shownMediaType(named.type)}</bdi>
              </dd>
            </>
          )}
          <dt>{text.t('pageFileSize')}</dt>
          <dd>{text.bytes(bytes)}</dd>
        </dl>
      )}
      {plain ? (
        <pre class="opened" id="opened-text" dir="auto" tabIndex={0} aria-labelledby="opened-title">
          {plain.shown}
        </pre>
      ) : (
        <p>{contents ? text.t('openedNotText') : text.t('openedTooLong', text.bytes(bytes))}</p>
      )}
      {plain?.isCut && <p class="hint">{text.t('openedBeginning')}</p>}
      {plain?.hidesSome && <p class="hint">{text.t('readerHidden')}</p>}
      {words && (
        <Banner tone="error" id="save-problem">
          {text.t(words)}
        </Banner>
      )}
      <Working id="save-opened" label={text.t('openFileWorking')} work={work} />
      <div class="actions">
        {plain && <CopyButton value={plain.whole} label={text.t('copyText')} />}
        <Button
          id="save-opened"
          busy={work.action.busy}
          icon={<Download size={16} aria-hidden="true" />}
          onClick={start}
        >
          {text.t('openedSave')}
        </Button>
      </div>
      <p id="opened-saved" role="status">
        {isSaved && text.t('pageSaved', name)}
      </p>
    </section>
  );
}
