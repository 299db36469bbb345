/* Other readers of zips, each of which believes another part of the file. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { InflateRaw } from 'node:zlib';
import { unzipSync } from 'fflate';

/** The files of a zip, latin1 by path; undefined for a reader that refuses it. */
export type ReadFiles = Readonly<Record<string, string>> | undefined;

/** Sorted, without folders: what would be on the disk afterwards. */
function filesOf(entries: Iterable<readonly [string, Uint8Array]>): ReadFiles {
  const files = [...entries].filter(([name]) => !name.endsWith('/'));
  const texts = files.map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')] as const,
  );
  return Object.fromEntries([...new Map(texts)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function read(entries: () => Iterable<readonly [string, Uint8Array]>): ReadFiles {
  try {
    return filesOf(entries());
  } catch {
    return undefined;
  }
}

/** The files as `readArchive` gives them, in the form of a reader. */
export const asRead = (files: ReadonlyMap<string, Uint8Array>): ReadFiles => filesOf(files);

/** fflate believes the directory, and its sizes. */
export const withFflate = (zip: Uint8Array): ReadFiles =>
  read(() => Object.entries(unzipSync(zip)));

/**
 * One that reads a stream, as `bsdtar -xf -` and Java do: local headers from the start, a later entry over an earlier
 * one, until something of the directory comes. What is between entries is passed over.
 */
export const asStream = (zip: Uint8Array): ReadFiles => read(() => localEntries(Buffer.from(zip)));

function* localEntries(zip: Buffer): Generator<[string, Uint8Array]> {
  let at = 0;
  for (;;) {
    at = zip.indexOf('PK', at);
    if (at < 0 || at + 4 > zip.length) return;
    const signature = zip.readUInt32LE(at);
    if ([0x02014b50, 0x05054b50, 0x06054b50, 0x06064b50].includes(signature)) return;
    if (signature !== 0x04034b50) {
      at += 2;
      continue;
    }
    const [flags, method] = [zip.readUInt16LE(at + 6), zip.readUInt16LE(at + 8)];
    const [size, nameBytes, extraBytes] = [
      zip.readUInt32LE(at + 18),
      zip.readUInt16LE(at + 26),
      zip.readUInt16LE(at + 28),
    ];
    const extraAt = at + 30 + nameBytes;
    const from = extraAt + extraBytes;
    const name = unicodePath(zip.subarray(extraAt, from)) ?? zip.toString('utf8', at + 30, extraAt);
    if ((flags & 8) === 0) {
      const packed = zip.subarray(from, from + size);
      if (packed.length < size) throw new Error('cut off');
      yield [name, method === 0 ? packed : inflateRawSync(packed)];
      at = from + size;
      continue;
    }
    if (method !== 8) throw new Error('its length is unknown');
    const { buffer, engine } = inflateRawSync(zip.subarray(from), {
      info: true,
    }) as unknown as { readonly buffer: Buffer; readonly engine: InflateRaw };
    yield [name, buffer];
    at = from + engine.bytesWritten;
    at += zip.readUInt32LE(at) === 0x08074b50 ? 16 : 12;
  }
}

/** The name of Info-ZIP's field, which takes the place of the other one. */
function unicodePath(extra: Buffer): string | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 0x7075) return extra.toString('utf8', at + 9, end);
  }
  return undefined;
}

const PYTHON = `
import io, json, struct, sys, zipfile
source = sys.stdin.buffer
while head := source.read(4):
    data = source.read(struct.unpack('<I', head)[0])
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {e.filename: archive.read(e).decode('latin1') for e in archive.infolist() if not e.is_dir()}
    except Exception:
        files = None
    print(json.dumps(files, sort_keys=True))
`;

/** Python's zipfile, which looks for zip64 and reads all of them in one run. @throws Error without Python */
export function withPython(zips: readonly Uint8Array[]): readonly ReadFiles[] {
  const input = Buffer.concat(
    zips.flatMap((zip) => {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(zip.length);
      return [head, zip];
    }),
  );
  const { stdout, status, stderr } = spawnSync('python3', ['-c', PYTHON], {
    input,
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`python3: ${String(stderr)}`);
  const lines = stdout.toString().trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as ReadFiles | null) ?? undefined);
}

/** Programs that unpack a zip into a folder, where the machine has them. */
export const UNPACKERS: Readonly<Record<string, (zip: string, folder: string) => string[]>> = {
  unzip: (zip, folder) => ['-qq', '-o', zip, '-d', folder],
  bsdtar: (zip, folder) => ['-xf', zip, '-C', folder],
  miniunzip: (zip, folder) => ['-x', '-o', zip, '-d', folder],
};

/** Whether the machine has a program. */
export const has = (program: string): boolean =>
  spawnSync('which', [program], { stdio: 'ignore' }).status === 0;

/** What a program unpacks. */
export function unpackedWith(program: string, zip: Uint8Array): ReadFiles {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-unpacked-'));
  try {
    const [path, into] = [join(folder, 'a.zip'), mkdtempSync(join(folder, 'into-'))];
    writeFileSync(path, zip);
    const { status } = spawnSync(program, UNPACKERS[program]!(path, into), { stdio: 'ignore' });
    if (status !== 0) return undefined;
    const names = readdirSync(into, { recursive: true, withFileTypes: true });
    return filesOf(
      names
        .filter((entry) => entry.isFile())
        .map((entry): [string, Uint8Array] => {
          const file = join(entry.parentPath, entry.name);
          return [file.slice(into.length + 1), readFileSync(file)];
        }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
