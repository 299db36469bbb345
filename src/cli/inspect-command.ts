/* `sealwright inspect`: describes the header of a sealed message. Needs no key. */
import { describe } from '../format/wire/inspect.ts';
import type { SealedInfo } from '../format/wire/inspect.ts';
import { openSealedFile } from './sealed-file.ts';

/** Reads a sealed file and describes its header. @returns lines to print */
export async function inspectCommand(path: string): Promise<string> {
  const sealed = await openSealedFile(path);
  try {
    return report(describe(sealed.head, sealed.totalBytes), sealed.totalBytes);
  } finally {
    await sealed.close();
  }
}

function report(info: SealedInfo, sealedBytes: number): string {
  const lines: [string, string][] = [
    ['version', String(info.version)],
    ['suite', info.suite],
    ['purpose', info.purpose],
    ['header key id', info.headerKeyId ?? 'none'],
    ['recipients', String(info.recipients)],
    ['bound to a site', info.originBound ? 'yes: opening needs its origin' : 'no'],
    ['message', info.plaintextBytes === null ? 'length hidden' : `${info.plaintextBytes} bytes`],
    ['sealed', `${sealedBytes} bytes`],
  ];
  return `${lines.map(([name, value]) => `${name.padEnd(16)}${value}\n`).join('')}\
None of this is verified: that takes the key.\n`;
}
