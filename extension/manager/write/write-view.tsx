import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LockKeyhole, PenLine } from 'lucide-preact';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import { MAX_SEALED_TEXT_BYTES } from '../../../src/rpc/methods/ui-files.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton, SaveButton } from '../../ui/components/copy-button.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import { AudienceChoice } from '../../views/audience/audience-choice.tsx';
import { audienceProblem } from '../../views/audience/audience.ts';
import { ToldWords } from '../../views/audience/told-words.tsx';
import { useAgeRecipients } from '../../views/audience/age-recipients.tsx';
import { useAudience } from '../../views/audience/use-audience.ts';
import { sealedTo, useToldPassphrase } from '../../views/audience/use-told-passphrase.ts';
import { ageArmored } from '../files/age-file.ts';
import { sealAge, sealFile } from '../files/file-work.ts';
import { useFileWork } from '../files/use-file-work.ts';

/** A sealed text. */
interface Written {
  readonly armored: string;
  /** What a person without Sealwright opens it with; undefined for the user and for contacts. */
  readonly passphrase: string | undefined;
}

/** A text for the user, for contacts, for a person without Sealwright or for people who use age, sealed here and sent by any way. */
export function WriteView() {
  const text = useText();
  const [sealed, setSealed] = useState<Written>();
  return (
    <View title={text.t('writeTitle')}>
      <p class="muted">{text.t('writeLead')}</p>
      {sealed === undefined ? (
        <Compose onSealed={setSealed} />
      ) : (
        <Sealed {...sealed} onAnother={() => setSealed(undefined)} />
      )}
    </View>
  );
}

function Compose({ onSealed }: { readonly onSealed: (written: Written) => void }) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const { action, run } = useFileWork();
  const audience = useAudience(null);
  const told = useToldPassphrase(audience.value.who === 'words');
  const age = useAgeRecipients();
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const field = useRef<HTMLFormElement>(null);
  const problem = audienceProblem(audience.value);
  const wrong = isChecked ? textProblem(typed) : undefined;
  const seal = (event: Event) => {
    event.preventDefault();
    setChecked(true);
    if (textProblem(typed)) field.current?.querySelector('textarea')?.focus();
    else if (!problem) {
      run(async (hooks) => {
        const contents = new Blob([utf8Bytes(typed) as BlobPart]);
        const isAge = audience.value.who === 'age';
        const to = isAge ? {} : await sealedTo(audience.value, told, ui, text);
        if (!to) return;
        const file = isAge
          ? await age.sealing((recipients) => sealAge(contents, recipients, ui, hooks))
          : await sealFile(contents, undefined, to, ui, hooks);
        if (!file) return;
        try {
          const sealed = new Uint8Array(await file.blob.arrayBuffer());
          const armored = isAge ? ageArmored(sealed) : webArmor(sealed);
          onSealed({ armored, passphrase: to.passphrase });
        } finally {
          await file.discard();
        }
        announce(text.t('writeDone'));
      });
    }
  };
  return (
    <form class="stack card" aria-label={text.t('writeTitle')} ref={field} onSubmit={seal}>
      <Field id="write-text" label={text.t('composeText')} error={wrong && text.t(wrong)}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="auto"
            rows={6}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
      {audience.ready && (
        <AudienceChoice
          {...audience}
          told={told}
          age={age}
          error={isChecked && problem ? text.t(problem) : undefined}
        />
      )}
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id="write-seal"
          type="submit"
          variant="primary"
          busy={action.busy || !audience.ready}
          icon={<LockKeyhole size={18} aria-hidden="true" />}
        >
          {text.t('sealAgain')}
        </Button>
      </div>
    </form>
  );
}

function textProblem(typed: string): MessageKey | undefined {
  if (typed === '') return 'composeMissing';
  return utf8Bytes(typed).length > MAX_SEALED_TEXT_BYTES ? 'sealAgainTooLarge' : undefined;
}

interface SealedProps extends Written {
  readonly onAnother: () => void;
}

function Sealed({ armored, passphrase, onAnother }: SealedProps) {
  const text = useText();
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => area.current?.querySelector('textarea')?.select(), []);
  return (
    <div class="stack card" ref={area}>
      <Field
        id="written"
        label={text.t('sealedText')}
        hint={passphrase === undefined && text.t('writeDone')}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            dir="ltr"
            rows={6}
            readOnly
            spellcheck={false}
            value={armored}
          />
        )}
      </Field>
      <div class="actions">
        <CopyButton value={armored} label={text.t('copyText')} />
        {passphrase !== undefined && (
          <SaveButton
            id="save-written"
            label={text.t('sealAgainSave')}
            fileName="text.sealed.txt"
            contents={armored}
          />
        )}
        <Button
          id="write-another"
          variant="quiet"
          icon={<PenLine size={16} aria-hidden="true" />}
          onClick={onAnother}
        >
          {text.t('writeAnother')}
        </Button>
      </div>
      {passphrase !== undefined && (
        <ToldWords passphrase={passphrase} sentence={text.t('toldSentenceText')} />
      )}
    </div>
  );
}
