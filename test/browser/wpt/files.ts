import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files of WebCryptoAPI that say nothing of `subtle` over algorithms of ours, with the reason. */
const NOT_OURS: readonly { readonly files: RegExp; readonly because: string }[] = [
  {
    files: /^(getRandomValues|randomUUID)\./,
    because: 'of crypto itself, which stays the browser’s',
  },
  {
    files: /^(historical|secure_context\/.*)\.|^util\//,
    because: 'whether insecure pages and workers have crypto.subtle: nothing of ours is there',
  },
  {
    files: /^idlharness\./,
    because: 'compares the browser’s interface objects, SubtleCrypto and CryptoKey, with their IDL',
  },
  {
    files: /^algorithm-discards-context\./,
    because: 'calls crypto.subtle of about:blank frames, where no extension’s script runs',
  },
];

/** The files to run, sorted, as paths in `wpt`; and those that are not, with the reason. */
export function wptFiles(wpt: string): { ours: string[]; others: [string, string][] } {
  const all = (readdirSync(join(wpt, 'WebCryptoAPI'), { recursive: true }) as string[])
    .filter((file) => /\.(any|window)\.js$|\.html$/.test(file))
    .sort();
  const ours: string[] = [];
  const others: [string, string][] = [];
  for (const file of all) {
    const exception = NOT_OURS.find(({ files }) => files.test(file));
    if (exception) others.push([file, exception.because]);
    else ours.push(`WebCryptoAPI/${file}`);
  }
  return { ours, others };
}
