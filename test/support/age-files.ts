import { ageFileIn, openedAgeParts } from '../../extension/manager/files/age-file.ts';
import { concat } from '../../src/crypto/bytes.ts';
import type { ResultOf } from '../../src/rpc/methods/methods.ts';
import { workshopAge } from '../../src/service/workshop/age.ts';
import { operations } from '../../src/workshop/age.ts';
import { inThread } from '../../src/workshop/in-thread.ts';
import type { World } from './service-world.ts';

/** age as the background has it, without a worker. */
export const ageFiles = workshopAge(inThread(operations()));

/** Work that is not cancelled. */
export const IDLE_WORK = { signal: new AbortController().signal, progress: () => undefined };

/** An age file, opened as the manager does it. */
export async function openedAgeFile(file: Uint8Array, world: World, passphrase?: string) {
  const age = (await ageFileIn(new Blob([file as BlobPart])))!;
  const given = passphrase === undefined ? {} : { passphrase };
  const params = { head: age.head, totalBytes: age.blob.size, ...given };
  const released: ResultOf<'ui.releaseAgeOpen'> = await world.surface('ui.releaseAgeOpen', params);
  const parts: Uint8Array[] = [];
  for await (const part of openedAgeParts(age, released.key, IDLE_WORK)) parts.push(part);
  return { contents: concat(...parts), openedBy: released.openedBy };
}
