/* How files of devices come to the background, and this device's own to where it belongs. */
import { DEVICE_FILES_MAX, DEVICE_FILES_MAX_BYTES } from '../../../src/rpc/limits.ts';
import type { UiFilesReport } from '../../../src/rpc/methods/ui-devices.ts';
import type { DeviceFolder } from '../../platform/storage/device-folder.ts';
import type { UiClient } from '../../ui/environment/ui-client.ts';

/** The contents of files; undefined for more, together, than the background takes. */
export async function contentsOf(files: readonly File[]): Promise<Uint8Array[] | undefined> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > DEVICE_FILES_MAX_BYTES || files.length > DEVICE_FILES_MAX) return undefined;
  return Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
}

/** What was read, and what became of it. */
export interface Exchanged {
  readonly files: readonly Uint8Array[];
  readonly report: UiFilesReport;
}

/**
 * Takes what lies in a folder, and stores this device's file there where it lacks something.
 *
 * @returns undefined for more files than are read
 * @throws DOMException where the folder is gone; what the calls throw
 */
export async function exchangeByFolder(
  ui: UiClient,
  folder: DeviceFolder,
): Promise<Exchanged | undefined> {
  const files = await contentsOf(await folder.files());
  if (files === undefined) return undefined;
  const report = await ui.call('ui.takeDeviceFiles', { files });
  if (report.isDue) {
    const { name, file } = await ui.call('ui.makeDeviceFile', {});
    await folder.write(name, file);
  }
  return { files, report: { ...report, isDue: false } };
}
