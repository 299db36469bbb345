import type { Age } from '../../keys/ring/age.ts';
import type { StreamSealPlan } from '../../format/plans/seal-plan.ts';
import { importedAgeKey } from '../../keys/ring/age-key.ts';
import type { KeyDescription } from '../../keys/ring/key-description.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { Activity } from '../audit/activity.ts';
import { importedIdentities } from '../keys/age-import.ts';
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
  | 'ui.releaseAgeOpen'
  | 'ui.releaseAgeSeal'
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
      return fileOpener.open(file, passphrase, signal);
    },
    async 'ui.releaseAgeOpen'({ head, passphrase, totalBytes: bytes }, { signal }) {
      await vault.refresh();
      const { ref, key } = await fileOpener.openAge(head, passphrase, signal);
      if (ref === null) return { key, openedBy: null };
      activity.record({ operation: 'openFile', ref, bytes });
      return { key, openedBy: shownKey(await keyRing.describe(ref, NO_ORIGIN)) };
    },
    async 'ui.releaseAgeSeal'({ recipients, totalBytes: bytes }) {
      await vault.refresh();
      const sealing = await argumentChecked(age.sealHead(recipients));
      activity.record({ operation: 'sealFile', ref: null, bytes });
      return sealing;
    },
    async 'ui.releaseOpen'({ head, totalBytes, context, origin, passphrase }, { signal }) {
      await vault.refresh();
      const given = passphrase === undefined ? undefined : { passphrase, signal };
      const file = { head, totalBytes, context, origin };
      const {
        plan,
        ref,
        shared,
        file: named = null,
        ...found
      } = await sealedFiles.beginOpening(file, given);
      const of = found.origin === null ? {} : { of: found.origin };
      const operation = ref === null ? 'openWithPassphrase' : 'openFile';
      activity.record({ operation, ref, bytes: totalBytes ?? head.length, ...of });
      const openedBy =
        ref === null ? null : shownKey(await keyRing.describe(ref, found.origin ?? NO_ORIGIN));
      const { chunksOffset, padded } = plan;
      const released = { chunksOffset, padded, ...messageKeys(plan) };
      return { ...released, ...found, shared, file: named, openedBy };
    },
    async 'ui.senderOf'({ digest, head, context, origin }) {
      await vault.refresh();
      return sealedFiles.senderOf({ head, context, origin }, digest);
    },
    async 'ui.releaseSeal'({ ref, contacts: ids, groups, passphrase, ...about }, { signal }) {
      await vault.refresh();
      const { totalBytes: bytes, ...attributes } = about;
      const released = (plan: StreamSealPlan) => {
        const { prefix, padded } = plan;
        return { prefix, padded, ...messageKeys(plan) };
      };
      if (passphrase !== undefined) {
        const beside = [ref, ids, groups, about.signer];
        if (beside.some((one) => one !== undefined)) throw notAlone();
        const given = { passphrase, signal };
        const sealing = await sealedFiles.beginSealingWith(given, attributes, released);
        activity.record({ operation: 'sealWithPassphrase', ref: null, bytes });
        return sealing;
      }
      const publicKeys = ids && (await contacts.publicKeysOf(ids));
      const to = { ref, publicKeys, groups };
      const sealing = await sealedFiles.beginSealing(to, attributes, released);
      activity.record({ operation: 'sealFile', ref: ref ?? null, bytes });
      const { signer } = attributes;
      if (signer !== undefined) activity.record({ operation: 'sign', ref: signer, bytes });
      return sealing;
    },
    async 'ui.sealText'({ text, ref }) {
      const recipients = { ref, publicKeys: undefined };
      const sealed = await argumentChecked(fieldTexts.seal(text, recipients, null));
      activity.record({ operation: 'sealField', ref, bytes: text.length });
      return { sealed };
    },
    async 'ui.importAgeKey'({ label, ...given }, call) {
      await vault.refresh();
      const imported = importedAgeKey(await importedIdentities(given, age, call.signal));
      const add = (draft: VaultDraft) => keyRing.addImportedKey(draft, imported, label).ref;
      return madeKey(add, call, deps);
    },
  };
}

function notAlone(): SealwrightError {
  return new SealwrightError(
    'INVALID_ARGUMENT',
    'passphrase: it is the only recipient, and no key signs',
  );
}

const shownKey = ({ kind, label, guest }: KeyDescription) => ({ kind, label, guest });
