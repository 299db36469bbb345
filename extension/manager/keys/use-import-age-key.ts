import { useState } from 'preact/hooks';
import { isAge } from '../../../src/keys/ring/age.ts';
import { MAX_IDENTITIES_BYTES } from '../../../src/rpc/methods/ui-files.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import { useKeyLabel, type KeyLabel } from '../../ui/components/forms/key-label.tsx';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { useChosenFile, type ChosenFile } from '../forms/use-chosen-file.ts';
import { useSecret, type Secret } from '../forms/use-secret.ts';

/** As many bytes as the check for an age file needs. */
const HEADER_BYTES = 1024;

const IDENTITIES_FILE = {
  maxBytes: MAX_IDENTITIES_BYTES,
  missing: 'importAgeMissing',
  tooLarge: 'importAgeWrong',
} as const;

/** State of the form that imports age identities. */
export interface ImportAgeKey {
  readonly action: Action;
  readonly file: ChosenFile;
  /** Whether the chosen file has a passphrase. */
  readonly isEncrypted: boolean;
  readonly passphrase: Secret;
  readonly identity: Secret;
  readonly label: KeyLabel;
  /** Called after another file was chosen. */
  readonly choose: () => Promise<void>;
  readonly submit: () => void;
}

/** Imports age identities into the vault. Errors appear at the field that causes them. */
export function useImportAgeKey(onImported: () => Promise<void>): ImportAgeKey {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const file = useChosenFile(IDENTITIES_FILE);
  const label = useKeyLabel('import-age-label');
  const [identity, passphrase] = [useSecret(), useSecret()];
  const [isEncrypted, setEncrypted] = useState(false);
  const choose = async () => {
    const head = await file.chosen()?.slice(0, HEADER_BYTES).arrayBuffer();
    setEncrypted(head !== undefined && isAge(new Uint8Array(head)));
  };
  const showError = (failure: unknown, isTyped: boolean) => {
    const code = errorCode(failure);
    if (code === 'AUTH_FAILED') passphrase.refuse('openFileWrong');
    else if (!['INVALID_ARGUMENT', 'BAD_ENVELOPE', 'NEEDS_KEY'].includes(code)) throw failure;
    else if (isTyped) identity.refuse('importAgeWrong');
    else file.refuse('importAgeWrong');
  };
  const read = async (chosen: File | undefined, name: string) => {
    const bytes = chosen ? new Uint8Array(await chosen.arrayBuffer()) : utf8Bytes(identity.value);
    const opened = isEncrypted && chosen ? { passphrase: passphrase.value } : {};
    try {
      await ui.call('ui.importAgeKey', { label: name, file: bytes, ...opened });
    } catch (failure) {
      showError(failure, chosen === undefined);
      return;
    }
    for (const secret of [identity, passphrase]) secret.setValue('');
    file.clear();
    setEncrypted(false);
    label.clear();
    announce(text.t('importKeyDone'));
    await onImported();
  };
  const submit = () => {
    file.clearError();
    const name = label.check();
    const isTyped = !file.chosen() && identity.value !== '';
    const chosen = isTyped ? undefined : file.take();
    if (!isTyped && !chosen) return;
    if (name !== '' && (!isEncrypted || passphrase.check())) action.run(() => read(chosen, name));
  };
  return { action, file, isEncrypted, passphrase, identity, label, choose, submit };
}
