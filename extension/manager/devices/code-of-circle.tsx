import { useRef, useState } from 'preact/hooks';
import { MAX_RECOVERY_CODE_CHARACTERS } from '../../../src/rpc/limits.ts';
import type { UiMedium } from '../../../src/rpc/methods/ui-devices.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { FilesOfDevices, type ChosenFiles } from './files-of-devices.tsx';
import { FoundFault, type Found } from './found-circle.tsx';

type Standing = UiMedium['code'];

const WORDS: Readonly<Record<Standing, MessageKey>> = {
  none: 'openerNone',
  unknown: 'openerUnknown',
  waiting: 'openerWaiting',
  full: 'openerFull',
  member: 'openerMember',
};

/** Where devices exchange by files alone. */
const BY_FILES: Readonly<Partial<Record<Standing, MessageKey>>> = {
  waiting: 'openerFileWaiting',
  member: 'openerFileMember',
};

interface CodeOfCircleProps {
  readonly standing: Standing;
  readonly isByFiles?: boolean;
  readonly onChange: () => Promise<void>;
}

/**
 * Whether the recovery code of this device opens its keys in a new browser. One that was made before is entered once; one that
 * does is tried on what the browser has synced, or on files, which changes nothing.
 */
export function CodeOfCircle({ standing, isByFiles = false, onChange }: CodeOfCircleProps) {
  const { text } = useEnvironment();
  return (
    <>
      <p id="circle-code-standing" data-standing={standing}>
        {text.t((isByFiles && BY_FILES[standing]) || WORDS[standing])}
      </p>
      {(standing === 'unknown' || standing === 'member') && (
        <CodeForm isKnown={standing === 'member'} isByFiles={isByFiles} onChange={onChange} />
      )}
    </>
  );
}

interface CodeFormProps extends Pick<CodeOfCircleProps, 'onChange'> {
  readonly isKnown: boolean;
  readonly isByFiles: boolean;
}

function CodeForm({ isKnown, isByFiles, onChange }: CodeFormProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const [code, setCode] = useState('');
  const [found, setFound] = useState<Found>();
  const [isWrong, setWrong] = useState(false);
  const [chosen, setChosen] = useState<ChosenFiles>();
  const form = useRef<HTMLFormElement>(null);
  const takesFiles = isKnown && isByFiles;
  const type = (value: string) => {
    setCode(value);
    setFound(undefined);
    setWrong(false);
  };
  const check = async () => {
    const answer = await ui.call('ui.lookAtMedium', {
      by: { recoveryCode: code },
      ...(chosen && { files: chosen.contents }),
    });
    type('');
    setFound(answer);
  };
  const enter = async () => {
    try {
      await ui.call('ui.confirmRecoveryCode', { code });
    } catch (error) {
      if (errorCode(error) !== 'AUTH_FAILED') throw error;
      setWrong(true);
      return;
    }
    type('');
    await onChange();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (code === '') return;
    if (takesFiles && !chosen) form.current?.querySelector<HTMLElement>('[type="file"]')?.focus();
    else action.run(isKnown ? check : enter);
  };
  return (
    <form class="stack" ref={form} onSubmit={submit}>
      <TextField
        id="circle-code"
        label={text.t('slotRecoveryCode')}
        maxLength={MAX_RECOVERY_CODE_CHARACTERS}
        value={code}
        error={isWrong ? text.t('openerNotOwn') : undefined}
        onInput={type}
      />
      {takesFiles && (
        <FilesOfDevices
          chosen={chosen}
          onChoose={(files) => {
            setChosen(files);
            setFound(undefined);
          }}
        />
      )}
      <div aria-live="polite">{found && <Checked found={found} files={chosen?.files} />}</div>
      <ErrorBanner error={action.error} />
      <div>
        <Button id="circle-code-done" type="submit" busy={action.busy}>
          {text.t(isKnown ? 'openerCheck' : 'openerEnter')}
        </Button>
      </div>
    </form>
  );
}

interface CheckedProps {
  readonly found: Found;
  readonly files: readonly File[] | undefined;
}

function Checked({ found, files }: CheckedProps) {
  const { text } = useEnvironment();
  if (found.outcome !== 'opened') {
    return <FoundFault fault={found.outcome} files={files} places={found.files} />;
  }
  return (
    <Banner tone="good" id="circle-code-works" title={text.t('openerChecked')}>
      <p>{text.t('arrivalCounts', found.keys, found.contacts)}</p>
    </Banner>
  );
}
