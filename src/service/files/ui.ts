import type { Age } from '../../keys/ring/age.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { Activity } from '../audit/activity.ts';
import { importedIdentities } from '../keys/age-import.ts';
import { asciiBytes } from '../messages/ascii.ts';
import { argumentChecked } from '../errors.ts';
import type { FieldTexts } from '../fields/field-texts.ts';
import type { FileOpener } from './file-opener.ts';
import type { Grants } from '../grants/grants.ts';
import { madeKey } from '../keys/ui.ts';

interface Deps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
  readonly fieldTexts: FieldTexts;
  readonly fileOpener: FileOpener;
  readonly age: Age;
  readonly activity: Activity;
  readonly now: () => number;
}

type FileMethods = 'ui.openFile' | 'ui.sealText' | 'ui.importAgeKey';

/** Files of other tools, and texts, for the user alone: no site takes part. */
export function uiFileMethods(deps: Deps): Pick<Implementations, FileMethods> {
  const { vault, keyRing, fieldTexts, fileOpener, age, activity } = deps;
  return {
    async 'ui.openFile'({ file, passphrase }, { signal }) {
      await vault.refresh(); // locked: said before any work
      const { ref, ...opened } = await fileOpener.open(file, passphrase, signal);
      if (ref === null) return { ...opened, key: null };
      activity.record({ operation: 'openFile', ref, bytes: file.length });
      const { kind, label } = await keyRing.describe(ref, 'null');
      return { ...opened, key: { kind, label } };
    },
    async 'ui.sealText'({ text, ref }) {
      const recipients = { ref, publicKeys: undefined };
      const armored = await argumentChecked(fieldTexts.seal(text, recipients, null));
      activity.record({ operation: 'sealField', ref, bytes: text.length });
      return { armored: asciiBytes(armored) };
    },
    async 'ui.importAgeKey'({ label, ...given }, call) {
      await vault.refresh();
      const identities = await importedIdentities(given, age);
      const add = (draft: VaultDraft) => keyRing.addAgeKey(draft, identities, label).ref;
      return madeKey(add, call, deps);
    },
  };
}
