import { useState } from 'preact/hooks';
import { LockKeyhole } from 'lucide-preact';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { SaveButton } from '../../ui/components/copy-button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import { AudienceChoice } from '../../views/audience/audience-choice.tsx';
import { audienceProblem } from '../../views/audience/audience.ts';
import { ToldWords } from '../../views/audience/told-words.tsx';
import { useAgeRecipients } from '../../views/audience/age-recipients.tsx';
import { useAudience } from '../../views/audience/use-audience.ts';
import { useToldPassphrase } from '../../views/audience/use-told-passphrase.ts';
import { sealedFor } from '../screens.ts';
import { FileField } from '../forms/file-field.tsx';
import type { FileSealing } from './use-seal-file.ts';
import { Working } from './working.tsx';

/** Form that seals a file, for the user, for contacts, for a person without Sealwright or for people who use age, and saves the result. */
export function SealFile({ sealing }: { readonly sealing: FileSealing }) {
  const text = useText();
  const audience = useAudience(null, sealedFor(location.hash));
  const told = useToldPassphrase(audience.value.who === 'words');
  const age = useAgeRecipients();
  const [isChecked, setChecked] = useState(false);
  const { work, file, sealed } = sealing;
  const problem = audienceProblem(audience.value);
  return (
    <form
      class="stack card"
      id="seal-form"
      aria-labelledby="seal-file-title"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!problem) sealing.start(audience.value, told, age);
      }}
    >
      <h2 id="seal-file-title">{text.t('sealFileTitle')}</h2>
      <p class="muted">{text.t('sealFileLead')}</p>
      <FileField
        id="seal-file"
        label={text.t('sealFileFile')}
        file={file}
        onChoose={sealing.change}
      />
      {audience.ready && (
        <AudienceChoice
          {...audience}
          told={told}
          age={age}
          error={isChecked && problem ? text.t(problem) : undefined}
        />
      )}
      <ErrorBanner error={work.action.error} />
      <Working id="seal-file" label={text.t('sealFileWorking')} work={work} stamps />
      {sealed && (
        <Banner tone="good" id="file-sealed" title={text.t('sealFileDone')}>
          <p>{text.t('sealFileSaved', plainText(sealed.name, 120))}</p>
          <SaveButton
            id="save-sealed-file"
            label={text.t('sealFileSaveAgain')}
            fileName={sealed.name}
            contents={sealed.blob}
            onSave={sealing.onSave}
          />
        </Banner>
      )}
      {sealed?.passphrase !== undefined && (
        <ToldWords
          passphrase={sealed.passphrase}
          sentence={text.t('toldSentenceFile', plainText(sealed.name, 120))}
        />
      )}
      <div class="actions">
        <Button
          id="seal-file-now"
          type="submit"
          variant="primary"
          busy={work.action.busy || !audience.ready}
          icon={<LockKeyhole size={18} aria-hidden="true" />}
        >
          {text.t('sealFileNow')}
        </Button>
      </div>
    </form>
  );
}
