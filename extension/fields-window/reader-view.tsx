import { useState } from 'preact/hooks';
import type { OpenedField, UiFieldSession } from '../../src/rpc/methods/ui-fields.ts';
import { Banner, ErrorBanner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { OriginName } from '../ui/components/origin-name.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment, useText } from '../ui/environment/environment.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import { useArming } from '../ui/hooks/use-arming.ts';
import { ComposeView } from './compose/compose-view.tsx';
import { candidatesIn } from './candidates.ts';
import { useFieldSessionEnvironment } from './environment.ts';
import { FramePermission } from './frame-permission.tsx';
import { OpenedTexts } from './opened-text.tsx';
import { PasteSealed } from './paste-sealed.tsx';
import { sealedTextsIn } from './use-openings.ts';

interface ReaderViewProps {
  readonly session: UiFieldSession;
  readonly onReached: (session: UiFieldSession) => void;
}

/**
 * Opens the sealed texts of a page, in a window that the page cannot read; and pasted ones. The only
 * text of a field can be edited there.
 */
export function ReaderView({ session, onReached }: ReaderViewProps) {
  const text = useText();
  const { ui } = useEnvironment();
  const { sessionId, closeWindow } = useFieldSessionEnvironment();
  const arming = useArming();
  // Each paste has its texts, the newest first.
  const [pasted, setPasted] = useState<readonly (readonly Uint8Array[])[]>([]);
  const [edited, setEdited] = useState<OpenedField>();
  const showing = useAction();
  const [isLost, setLost] = useState(false);
  const [isSettled, setSettled] = useState(false);
  if (edited) return <ComposeView session={session} edited={edited} onReached={onReached} />;
  const paste = (content: string): boolean => {
    const texts = sealedTextsIn(content);
    if (texts.length > 0) setPasted((before) => [texts, ...before]);
    return texts.length > 0;
  };
  const show = (found: Uint8Array) =>
    showing.run(async () => {
      const candidates = candidatesIn(found);
      const { shown } = await ui.call('ui.showInField', { sessionId, found, candidates });
      if (shown) closeWindow();
      else setLost(true);
    });
  return (
    <View title={text.t('openSealed')}>
      {session.origin !== null && <OriginName origin={session.origin} />}
      {session.blockedFrame !== null && (
        <FramePermission frame={session.blockedFrame} onReached={onReached} />
      )}
      {pasted.length + session.found.length === 0 && session.blockedFrame === null && (
        <Banner tone="info" id="nothing-found">
          <p>{text.t(session.field === 'gone' ? 'readerGone' : 'readerNone')}</p>
        </Banner>
      )}
      <ErrorBanner error={showing.error} />
      {isLost && (
        <Banner tone="warning" id="not-shown">
          <p>{text.t('readerNotShown')}</p>
        </Banner>
      )}
      <ul class="stack" id="opened">
        {pasted.map((texts, place) => (
          <OpenedTexts key={pasted.length - place} texts={texts} isPressed arming={arming} />
        ))}
        <OpenedTexts
          key={session.blockedFrame?.origin ?? ''}
          texts={session.found}
          arming={arming}
          onEdit={session.editable ? setEdited : undefined}
          onShow={session.inPlace ? show : undefined}
          onSettled={() => setSettled(true)}
        />
      </ul>
      {isSettled && <PasteSealed onPaste={paste} />}
      <div class="actions">
        <Button id="done" variant="primary" onClick={closeWindow}>
          {text.t('close')}
        </Button>
      </div>
    </View>
  );
}
