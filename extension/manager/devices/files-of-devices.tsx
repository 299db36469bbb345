import { useState } from 'preact/hooks';
import { DeviceFolder } from '../../platform/storage/device-folder.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import { contentsOf } from './file-exchange.ts';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';

const NAME_CHARACTERS = 120;

/** Files that a recovery code is tried on. */
export interface ChosenFiles {
  readonly files: readonly File[];
  readonly contents: Uint8Array[];
  /** Where they lie, if a folder was chosen: it is kept once the keys are here. */
  readonly folder: DeviceFolder | undefined;
}

interface FilesOfDevicesProps {
  readonly chosen: ChosenFiles | undefined;
  /** Called with what was chosen instead; undefined for nothing, and for more than is read. */
  readonly onChoose: (chosen: ChosenFiles | undefined) => void;
  /** Whether a folder can be chosen, which is kept afterwards. */
  readonly takesFolder?: boolean;
}

/** A field for the files of the person's devices, and where the browser lets a page keep one, a button for their folder. */
export function FilesOfDevices({ chosen, onChoose, takesFolder = false }: FilesOfDevicesProps) {
  const text = useText();
  const action = useAction();
  const [problem, setProblem] = useState<MessageKey>();
  const field = useChosenFile({
    maxBytes: Infinity,
    missing: 'deviceFilesTooLarge',
    tooLarge: 'deviceFilesTooLarge',
  });
  const read = async (files: readonly File[], folder?: DeviceFolder) => {
    setProblem(undefined);
    const contents = await contentsOf(files);
    const isNothing = files.length === 0 && !folder;
    onChoose(contents && !isNothing ? { files, contents, folder } : undefined);
    if (contents) return;
    if (folder) setProblem('deviceFilesTooLarge');
    else field.refuse('deviceFilesTooLarge');
  };
  const take = () =>
    action.run(async () => {
      let files: readonly File[];
      do {
        files = field.all();
        await read(files);
      } while (field.all()[0] !== files[0]); // what is chosen meanwhile
    });
  const chooseFolder = () =>
    action.run(async () => {
      const folder = await DeviceFolder.choose();
      if (!folder) return;
      field.clear();
      try {
        await read(await folder.files(), folder);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        onChoose(undefined);
        setProblem('deviceFolderFails');
      }
    });
  return (
    <>
      <FileField
        id="arrival-files"
        label={text.t('arrivalFiles')}
        hint={text.t('arrivalFilesHint')}
        file={field}
        isMultiple
        isReadAtOnce
        onChoose={take}
      />
      {takesFolder && DeviceFolder.isSupported() && (
        <div>
          <Button id="arrival-folder" variant="quiet" busy={action.busy} onClick={chooseFolder}>
            {text.t('deviceFolderChoose')}
          </Button>
        </div>
      )}
      {chosen?.folder && (
        <p id="arrival-folder-name">
          {text.t('deviceFolderIs', plainText(chosen.folder.name, NAME_CHARACTERS))}
        </p>
      )}
      {problem && (
        <Banner tone="warning" id="arrival-folder-problem">
          <p>{text.t(problem)}</p>
        </Banner>
      )}
      <ErrorBanner error={action.error} />
    </>
  );
}
