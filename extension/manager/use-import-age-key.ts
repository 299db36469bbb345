import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isAge } from '../../src/keys/age.ts';
import { MAX_IDENTITIES_BYTES } from '../../src/rpc/surface-files.ts';
import { utf8Bytes } from '../ui/utf8.ts';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { errorCode } from '../ui/error-words.ts';
import type { MessageKey } from '../ui/i18n.ts';
import { useKeyLabel, type KeyLabel } from '../ui/key-label.tsx';
import { useAction, type Action } from '../ui/use-action.ts';
import { useSecret, type Secret } from './use-secret.ts';

/** The longest beginning by which an age file is known: that of an armored one. */
const HEADER_BYTES = 64;

export interface ImportAgeKey {
  readonly action: Action;
  readonly chooser: RefObject<HTMLInputElement>;
  /** Whether the chosen file has a passphrase. */
  readonly isEncrypted: boolean;
  readonly passphrase: Secret;
  readonly identity: Secret;
  readonly label: KeyLabel;
  readonly error: MessageKey | undefined;
  readonly choose: (file: File | undefined) => Promise<void>;
  readonly submit: () => void;
}

/** Identities on their way into the vault; errors go where they can be mended. */
export function useImportAgeKey(onImported: () => Promise<void>): ImportAgeKey {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const chooser = useRef<HTMLInputElement>(null);
  const label = useKeyLabel('import-age-label');
  const [identity, passphrase] = [useSecret(), useSecret()];
  const [isEncrypted, setEncrypted] = useState(false);
  const [error, setError] = useState<MessageKey>();
  const refuse = (why: MessageKey) => {
    setError(why);
    chooser.current?.focus();
  };
  const choose = async (file: File | undefined) => {
    setError(undefined);
    const head = file && new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
    setEncrypted(head !== undefined && isAge(head));
  };
  const blame = (failure: unknown, isTyped: boolean) => {
    const code = errorCode(failure);
    if (code === 'AUTH_FAILED') passphrase.refuse('openFileWrong');
    else if (!['INVALID_ARGUMENT', 'BAD_ENVELOPE', 'NEEDS_KEY'].includes(code)) throw failure;
    else if (isTyped) identity.refuse('importAgeWrong');
    else refuse('importAgeWrong');
  };
  const read = async (file: File | undefined, name: string) => {
    const bytes = file ? new Uint8Array(await file.arrayBuffer()) : utf8Bytes(identity.value);
    const opened = isEncrypted && file ? { passphrase: passphrase.value } : {};
    try {
      await surface.call('ui.importAgeKey', { label: name, file: bytes, ...opened });
    } catch (failure) {
      blame(failure, file === undefined);
      return;
    }
    for (const secret of [identity, passphrase]) secret.setValue('');
    chooser.current!.value = '';
    setEncrypted(false);
    label.clear();
    announce(text.t('importKeyDone'));
    await onImported();
  };
  const submit = () => {
    setError(undefined);
    const file = chooser.current?.files?.[0];
    const name = label.check();
    if (!file && identity.value === '') refuse('importAgeMissing');
    else if (file && file.size > MAX_IDENTITIES_BYTES) refuse('importAgeWrong');
    else if (name !== '' && (!isEncrypted || passphrase.check())) {
      action.run(() => read(file, name));
    }
  };
  return { action, chooser, isEncrypted, passphrase, identity, label, error, choose, submit };
}
