/* `sealwright inspect`: describes the header of a sealed message. Needs no key. */
import { toBase64url } from '../crypto/bytes.ts';
import { groupIdText } from '../format/groups/group-id.ts';
import { epochNamesIn } from '../format/recipients/group-key.ts';
import { parsePrefix } from '../format/wire/envelope.ts';
import { describe } from '../format/wire/inspect.ts';
import type { SealedInfo } from '../format/wire/inspect.ts';
import type { StandardInput } from './input.ts';
import { openSealedFile } from './sealed-file.ts';
import type { SealedFile } from './sealed-file.ts';

/** Reads a sealed file and describes its header. @returns lines to print, or JSON */
export async function inspectCommand(
  path: string,
  json: boolean,
  standardInput: StandardInput,
): Promise<string> {
  const sealed = await openSealedFile(path, standardInput);
  try {
    const sealedBytes = sealed.totalBytes ?? (await lengthOf(sealed));
    const info = describe(sealed.head, sealedBytes);
    const groups = groupsIn(sealed.head);
    return json
      ? `${JSON.stringify({ ...info, groups, sealedBytes }, null, 2)}\n`
      : report(info, groups, sealedBytes);
  } finally {
    await sealed.close();
  }
}

async function lengthOf(sealed: SealedFile): Promise<number> {
  let bytes = 0;
  for await (const piece of sealed.from(0)) bytes += piece.length;
  return bytes;
}

/** A group that a message is for. */
interface NamedGroup {
  /** "swg1.…" */
  readonly group: string;
  /** base64url, 43 characters, as `sealwright group show` prints it. */
  readonly epoch: string;
}

function groupsIn(head: Uint8Array): NamedGroup[] {
  const names = epochNamesIn(parsePrefix(head).recipients.entries);
  return names.map(({ group, epoch }) => ({
    group: groupIdText(group),
    epoch: toBase64url(epoch),
  }));
}

function report(info: SealedInfo, groups: readonly NamedGroup[], sealedBytes: number): string {
  const lines: [string, string][] = [
    ['version', String(info.version)],
    ['suite', info.suite],
    ['purpose', info.purpose],
    ['header key id', info.headerKeyId ?? 'none'],
    ['recipients', String(info.recipients)],
    ...groups.flatMap(({ group, epoch }): [string, string][] => [
      ['group', group],
      ['its epoch', epoch],
    ]),
    ['bound to a site', info.originBound ? 'yes: opening needs its origin' : 'no'],
    ['message', info.plaintextBytes === null ? 'length hidden' : `${info.plaintextBytes} bytes`],
    ['sealed', `${sealedBytes} bytes`],
  ];
  return `${lines.map(([name, value]) => `${name.padEnd(16)}${value}\n`).join('')}\
None of this is verified: that takes the key.\n`;
}
