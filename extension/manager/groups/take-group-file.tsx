import { useEffect, useState } from 'preact/hooks';
import { FileInput } from 'lucide-preact';
import { epochText } from '../../../src/format/groups/epoch.ts';
import {
  GROUP_FILE_BYTES_MAX,
  parseGroupFile,
  type GroupFile,
} from '../../../src/format/groups/group-file.ts';
import type { UiGroup } from '../../../src/rpc/methods/ui-contacts.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { plainName } from '../../ui/text/plain-text.ts';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';

interface TakeGroupFileProps {
  readonly groups: readonly Pick<UiGroup, 'id'>[];
  /** A group file that was dropped on the manager; another object for each drop. */
  readonly dropped: File | undefined;
  /** Called when the form has the dropped file. */
  readonly onDropTaken: () => void;
  readonly onTaken: (id: string) => Promise<void>;
}

const GROUP_FILE = {
  maxBytes: GROUP_FILE_BYTES_MAX,
  missing: 'groupFileBad',
  tooLarge: 'groupFileBad',
} as const;

/** Errors of a group file, by the error's code. */
const ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'groupFileBad',
  INVALID_ARGUMENT: 'groupFileBad',
  NEEDS_KEY: 'groupFileIncomplete',
  TOO_LARGE: 'groupNoRoom',
};

/** Form that takes a group file, of a group that is new here or of one that was changed, as a file or as a text. */
export function TakeGroupFile({ groups, dropped, onDropTaken, onTaken }: TakeGroupFileProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const file = useChosenFile(GROUP_FILE);
  const [pasted, setPasted] = useState('');
  const [wrong, setWrong] = useState<MessageKey>();
  const take = (contents: () => Promise<string>, refuse: (why: MessageKey) => void) =>
    action.run(async () => {
      setWrong(undefined);
      file.clearError();
      let id: string;
      try {
        const read = await parseGroupFile(await contents());
        id = read.id;
        const isKnown = groups.some((each) => each.id === id);
        const name = isKnown ? {} : { name: nameOf(read) };
        await ui.call('ui.takeEpochs', { id, epochs: read.epochs.map(epochText), ...name });
      } catch (error) {
        const why = ERRORS[errorCode(error)];
        if (!why) throw error;
        refuse(why);
        return;
      }
      setPasted('');
      file.clear();
      toast(text.t('groupTaken'));
      await onTaken(id);
    });
  const takeFile = () => {
    const chosen = file.take();
    if (chosen) take(() => chosen.text(), file.refuse);
  };
  useEffect(() => {
    if (!dropped) return;
    onDropTaken();
    file.put(dropped);
    takeFile();
  }, [dropped]);
  const submit = (event: Event) => {
    event.preventDefault();
    take(() => Promise.resolve(pasted), setWrong);
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="take-group-title">
      <h3 id="take-group-title">{text.t('groupTake')}</h3>
      <FileField id="group-file" label={text.t('groupFile')} file={file} onChoose={takeFile} />
      <Field id="group-text" label={text.t('groupText')} error={wrong && text.t(wrong)}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="ltr"
            rows={2}
            spellcheck={false}
            value={pasted}
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        )}
      </Field>
      <ErrorBanner error={action.error} />
      <Button
        id="take-group"
        type="submit"
        busy={action.busy}
        icon={<FileInput size={16} aria-hidden="true" />}
      >
        {text.t('groupTake')}
      </Button>
    </form>
  );
}

/** What the group is called until its user renames it: of a file without a name the beginning of its id. */
const nameOf = ({ name, id }: Pick<GroupFile, 'name' | 'id'>): string =>
  plainName(name) || id.slice(0, 12);
