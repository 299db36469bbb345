import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ClipboardCopy, LockKeyhole } from 'lucide-preact';
import type { OpenedField, UiFieldSession } from '../../../src/rpc/methods/ui-fields.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { OriginName } from '../../ui/components/origin-name.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { AlwaysSeal } from './always-seal.tsx';
import { AudienceChoice } from '../../views/audience/audience-choice.tsx';
import { audienceProblem } from '../../views/audience/audience.ts';
import { SealedResult } from './sealed-result.tsx';
import { useAudience } from '../../views/audience/use-audience.ts';
import { useSealing } from './use-sealing.ts';
import { useWriting } from './use-writing.ts';
import { useFieldSessionEnvironment } from '../environment.ts';
import { FramePermission } from '../frame-permission.tsx';

interface ComposeViewProps {
  readonly session: UiFieldSession;
  /** The text that the field holds sealed, if that is to be edited. */
  readonly edited?: OpenedField | undefined;
  readonly onReached: (session: UiFieldSession) => void;
}

const TITLES: Readonly<Record<UiFieldSession['kind'], MessageKey>> = {
  write: 'composeTitle',
  seal: 'sealThisField',
  open: 'editTitle',
  stopped: 'stoppedTitle',
};

/**
 * Write a text where the page cannot read it, edit the one that a field holds sealed, or seal the text
 * of a field; then insert or copy it.
 */
export function ComposeView({ session, edited, onReached }: ComposeViewProps) {
  const text = useText();
  const writing = useWriting(session, edited);
  // An edited text stays under its key, if the user does not choose another.
  const audience = useAudience(edited?.key?.ref ?? session.ref);
  const sealing = useSealing(session, writing.clear, writing.detach);
  const [checked, setChecked] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  // To write at once. What a field holds already is to be read first.
  useLayoutEffect(() => {
    if (session.kind !== 'seal') area.current?.focus();
  }, [session.kind, audience.ready]);
  const isSeal = session.kind === 'seal';
  const title = text.t(TITLES[session.kind]);
  if (sealing.sealed) return <SealedResult title={title} sealed={sealing.sealed} />;
  if (session.field === 'protected') return <ProtectedField title={title} />;
  if (!audience.ready) return <Loading />;
  const problem = audienceProblem(audience.value);
  const missing = writing.text === '';
  const seal = (to: 'field' | 'clipboard') => {
    setChecked(true);
    if (!missing && !problem) sealing.start(writing.text, audience.value, to);
  };
  const { busy, error } = sealing.action;
  return (
    <View title={title} focusHeading={isSeal}>
      {session.origin !== null && <OriginName origin={session.origin} />}
      {isSeal && session.field === 'there' && <SealWarning />}
      <FieldNotice
        session={session}
        onReached={(reached) => {
          writing.adopt(reached);
          onReached(reached);
        }}
      />
      {edited?.shared && (
        <Banner tone="info" id="edit-shared">
          <p>{text.t('editShared')}</p>
        </Banner>
      )}
      <Field
        id="compose"
        label={text.t('composeText')}
        hint={isSeal ? undefined : text.t(edited ? 'editHint' : 'composeHint')}
        error={checked && missing ? text.t('composeMissing') : undefined}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            ref={area}
            dir="auto"
            rows={8}
            value={writing.text}
            onInput={(event) => writing.change(event.currentTarget.value)}
          />
        )}
      </Field>
      <AudienceChoice {...audience} error={checked && problem ? text.t(problem) : undefined} />
      <AlwaysSeal session={session} chosenRef={audience.value.ref} />
      <ErrorBanner error={error} />
      <div class="actions">
        {session.field === 'there' && (
          <Button
            id="seal-insert"
            variant="primary"
            busy={busy}
            icon={<LockKeyhole size={18} aria-hidden="true" />}
            onClick={() => seal('field')}
          >
            {text.t('sealAndInsert')}
          </Button>
        )}
        <Button
          id="seal-copy"
          variant={session.field === 'there' ? 'plain' : 'primary'}
          busy={busy}
          icon={<ClipboardCopy size={18} aria-hidden="true" />}
          onClick={() => seal('clipboard')}
        >
          {text.t('sealAndCopy')}
        </Button>
      </div>
    </View>
  );
}

function SealWarning() {
  const text = useText();
  return (
    <Banner tone="warning" id="seal-warning" title={text.t('sealWarningTitle')}>
      <p>{text.t('sealWarning')}</p>
    </Banner>
  );
}

function ProtectedField({ title }: { readonly title: string }) {
  const text = useText();
  const { closeWindow } = useFieldSessionEnvironment();
  return (
    <View title={title}>
      <Banner tone="info" id="protected">
        <p>{text.t('insertForbidden')}</p>
      </Banner>
      <div class="actions">
        <Button id="done" variant="primary" onClick={closeWindow}>
          {text.t('close')}
        </Button>
      </div>
    </View>
  );
}

interface FieldNoticeProps {
  readonly session: UiFieldSession;
  readonly onReached: (session: UiFieldSession) => void;
}

/** Why the sealed text can only be copied, and for a frame of another site, how to reach it. */
export function FieldNotice({ session: { field, blockedFrame }, onReached }: FieldNoticeProps) {
  const text = useText();
  if (field === 'there') return null;
  if (blockedFrame !== null) return <FramePermission frame={blockedFrame} onReached={onReached} />;
  return (
    <Banner tone="info" id="no-field">
      <p>{text.t(field === 'gone' ? 'pageGone' : 'noField')}</p>
    </Banner>
  );
}
