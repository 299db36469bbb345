import { useState } from 'preact/hooks';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import { STREAM_SEALED_BYTES_MAX } from '../../../src/format/wire/limits.ts';
import type { Header } from '../../../src/format/wire/header.ts';
import { isBackup } from '../../../src/keys/backup/backup-file.ts';
import { MAX_FILE_BYTES, MAX_PREFIX_BYTES } from '../../../src/rpc/limits.ts';
import type { OpenedFile } from '../../../src/rpc/methods/ui-files.ts';
import type { BlobWork } from '../../content/bulk/blobs.ts';
import { IN_MEMORY_BYTES } from '../../platform/storage/file-sink.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import { passphrasesMeant } from '../../ui/text/typed-words.ts';
import type { NeededGroup } from '../../../src/rpc/methods/ui-contacts.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import { errorCode, neededGroup, wantsPassphrase } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useChosenFile, type ChosenFile } from '../forms/use-chosen-file.ts';
import { useSecret, type Secret } from '../forms/use-secret.ts';
import { ageFileIn, type AgeFile } from './age-file.ts';
import { openAge, openSealed, type Known, type OpenedMessage } from './file-work.ts';
import type { FinishedFile } from './finished-files.ts';
import { bytesOf, sealedSource, type SealedSource } from './sealed-source.ts';
import { useBinding, type BindingFields } from './use-binding.ts';
import { fileProblem, useFileWork, useShownFile, type FileWork } from './use-file-work.ts';

/** What a file or text was opened to. */
export interface Opened {
  /** The name of the file; '' for pasted text. */
  readonly name: string;
  /** What is saved. */
  readonly blob: Blob;
  /** What is shown; undefined for contents that are too long for that. */
  readonly contents: Uint8Array | undefined;
  readonly format: OpenedFile['format'] | 'sealwright' | 'age';
  /** `sender-unknown`: anyone who has the public key may have made it. */
  readonly trust: OpenedFile['trust'] | 'sender-unknown';
  /** Null: a passphrase opened it. */
  readonly key: OpenedMessage['openedBy'];
  /** The site that it was sealed for; null: for none. */
  readonly origin: string | null;
  /** What the sender called it; null if it does not say. */
  readonly named: OpenedMessage['named'];
  /** Who sealed it; null if that is not proven, or nothing says that it was somebody else. */
  readonly sender: OpenedMessage['sender'];
  /** Null if it is not signed for others to check. */
  readonly signed: OpenedMessage['signed'];
}

/** State of the form that opens a file. */
export interface FileOpening {
  readonly work: FileWork;
  readonly file: ChosenFile;
  readonly text: string;
  readonly secret: Secret;
  readonly binding: BindingFields;
  /** What the file needs beside a key of the vault; 'site': a context, or the address of its site. */
  readonly needs: 'nothing' | 'passphrase' | 'context' | 'site';
  /** Whether a sealed message asks for six words or a passphrase, beside what else it needs. */
  readonly wantsWords: boolean;
  /** What the user lacks of the group that the message is for; undefined for any other. */
  readonly neededGroup: NeededGroup | undefined;
  readonly opened: Opened | undefined;
  /** To be called when the browser begins to save the contents. */
  readonly onSave: () => void;
  readonly setText: (text: string) => void;
  /** Clears errors and the opened file, after another file was chosen. */
  readonly change: () => void;
  readonly submit: () => void;
  /** Puts a file into the form and opens it. */
  readonly openNow: (file: File) => void;
}

/** Errors of the file or the text, by the error's code. */
const FILE_ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'openFileUnknown',
  UNSUPPORTED: 'openFileUnsupported',
  TOO_LARGE: 'openFileTooLarge',
};

/** The same where a sealed message was found. */
const SEALED_ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'openFileDamaged',
  TOO_LARGE: 'openFileTooCostly',
  UNSUPPORTED: 'openFileNotAFile',
  NEEDS_KEY: 'openFileOtherVault',
};

const OPENED_FILE = {
  maxBytes: STREAM_SEALED_BYTES_MAX,
  missing: 'openFileMissing',
  tooLarge: 'openFileUnknown',
} as const;

/** The same of an age file. */
const AGE_ERRORS: Readonly<Record<string, MessageKey>> = { BAD_ENVELOPE: 'openFileDamaged' };

/** What was opened, or tried. */
interface Tried {
  readonly source: SealedSource | undefined;
  /** Whether it begins as a sealed message, also where that is damaged. */
  readonly isSealed: boolean;
  readonly age: AgeFile | undefined;
  /** What a passphrase may be meant as; none if the user has not been asked. */
  readonly typed: readonly string[];
}

/** Opens a file or text, sealed here or encrypted by other tools, and holds what it opens to. */
export function useOpenFile(): FileOpening {
  const { ui, text: words } = useEnvironment();
  const announce = useAnnounce();
  const work = useFileWork();
  const file = useChosenFile(OPENED_FILE);
  const secret = useSecret();
  const binding = useBinding();
  const [text, setRaw] = useState('');
  const [needs, setNeeds] = useState<FileOpening['needs']>('nothing');
  const [wantsWords, setWantsWords] = useState(false);
  const [lacking, setLacking] = useState<NeededGroup>();
  const { opened, show, saving } = useOpened();
  const forget = () => {
    file.clearError();
    setLacking(undefined);
    show(undefined);
  };
  const change = () => {
    forget();
    setNeeds('nothing');
    setWantsWords(false);
    secret.setValue(''); // of another file
    binding.clear();
  };
  const showError = (failure: unknown, { source, isSealed, age, typed }: Tried) => {
    const problem = fileProblem(failure);
    const code = errorCode(failure);
    const group = neededGroup(failure);
    const byCode = isSealed ? SEALED_ERRORS : age ? AGE_ERRORS : FILE_ERRORS;
    if (problem) file.refuse(problem);
    else if (group) setLacking(group);
    else if (isSealed && wantsPassphrase(failure)) setWantsWords(true);
    else if (code === 'NEEDS_KEY' && typed.length > 0) secret.refuse('openFileWrongWords');
    else if (failure instanceof AuthenticationError) file.refuse('openFileDamaged');
    else if (Object.hasOwn(byCode, code)) file.refuse(byCode[code]!);
    else if (isSealed && isAboutBinding(code)) {
      setNeeds(source && isSiteUnknown(source.header) ? 'site' : 'context');
      binding.refuse(code);
    } else if (age && !age.isUnderPassphrase && code === 'NEEDS_KEY') {
      file.refuse('openFileForOthers');
    } else if (code === 'NEEDS_KEY' || code === 'AUTH_FAILED') {
      setNeeds('passphrase');
      secret.refuse(code === 'NEEDS_KEY' ? 'openFileNeedsKey' : 'openFileWrong');
    } else throw failure;
  };
  const open = async (blob: Blob, name: string, typed: readonly string[], hooks: BlobWork) => {
    let isSealed = true;
    let source: SealedSource | undefined;
    let age: AgeFile | undefined;
    try {
      if (isBackup(await bytesOf(blob.slice(0, MAX_PREFIX_BYTES)))) {
        file.refuse('openFileBackup');
        return;
      }
      age = await ageFileIn(blob);
      source = age ? undefined : await sealedSource(blob);
      isSealed = source !== undefined;
      if (age) {
        const { file: contents, openedBy } = await openAge(
          age,
          secret.value || undefined,
          ui,
          hooks,
        );
        show(await openedAge(contents, openedBy, name), contents);
      } else if (source) {
        const message = await openSealedWith(typed, source, binding.value(), ui, hooks);
        show(await openedMessage(message, name), message.file);
      } else show(await openForeign(blob, name, secret.value, ui, hooks.signal));
    } catch (failure) {
      if (hooks.signal.aborted) throw failure;
      showError(failure, { source, isSealed, age, typed });
      return;
    }
    secret.setValue('');
    secret.setRevealed(false);
    setWantsWords(false);
    announce(words.t('openedTitle'));
  };
  const submit = () => {
    if (work.action.busy) return;
    forget();
    const isPasted = text.trim() !== '';
    const chosen = isPasted ? undefined : file.take();
    if (!isPasted && !chosen) return;
    if (wantsWords && !secret.check()) return;
    if (!binding.check()) return;
    const blob = chosen ?? new Blob([utf8Bytes(text.trim()) as BlobPart]);
    const typed = wantsWords ? passphrasesMeant(secret.value) : [];
    work.run((hooks) => open(blob, chosen?.name ?? '', typed, hooks));
  };
  const setText = (next: string) => {
    setRaw(next);
    change();
  };
  const openNow = (given: File) => {
    if (work.action.busy) return;
    setText('');
    file.put(given);
    work.run((hooks) => open(given, given.name, [], hooks));
  };
  return {
    work,
    file,
    text,
    secret,
    binding,
    needs,
    wantsWords,
    neededGroup: lacking,
    opened,
    onSave: saving,
    setText,
    change,
    submit,
    openNow,
  };
}

/** @param typed what a passphrase may be meant as; none if the user has not been asked */
async function openSealedWith(
  typed: readonly string[],
  source: SealedSource,
  known: Known,
  ui: UiClient,
  work: BlobWork,
): Promise<OpenedMessage> {
  const [passphrase, ...others] = typed;
  const given = passphrase === undefined ? {} : { passphrase };
  try {
    return await openSealed(source, { ...known, ...given }, ui, work);
  } catch (failure) {
    if (others.length === 0 || errorCode(failure) !== 'NEEDS_KEY') throw failure;
    return openSealedWith(others, source, known, ui, work);
  }
}

async function openedMessage(message: OpenedMessage, name: string): Promise<Opened> {
  const { file, origin, openedBy, shared, named, sender, signed } = message;
  const { blob } = file;
  const contents = blob.size <= IN_MEMORY_BYTES ? await bytesOf(blob) : undefined;
  const trust = shared && !sender ? 'sender-unknown' : 'whole';
  const known = { trust, key: openedBy, origin, named, sender, signed } as const;
  return { name, blob, contents, format: 'sealwright', ...known };
}

/** Everyone has the recipient of a key; a passphrase is known to who made the file. */
async function openedAge(
  { blob }: FinishedFile,
  key: Opened['key'],
  name: string,
): Promise<Opened> {
  const contents = blob.size <= IN_MEMORY_BYTES ? await bytesOf(blob) : undefined;
  const trust = key ? 'sender-unknown' : 'whole';
  return { name, blob, contents, format: 'age', trust, key, ...UNNAMED };
}

const UNNAMED = { origin: null, named: null, sender: null, signed: null } as const;

/** Opens a file of another tool. @throws SealwrightError as ui.openFile; EnvelopeError for a file that is too long */
async function openForeign(
  blob: Blob,
  name: string,
  passphrase: string,
  ui: UiClient,
  signal: AbortSignal,
): Promise<Opened> {
  if (blob.size > MAX_FILE_BYTES) throw new EnvelopeError('BAD_ENVELOPE', 'Too long for others');
  const file = await bytesOf(blob);
  const params = passphrase === '' ? { file } : { file, passphrase };
  const { contents, ...known } = await ui.call('ui.openFile', params, signal);
  return {
    name,
    blob: new Blob([contents as BlobPart]),
    contents,
    key: null,
    ...UNNAMED,
    ...known,
  };
}

/** A shared message that is bound to a site does not name the site. */
const isSiteUnknown = ({ flags }: Header): boolean => flags.recipients && flags.originBound;

/** A context that is not the one, or an address that is not an origin. */
const isAboutBinding = (code: string): boolean =>
  code === 'AUTH_FAILED' || code === 'INVALID_ARGUMENT';

/** The opened contents. Those on disk are released with the next ones, and with the view. */
function useOpened() {
  const [opened, setOpened] = useState<Opened>();
  const { replace, saving } = useShownFile();
  const show = (next: Opened | undefined, file?: FinishedFile) => {
    replace(file);
    setOpened(next);
  };
  return { opened, show, saving };
}
