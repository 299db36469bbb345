import { useState } from 'preact/hooks';
import { Download } from 'lucide-preact';
import type {
  UiDeviceFiles,
  UiFilesReport,
  UiMedium,
} from '../../../src/rpc/methods/ui-devices.ts';
import type { DeviceFolder } from '../../platform/storage/device-folder.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useToast } from '../../ui/components/announcer.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { download } from '../../ui/environment/download.ts';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { Query } from '../../ui/hooks/use-query.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { CodeOfCircle } from './code-of-circle.tsx';
import { DeviceFolderPart } from './device-folder.tsx';
import { contentsOf, type Exchanged } from './file-exchange.ts';

interface DeviceFilesProps extends Query<UiDeviceFiles> {
  readonly folder: DeviceFolder | null;
  /** How the recovery code stands; undefined where the exchange through the browser's sync tells it. */
  readonly code: UiMedium['code'] | undefined;
}

/** The exchange with the other devices by files; nothing for a device that is alone. */
export function DeviceFiles({ data: files, reload, folder, code }: DeviceFilesProps) {
  const text = useText();
  const [last, setLast] = useState<Exchanged>();
  if (!files) return null;
  if (!files.isInCircle) return null;
  const show = async (exchanged: Exchanged | undefined) => {
    await reload(); // The lists above grow before the choice below them comes.
    setLast(exchanged);
  };
  return (
    <section class="stack" aria-labelledby="device-files-title" id="device-files">
      <h2 id="device-files-title">{text.t('deviceFilesTitle')}</h2>
      <p class="muted">{text.t('deviceFilesMore')}</p>
      <Copies copies={files.copies} onChange={reload} />
      <DeviceFolderPart kept={folder} onExchanged={show} />
      <OwnFile madeAt={files.madeAt} onMade={reload} />
      {code && <CodeOfCircle standing={code} isByFiles onChange={reload} />}
      <OtherFiles onTaken={show} />
      <div aria-live="polite" class="stack">
        {last && <Report report={last.report} />}
      </div>
      {last?.report.other && <Choice exchanged={last} onChosen={show} />}
    </section>
  );
}

/** Saves this device's file among the downloads. */
export function OwnFile({
  madeAt,
  onMade,
}: Pick<UiDeviceFiles, 'madeAt'> & { onMade: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const { name, file } = await ui.call('ui.makeDeviceFile', {});
      download(name, new Blob([file as BlobPart]));
      await onMade();
    });
  return (
    <>
      <div>
        <Button
          id="device-file-save"
          icon={<Download size={16} aria-hidden="true" />}
          busy={action.busy}
          onClick={save}
        >
          {text.t('deviceFileSave')}
        </Button>
      </div>
      <p class="hint" id="device-file-saved">
        {madeAt === null
          ? text.t('deviceFileReplaces')
          : text.t('deviceFileMade', text.moment(madeAt))}
      </p>
      <ErrorBanner error={action.error} />
    </>
  );
}

interface TakenProps {
  readonly onTaken: (exchanged: Exchanged) => Promise<void>;
}

/** A field for the files of all other devices. No button is needed: taking them twice changes nothing. */
function OtherFiles({ onTaken }: TakenProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const field = useChosenFile({
    maxBytes: Infinity,
    missing: 'deviceFilesTooLarge',
    tooLarge: 'deviceFilesTooLarge',
  });
  const take = () =>
    action.run(async () => {
      // What is chosen meanwhile is taken as well.
      for (let chosen = field.all(); chosen.length > 0; chosen = field.all()) {
        const files = await contentsOf(chosen);
        if (files === undefined) {
          field.refuse('deviceFilesTooLarge');
          return;
        }
        const report = await ui.call('ui.takeDeviceFiles', { files });
        await onTaken({ files, report });
        if (field.all()[0] === chosen[0]) field.clear();
      }
    });
  return (
    <>
      <FileField
        id="device-files-taken"
        label={text.t('deviceFilesChoose')}
        hint={text.t('deviceFilesChooseHint')}
        file={field}
        isMultiple
        onChoose={take}
      />
      <ErrorBanner error={action.error} />
    </>
  );
}

type NotTaken = keyof UiFilesReport['notTaken'];
type Told = keyof UiFilesReport['told'];

const NOT_TAKEN: Readonly<Record<NotTaken, MessageKey>> = {
  damaged: 'deviceFilesDamaged',
  unreached: 'deviceFilesUnreached',
  older: 'deviceFilesOlder',
  refused: 'deviceFilesRefused',
};
const TOLD: Readonly<Record<Told, MessageKey>> = {
  wentBack: 'deviceFilesWentBack',
  late: 'deviceFilesLate',
};

/** What became of the files. */
function Report({ report: { taken, notTaken, told, isDue } }: { readonly report: UiFilesReport }) {
  const text = useText();
  const kinds = (Object.keys(NOT_TAKEN) as NotTaken[]).filter((kind) => notTaken[kind] > 0);
  const toldOf = (Object.keys(TOLD) as Told[]).filter((kind) => told[kind].length > 0);
  return (
    <>
      <Banner tone={taken.length > 0 ? 'good' : 'info'} id="device-files-report">
        <p>
          {taken.length > 0
            ? text.t('deviceFilesTaken', text.list(taken))
            : text.t('deviceFilesNone')}
        </p>
        {isDue && <p id="device-files-due">{text.t('deviceFilesDue')}</p>}
        {kinds.map((kind) => (
          <p key={kind} id={`device-files-${kind}`}>
            {text.t(NOT_TAKEN[kind], notTaken[kind])}
          </p>
        ))}
      </Banner>
      {toldOf.map((kind) => (
        <Banner key={kind} tone="warning" id={`device-files-${kind}`}>
          <p>{text.t(TOLD[kind], text.list(told[kind]))}</p>
        </Banner>
      ))}
    </>
  );
}

/** Where the devices do not agree, the person says which list of them holds. */
function Choice({
  exchanged: { files, report },
  onChosen,
}: {
  readonly exchanged: Exchanged;
  readonly onChosen: (exchanged: Exchanged) => Promise<void>;
}) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const ask = useAskPassphrase();
  const other = report.other!;
  const choose = (holds: 'own' | 'other') => () =>
    action.run(async () => {
      const [title, more] = WORDS_OF_CHOICE[holds];
      const question = { title: text.t(title), detail: <p>{text.t(more)}</p> };
      let chosen: UiFilesReport | undefined;
      const isDone = await ask(question, async (by) => {
        chosen = await ui.call('ui.chooseByFiles', { by, files: [...files], other, holds });
      });
      if (!isDone) return;
      toast(text.t('done'));
      focusTitle();
      await onChosen({ files, report: chosen! });
    });
  return (
    <Banner tone="warning" id="device-files-forked">
      <p>{text.t('deviceFilesForked')}</p>
      <div class="actions">
        <Button id="device-files-own" busy={action.busy} onClick={choose('own')}>
          {text.t('browserSyncKeepOwn')}
        </Button>
        <Button id="device-files-other" busy={action.busy} onClick={choose('other')}>
          {text.t('browserSyncTakeOther')}
        </Button>
      </div>
      <ErrorBanner error={action.error} />
    </Banner>
  );
}

const WORDS_OF_CHOICE = {
  own: ['browserSyncKeepOwn', 'deviceFilesKeepOwnMore'],
  other: ['browserSyncTakeOther', 'browserSyncTakeOtherMore'],
} as const satisfies Record<string, readonly [MessageKey, MessageKey]>;

/** As whom two devices write, until the person has read it. */
function Copies({
  copies,
  onChange,
}: Pick<UiDeviceFiles, 'copies'> & { onChange: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  if (copies.length === 0) return null;
  const read = () =>
    action.run(async () => {
      await ui.call('ui.readCopies', {});
      focusTitle();
      await onChange();
    });
  const names = copies.map(({ name }) => name);
  return (
    <Banner
      tone="warning"
      title={text.t('deviceFilesCopied', text.list(names))}
      id="device-files-copied"
    >
      <p>{text.t('deviceFilesCopiedMore')}</p>
      <div>
        <Button id="device-files-copies-read" busy={action.busy} onClick={read}>
          {text.t('done')}
        </Button>
      </div>
      <ErrorBanner error={action.error} />
    </Banner>
  );
}
