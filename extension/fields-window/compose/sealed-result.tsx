import type { FieldInsertOutcome } from '../../../src/rpc/methods/ui-fields.ts';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton } from '../../ui/components/copy-button.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { useFieldSessionEnvironment } from '../environment.ts';
import type { Sealed } from './use-sealing.ts';

interface SealedResultProps {
  readonly title: string;
  readonly sealed: Sealed;
}

/** The sealed text, whether it was inserted or copied, and a button that copies it. */
export function SealedResult({ title, sealed }: SealedResultProps) {
  const text = useText();
  const { closeWindow } = useFieldSessionEnvironment();
  const { armored, outcome } = sealed;
  const former = outcome?.former ?? '';
  // Where the text did not get into the field, copying it is the way that is left.
  const isLeft = outcome !== null && !outcome.inserted;
  return (
    <View title={title}>
      <Outcome sealed={sealed} />
      <Field id="sealed-text" label={text.t('sealedText')}>
        {(attributes) => <textarea {...attributes} dir="ltr" rows={5} readOnly value={armored} />}
      </Field>
      {former === '' ? null : <Former text={former} />}
      <div class="actions">
        {isLeft && <CopyButton value={armored} label={text.t('copyText')} variant="primary" />}
        <Button id="done" variant={isLeft ? 'plain' : 'primary'} onClick={closeWindow}>
          {text.t('close')}
        </Button>
        {!isLeft && <CopyButton value={armored} label={text.t('copyText')} />}
      </div>
    </View>
  );
}

/** What the field held before its page changed it. */
function Former({ text: former }: { readonly text: string }) {
  const text = useText();
  return (
    <>
      <Field id="former-text" label={text.t('formerText')}>
        {(attributes) => <textarea {...attributes} dir="auto" rows={3} readOnly value={former} />}
      </Field>
      <div class="actions">
        <CopyButton value={former} label={text.t('copyText')} />
      </div>
    </>
  );
}

function Outcome({ sealed }: Pick<SealedResultProps, 'sealed'>) {
  const text = useText();
  const { armored, outcome, copied } = sealed;
  if (outcome === null) {
    return copied ? (
      <Banner tone="good" id="sealed-copied" title={text.t('sealCopied')}>
        <p>{text.t('sealCopiedHint')}</p>
      </Banner>
    ) : null;
  }
  if (outcome.inserted) {
    return (
      <Banner tone="good" id="sealed-inserted" title={text.t('sealInserted')}>
        <p>{text.t('sealInsertedHint')}</p>
      </Banner>
    );
  }
  return (
    <Banner tone="warning" id="sealed-not-inserted" title={text.t('sealNotInserted')}>
      <p>{reasonWords(outcome, armored.length, text)}</p>
    </Banner>
  );
}

const REASONS = {
  refused: 'insertRefused',
  altered: 'insertAltered',
  'read-only': 'insertReadOnly',
  gone: 'insertGone',
  changed: 'insertChanged',
  forbidden: 'insertForbidden',
} as const;

function reasonWords(
  { reason, limit }: FieldInsertOutcome,
  characters: number,
  text: Text,
): string {
  if (reason === 'too-long') return text.t('insertTooLong', characters, limit ?? 0);
  return text.t(REASONS[reason ?? 'refused']);
}
