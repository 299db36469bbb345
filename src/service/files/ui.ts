import type { Age } from '../../keys/ring/age.ts';
import { importedAgeKey } from '../../keys/ring/age-key.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { Activity } from '../audit/activity.ts';
import { importedIdentities } from '../keys/age-import.ts';
import { asciiBytes } from '../messages/ascii.ts';
import { argumentChecked } from '../errors.ts';
import { NO_ORIGIN, type FieldTexts } from '../fields/field-texts.ts';
import type { FileOpener } from './file-opener.ts';
import type { SealedFiles } from './sealed-files.ts';
import { messageKeys } from '../messages/one-message-keys.ts';
import type { Contacts } from '../sharing/contacts.ts';
import type { Grants } from '../grants/grants.ts';
import { madeKey } from '../keys/ui.ts';

interface Deps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
  readonly fieldTexts: FieldTexts;
  readonly fileOpener: FileOpener;
  readonly sealedFiles: SealedFiles;
  readonly contacts: Contacts;
  readonly age: Age;
  readonly activity: Activity;
  readonly now: () => number;
}

type FileMethods =
  | 'ui.openFile'
  | 'ui.releaseOpen'
  | 'ui.senderOf'
  | 'ui.releaseSeal'
  | 'ui.sealText'
  | 'ui.importAgeKey';

/** Sealed files, files of other tools, and texts, for the user alone: no site takes part. */
export function uiFileMethods(deps: Deps): Pick<Implementations, FileMethods> {
  const { vault, keyRing, fieldTexts, fileOpener, sealedFiles, contacts, age, activity } = deps;
  return {
    async 'ui.openFile'({ file, passphrase }, { signal }) {
      await vault.refresh(); // locked: said before any work
      const { ref, ...opened } = await fileOpener.open(file, passphrase, signal);
      if (ref === null) return { ...opened, key: null };
      activity.record({ operation: 'openFile', ref, bytes: file.length });
      const { kind, label, guest } = await keyRing.describe(ref, NO_ORIGIN);
      return { ...opened, key: { kind, label, guest } };
    },
    async 'ui.releaseOpen'({ head, totalBytes, context, origin }) {
      await vault.refresh();
      const file = { head, totalBytes, context, origin };
      const {
        plan,
        ref,
        shared,
        file: named = null,
        ...found
      } = await sealedFiles.beginOpening(file);
      const of = found.origin === null ? {} : { of: found.origin };
      activity.record({ operation: 'openFile', ref, bytes: totalBytes ?? head.length, ...of });
      const { kind, label, guest } = await keyRing.describe(ref, found.origin ?? NO_ORIGIN);
      const { chunksOffset, padded } = plan;
      const released = { chunksOffset, padded, ...messageKeys(plan) };
      return { ...released, ...found, shared, file: named, openedBy: { kind, label, guest } };
    },
    async 'ui.senderOf'({ digest, head, context, origin }) {
      await vault.refresh();
      return sealedFiles.senderOf({ head, context, origin }, digest);
    },
    async 'ui.releaseSeal'({ ref, contacts: ids, totalBytes: bytes, ...attributes }) {
      await vault.refresh();
      const publicKeys = ids && (await contacts.publicKeysOf(ids));
      const released = await sealedFiles.beginSealing({ ref, publicKeys }, attributes, (plan) => {
        const { prefix, padded } = plan;
        return { prefix, padded, ...messageKeys(plan) };
      });
      activity.record({ operation: 'sealFile', ref: ref ?? null, bytes });
      const { signer } = attributes;
      if (signer !== undefined) activity.record({ operation: 'sign', ref: signer, bytes });
      return released;
    },
    async 'ui.sealText'({ text, ref }) {
      const recipients = { ref, publicKeys: undefined };
      const armored = await argumentChecked(fieldTexts.seal(text, recipients, null));
      activity.record({ operation: 'sealField', ref, bytes: text.length });
      return { armored: asciiBytes(armored) };
    },
    async 'ui.importAgeKey'({ label, ...given }, call) {
      await vault.refresh();
      const imported = importedAgeKey(await importedIdentities(given, age, call.signal));
      const add = (draft: VaultDraft) => keyRing.addImportedKey(draft, imported, label).ref;
      return madeKey(add, call, deps);
    },
  };
}
