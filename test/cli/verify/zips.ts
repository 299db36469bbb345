/* Zips of any structure, also such as no tool makes: each reader may see other files in them. */
import { crc32, deflateRawSync } from 'node:zlib';

/** An entry. What is absent is as an ordinary tool writes it. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly isStored?: boolean;
  readonly flags?: number;
  readonly version?: number;
  readonly extra?: Uint8Array;
  readonly comment?: Uint8Array;
  readonly attributes?: number;
  /** Digest and sizes after the content, with a signature or without. */
  readonly descriptor?: 'signed' | 'bare';
  /** What the local header has otherwise than the directory. */
  readonly local?: {
    readonly name?: string;
    readonly crc?: number;
    readonly packedBytes?: number;
    readonly bytes?: number;
    readonly flags?: number;
    readonly extra?: Uint8Array;
  };
  /** Before its local header. */
  readonly gap?: Uint8Array;
  /** After its compressed content, and counted as a part of it. */
  readonly excess?: Uint8Array;
  /** Whether it is in one place only. Default: in both. */
  readonly only?: 'local';
}

/** A zip: entries, the directory, and what is between and after them. */
export interface ZipParts {
  readonly entries: readonly ZipEntry[];
  readonly isReversed?: boolean;
  readonly beforeDirectory?: Uint8Array;
  /** Between the directory and the end record. @param at where it begins */
  readonly beforeEnd?: (at: number) => Uint8Array;
  readonly comment?: Uint8Array;
  readonly after?: Uint8Array;
  /** How many entries the end record counts beyond those of the directory. */
  readonly uncounted?: number;
}

const NONE = new Uint8Array();
const DESCRIPTOR_FLAG = 8;

/** Little-endian fields of two or four bytes each. */
export function fields(...values: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    values.map(([bytes, value]) => {
      const field = Buffer.alloc(4);
      field.writeUInt32LE(value >>> 0);
      return field.subarray(0, bytes);
    }),
  );
}

/** An extra field. */
export const extraField = (id: number, value: Uint8Array): Buffer =>
  Buffer.concat([fields([2, id], [2, value.length]), value]);

/** The record of zip64 that takes the place of the end record, and its locator. */
export function zip64End(at: number, directory: { at: number; bytes: number; count: number }) {
  const { count, bytes } = directory;
  const record = fields(
    ...([
      [4, 0x06064b50],
      [4, 44],
      [4, 0],
      [2, 45],
      [2, 45],
      [4, 0],
      [4, 0],
    ] as const),
    ...([
      [4, count],
      [4, 0],
      [4, count],
      [4, 0],
      [4, bytes],
      [4, 0],
    ] as const),
    ...([
      [4, directory.at],
      [4, 0],
    ] as const),
  );
  const locator = fields([4, 0x07064b50], [4, 0], [4, at], [4, 0], [4, 1]);
  return Buffer.concat([record, locator]);
}

/** The bytes of a zip. */
export function zipBytes(zip: ZipParts): Buffer {
  const parts: Uint8Array[] = [];
  let at = 0;
  const add = (bytes: Uint8Array) => {
    parts.push(bytes);
    at += bytes.length;
  };
  const directory: Buffer[] = [];
  for (const entry of zip.entries) {
    add(entry.gap ?? NONE);
    const { local, central } = written(entry, at);
    add(local);
    if (entry.only !== 'local') directory.push(central);
  }
  add(zip.beforeDirectory ?? NONE);
  const directoryAt = at;
  if (zip.isReversed) directory.reverse();
  for (const central of directory) add(central);
  const directoryBytes = at - directoryAt;
  add(zip.beforeEnd?.(at) ?? NONE);
  const count = directory.length + (zip.uncounted ?? 0);
  const comment = zip.comment ?? NONE;
  add(
    fields(
      ...([
        [4, 0x06054b50],
        [2, 0],
        [2, 0],
        [2, count],
        [2, count],
      ] as const),
      ...([
        [4, directoryBytes],
        [4, directoryAt],
        [2, comment.length],
      ] as const),
    ),
  );
  add(comment);
  add(zip.after ?? NONE);
  return Buffer.concat(parts);
}

/** An entry before the directory and in it. */
export function written(entry: ZipEntry, at: number) {
  const { content, isStored = false, local = {}, comment = NONE, descriptor } = entry;
  const { extra = NONE, excess = NONE, version = 20, attributes = 0 } = entry;
  const flags = (entry.flags ?? 0) | (descriptor ? DESCRIPTOR_FLAG : 0);
  const [name, localName] = [entry.name, local.name ?? entry.name].map((text) => Buffer.from(text));
  const packed = Buffer.concat([isStored ? content : deflateRawSync(content), excess]);
  const sums = [crc32(content), packed.length, content.length] as const;
  const localSums = descriptor
    ? ([0, 0, 0] as const)
    : ([local.crc ?? sums[0], local.packedBytes ?? sums[1], local.bytes ?? sums[2]] as const);
  const header = (ofFlags: number, [crc, packedBytes, bytes]: readonly [number, number, number]) =>
    fields(
      ...([
        [2, version],
        [2, ofFlags],
        [2, isStored ? 0 : 8],
        [2, 0],
        [2, 0x2821],
      ] as const),
      ...([
        [4, crc],
        [4, packedBytes],
        [4, bytes],
      ] as const),
    );
  const localExtra = local.extra ?? extra;
  const signature = descriptor === 'signed' ? fields([4, 0x08074b50]) : NONE;
  const described = fields([4, sums[0]], [4, sums[1]], [4, sums[2]]);
  return {
    local: Buffer.concat([
      ...[fields([4, 0x04034b50]), header(local.flags ?? flags, localSums)],
      fields([2, localName!.length], [2, localExtra.length]),
      ...[localName!, localExtra, packed],
      ...(descriptor ? [signature, described] : []),
    ]),
    central: Buffer.concat([
      ...[fields([4, 0x02014b50], [2, 20]), header(flags, sums)],
      fields([2, name!.length], [2, extra.length], [2, comment.length], [2, 0], [2, 0]),
      ...[fields([4, attributes], [4, at]), name!, extra, comment],
    ]),
  };
}
