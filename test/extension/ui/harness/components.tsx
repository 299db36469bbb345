import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Inbox, Lock, Trash2 } from 'lucide-preact';
import { Advanced } from '../../../../extension/ui/components/advanced.tsx';
import { Announcer, useToast } from '../../../../extension/ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../../../extension/ui/components/banner.tsx';
import { ArmingHint, Button } from '../../../../extension/ui/components/buttons/button.tsx';
import { ConfirmButton } from '../../../../extension/ui/components/buttons/confirm-button.tsx';
import { RowMenu } from '../../../../extension/ui/components/buttons/row-menu.tsx';
import { CopyButton, SaveButton } from '../../../../extension/ui/components/copy-button.tsx';
import { EmptyState } from '../../../../extension/ui/components/empty-state.tsx';
import { CheckField } from '../../../../extension/ui/components/forms/check-field.tsx';
import { Field } from '../../../../extension/ui/components/forms/field.tsx';
import { PassphraseField } from '../../../../extension/ui/components/forms/passphrase-field.tsx';
import { RadioList } from '../../../../extension/ui/components/forms/radio-list.tsx';
import { RenameForm } from '../../../../extension/ui/components/forms/rename-form.tsx';
import { Select } from '../../../../extension/ui/components/forms/select.tsx';
import { TextField } from '../../../../extension/ui/components/forms/text-field.tsx';
import { WithPicture } from '../../../../extension/ui/components/install-picture.tsx';
import { Loading, Progress } from '../../../../extension/ui/components/loading.tsx';
import { OriginName } from '../../../../extension/ui/components/origin-name.tsx';
import { SealingKeyChoice } from '../../../../extension/ui/components/sealing-key.tsx';
import { View } from '../../../../extension/ui/components/view.tsx';
import { useText } from '../../../../extension/ui/environment/environment.ts';
import { TONE_NAMES, ToneDot } from '../../../../extension/ui/picture/tones.tsx';
import { strengthOf } from '../../../../extension/views/unlock/strength.ts';
import { StrengthMeter } from '../../../../extension/views/unlock/strength-meter.tsx';
import { SealwrightError } from '../../../../src/rpc/errors.ts';

/*
 * Every component of extension/ui/components in every state, on one page: the parts that a view is made of. It is the
 * scene `components` (scenes.ts), which `npm run look -- components` draws in light, dark, forced colours, and from right
 * to left. components.test.ts holds that none is missing.
 */

const none = (): void => undefined;
const HOLDS = { id: 'x', value: 'Family photos', onInput: none } as const;

/** The page. */
export function Components() {
  const text = useText();
  return (
    <Announcer>
      <main>
        <View title="Components">
          <Part title="Text">
            <p class="lead">{text.t('tryLead')}</p>
            <h2>{text.t('backupTitle')}</h2>
            <p>{text.t('backupWhy')}</p>
            <p class="muted">{text.t('useBackupLead')}</p>
            <p class="hint">{text.t('backupPassphraseHint')}</p>
          </Part>
          <Buttons />
          <Banners />
          <Fields />
          <Choices />
          <Rows />
          <Waiting />
          <Pictures />
        </View>
      </main>
    </Announcer>
  );
}

interface PartProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function Part({ title, children }: PartProps) {
  return (
    <section class="stack card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Buttons() {
  const text = useText();
  const toast = useToast();
  const icon = <Lock size={18} aria-hidden="true" />;
  return (
    <Part title="Buttons">
      {[{}, { busy: true }, { unavailable: true }].map((state) => (
        <div class="actions" key={JSON.stringify(state)}>
          {(['primary', 'plain', 'danger', 'quiet'] as const).map((variant) => (
            <Button key={variant} variant={variant} icon={icon} {...state}>
              {text.t('lockNow')}
            </Button>
          ))}
        </div>
      ))}
      <Button variant="primary" class="wide" icon={icon}>
        {text.t('unlock')}
      </Button>
      <div class="actions">
        <CopyButton value="" label={text.t('copyText')} />
        <SaveButton id="save" label={text.t('save')} fileName="x" contents="" />
        <Button id="show-toast" onClick={() => toast(text.t('saved'), () => Promise.resolve())}>
          {text.t('save')}
        </Button>
      </div>
      <ArmingHint wasEarly />
      <div class="row">
        <div class="row-main">
          <p class="row-title">{text.t('keyArchived')}</p>
        </div>
        <ConfirmButton
          label={text.t('revoke')}
          describe={text.t('revoke')}
          question={text.t('revokeQuestion')}
          confirm={text.t('revoke')}
          busy={false}
          icon={<Trash2 size={16} aria-hidden="true" />}
          onConfirm={none}
        />
      </div>
    </Part>
  );
}

function Banners() {
  const text = useText();
  return (
    <Part title="Banners">
      {(['info', 'good', 'warning'] as const).map((tone) => (
        <Banner key={tone} tone={tone} title={text.t('backupNone')}>
          <p>{text.t('backupWhy')}</p>
        </Banner>
      ))}
      <ErrorBanner error={new SealwrightError('LOCKED', '')} />
    </Part>
  );
}

function Fields() {
  const text = useText();
  const input = useRef<HTMLInputElement>(null);
  const secret = {
    label: text.t('passphrase'),
    autocomplete: 'current-password',
    value: 'violet tractor lantern',
    onReveal: none,
    onInput: none,
    inputRef: input,
  } as const;
  return (
    <Part title="Fields">
      <TextField {...HOLDS} id="plain" label={text.t('keyLabel')} hint={text.t('keyNoteHint')} />
      <TextField
        {...HOLDS}
        id="wrong"
        label={text.t('keyLabel')}
        error={text.t('keyLabelMissing')}
      />
      <Field id="area" label={text.t('composeText')}>
        {(attributes) => <textarea {...attributes} rows={2} value={text.t('tryLead')} />}
      </Field>
      <PassphraseField {...secret} id="secret" revealed={false} pictured />
      <PassphraseField {...secret} id="seen" revealed error={text.t('wrongPassphrase')} />
      <StrengthMeter strength={strengthOf(1e13)} />
      <StrengthMeter strength={strengthOf(10)} />
      <RenameForm
        id="rename"
        label={text.t('contactName')}
        missing={text.t('keyLabelMissing')}
        name="Robin"
        onSave={() => Promise.resolve()}
        onDone={none}
      />
    </Part>
  );
}

function Choices() {
  const text = useText();
  const [chosen, setChosen] = useState('one');
  const [isOn, setOn] = useState(true);
  const options = [
    { value: 'one', label: text.t('navKeys'), extra: <p class="hint">{text.t('backupWhy')}</p> },
    { value: 'two', label: text.t('navContacts'), detail: text.t('navSites') },
  ];
  return (
    <Part title="Choices">
      <Select
        id="select"
        label={text.t('sealWithKey')}
        value={chosen}
        options={options}
        onChange={setChosen}
      />
      <SealingKeyChoice keys={[]} value="" onChange={none} />
      <RadioList
        name="radio"
        legend={text.t('sealWithKey')}
        options={options}
        value={chosen}
        onChange={setChosen}
      />
      <CheckField
        id="check"
        label={text.t('alwaysSeal')}
        hint={text.t('siteMarksHint')}
        checked={isOn}
        onChange={setOn}
      />
      <Advanced id="advanced-part">
        <p>{text.t('backupWhy')}</p>
      </Advanced>
    </Part>
  );
}

function Rows() {
  const text = useText();
  const icon = <Trash2 size={16} aria-hidden="true" />;
  const ask = { question: text.t('contactRemoveQuestion', 'Robin'), confirm: text.t('keyDelete') };
  const actions = [
    { name: 'rename', label: text.t('rename'), icon, onChoose: none },
    { name: 'delete', label: text.t('keyDelete'), icon, onChoose: none, ask },
  ];
  return (
    <Part title="Rows">
      <ul class="rows">
        {TONE_NAMES.map((tone) => (
          <li class="row" key={tone}>
            <div class="row-main">
              <p class="row-title">
                <ToneDot tone={tone} />
                Family photos
              </p>
              <p class="row-detail">{text.plural('keySealed', 6)}</p>
            </div>
            <div class="row-actions">
              <Button variant="quiet">{text.t('keyEdit')}</Button>
              <RowMenu label={text.t('moreNamed', tone)} items={actions} busy={tone === 'grey'} />
            </div>
          </li>
        ))}
      </ul>
      <dl class="facts">
        <dt>{text.t('backupLastMade')}</dt>
        <dd>{text.relative(Date.now() - 7_200_000)}</dd>
      </dl>
      <EmptyState id="none" icon={Inbox} action={text.t('contactAddTitle')} onAction={none}>
        {text.t('sealNoContacts')}
      </EmptyState>
    </Part>
  );
}

function Waiting() {
  const text = useText();
  return (
    <Part title="Waiting">
      <Loading />
      <Progress label={text.t('creatingVault')} value={0.4} />
      <Progress label={text.t('creatingVault')} stamps />
    </Part>
  );
}

function Pictures() {
  return (
    <Part title="Picture and origin">
      <WithPicture caption="pictureHint" />
      <WithPicture caption="pictureExplained" isHero />
      <OriginName origin="https://notes.example.org" />
      <OriginName origin="https://xn--bcher-kva.example" />
    </Part>
  );
}
