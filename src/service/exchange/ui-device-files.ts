import { toHex } from '../../crypto/bytes.ts';
import { publicCircleIn } from '../../keys/circle/membership.ts';
import type { SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import { readOf } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { DEVICE_FILES_MAX_BYTES } from '../../rpc/limits.ts';
import { requireEd25519 } from '../vault/ui-members.ts';
import { FileExchange, type FileExchangeDeps, type FilesReport } from './file-exchange.ts';

interface Deps extends FileExchangeDeps {
  readonly slotKeeper: Pick<SlotKeeper, 'check'>;
}

type Methods =
  | 'ui.deviceFiles'
  | 'ui.makeDeviceFile'
  | 'ui.takeDeviceFiles'
  | 'ui.chooseByFiles'
  | 'ui.readCopies';

/** The exchange by files of devices (docs/design/devices.md). Each method may be repeated without harm. */
export function uiDeviceFilesMethods(deps: Deps): Pick<Implementations, Methods> {
  const exchange = new FileExchange(deps);
  const namesOf = async (): Promise<ReadonlyMap<string, string>> => {
    const members = (await publicCircleIn(readOf(deps.vault)))?.epoch.members ?? [];
    return new Map(members.map(({ id, name }) => [toHex(id), name]));
  };
  const shown = async ({ taken, told, ...report }: FilesReport) => {
    const names = await namesOf();
    const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? '');
    return {
      ...report,
      notTaken: { ...report.notTaken },
      taken: named(taken),
      told: { wentBack: named(told.wentBack), late: named(told.late) },
    };
  };
  return {
    async 'ui.deviceFiles'() {
      const { copies, takenAt, madeAt } = await exchange.state();
      const names = await namesOf();
      return {
        isInCircle: names.size > 0,
        takenAt,
        madeAt,
        copies: copies.map(({ id, at }) => ({ name: names.get(id) ?? '', at })),
      };
    },
    async 'ui.makeDeviceFile'() {
      return exchange.make();
    },
    async 'ui.takeDeviceFiles'({ files }) {
      await requireEd25519();
      return shown(await exchange.take(within(files)));
    },
    async 'ui.chooseByFiles'({ by, files, other, holds }) {
      await requireEd25519();
      await deps.slotKeeper.check(by);
      return shown(await exchange.choose(within(files), other, holds));
    },
    async 'ui.readCopies'() {
      await exchange.readCopies();
      return {};
    },
  };
}

/** The same files. @throws SealwrightError TOO_LARGE where all together are too long, before any work */
export function within(files: readonly Uint8Array[]): readonly Uint8Array[] {
  const bytes = files.reduce((sum, { length }) => sum + length, 0);
  if (bytes <= DEVICE_FILES_MAX_BYTES) return files;
  throw new SealwrightError('TOO_LARGE', 'These files are too long together');
}
