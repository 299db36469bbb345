import { SealwrightError } from '../../../../src/rpc/errors.ts';
import type { ParamsOf, ResultOf, UiMethod } from '../../../../src/rpc/methods/methods.ts';

const DAY = 86_400_000;
const CODE = '7K3M-Q0ZT-2WXN-9F5D-HB8C-R4VJ-61YA';

export type FakeSlot = ResultOf<'ui.slots'>[number];
export type FakeBackupReport = ResultOf<'ui.checkBackup'>;

/** Passphrase, slots and backups of a fake vault. */
export interface VaultWorld {
  passphrase: string;
  slots: FakeSlot[];
  backupTimes: ResultOf<'ui.backupTimes'>;
  backupReport: FakeBackupReport;
}

export const passphraseSlot: FakeSlot = {
  id: '00',
  kind: 'passphrase',
  created: Date.now() - 41 * DAY,
  cost: { memoryKiB: 65_536, passes: 5, parallelism: 4 },
  tookMs: 812,
  advice: 'none',
  confirmed: true,
};

export const recoverySlot: FakeSlot = {
  id: '01',
  kind: 'recovery-code',
  created: Date.now() - 40 * DAY,
  cost: null,
  tookMs: null,
  advice: 'none',
  confirmed: true,
};

export const passkeySlot: FakeSlot = {
  id: '02',
  kind: 'webauthn-prf',
  created: Date.now() - 7 * DAY,
  cost: null,
  tookMs: null,
  advice: 'none',
  confirmed: true,
};

export const backupReport: FakeBackupReport = {
  created: Date.now() - 3 * DAY,
  ofThisVault: true,
  relation: 'own',
  labels: ['Family photos', 'Letters'],
  sites: 5,
  brings: {
    keys: 0,
    sites: 0,
    messageKeys: 0,
    contacts: 3,
    notes: 1,
    siteSettings: 2,
    persistentKeys: 4,
  },
  lacks: {
    keys: 1,
    sites: 2,
    messageKeys: 2,
    contacts: 0,
    notes: 0,
    siteSettings: 0,
    persistentKeys: 0,
  },
  present: { keys: 2, contacts: 3, appKeys: 5, persistentKeys: 1 },
};

export const vaultWorld = (): VaultWorld => ({
  passphrase: 'correct horse battery staple',
  slots: [passphraseSlot, recoverySlot],
  backupTimes: { made: Date.now() - 3 * DAY, checked: null },
  backupReport,
});

type VaultMethod = Extract<
  UiMethod,
  | 'ui.slots'
  | 'ui.checkSecret'
  | 'ui.changePassphrase'
  | 'ui.addRecoveryCode'
  | 'ui.addFirstRecoveryCode'
  | 'ui.confirmRecoveryCode'
  | 'ui.passkeys'
  | 'ui.addPasskey'
  | 'ui.removeSlot'
  | `ui.${string}Backup`
  | 'ui.backupTimes'
  | 'ui.replaceVault'
  | 'ui.restoreLost'
>;

/** The vault methods over a fake background. */
export function vaultImplementations(world: VaultWorld): {
  [M in VaultMethod]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  const check = (by: ParamsOf<'ui.addRecoveryCode'>['by']) => {
    if ('passphrase' in by && by.passphrase !== world.passphrase) refuse();
  };
  const replace = (kind: FakeSlot['kind'], slot: FakeSlot) => {
    world.slots = [...world.slots.filter((each) => each.kind !== kind), slot];
  };
  return {
    'ui.slots': () => world.slots,
    'ui.checkSecret': ({ by }) => {
      check(by);
      return {};
    },
    'ui.changePassphrase': ({ by, passphrase }) => {
      check(by);
      world.passphrase = passphrase;
      return {};
    },
    'ui.addRecoveryCode': ({ by }) => {
      check(by);
      return newCode();
    },
    'ui.addFirstRecoveryCode': newCode,
    'ui.confirmRecoveryCode': ({ code }) => {
      if (code.toUpperCase() !== CODE) refuse();
      replace('recovery-code', { ...recoverySlot, created: Date.now() });
      return {};
    },
    'ui.passkeys': () =>
      world.slots
        .filter(({ kind }) => kind === 'webauthn-prf')
        .map(() => ({ credentialId: new Uint8Array(16), prfSalt: new Uint8Array(32) })),
    'ui.addPasskey': ({ by }) => {
      check(by);
      world.slots = [...world.slots, { ...passkeySlot, created: Date.now() }];
      return {};
    },
    'ui.removeSlot': ({ by, id }) => {
      check(by);
      world.slots = world.slots.filter((slot) => slot.id !== id);
      return {};
    },
    'ui.backupTimes': () => world.backupTimes,
    'ui.makeBackup': ({ by }) => {
      check(by);
      world.backupTimes = { ...world.backupTimes, made: Date.now() };
      return { file: new Uint8Array(1000) };
    },
    'ui.checkBackup': ({ passphrase }) => reportFor(passphrase),
    'ui.restoreBackup': ({ passphrase }) => reportFor(passphrase),
    'ui.replaceVault': ({ by, passphrase }) => {
      check(by);
      reportFor(passphrase);
      return {};
    },
    'ui.restoreLost': ({ passphrase }) => reportFor(passphrase),
  };

  function newCode() {
    replace('recovery-code', { ...recoverySlot, confirmed: false, created: Date.now() });
    return { code: CODE };
  }

  function reportFor(passphrase: string | undefined): FakeBackupReport {
    if (passphrase !== 'of the backup') refuse();
    return world.backupReport;
  }
}

function refuse(): never {
  throw new SealwrightError('AUTH_FAILED', 'wrong');
}
