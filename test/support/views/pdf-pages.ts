import { inflateSync } from 'node:zlib';

/** The type of a page; `/Pages` is the tree of them. */
const PAGE = /\/Type\s*\/Page(?![A-Za-z])/g;
const OBJECT_STREAM = /\/Type\s*\/ObjStm[^]*?stream\r?\n([^]*?)\r?\nendstream/g;

/**
 * The number of pages in a PDF file that a browser printed. There is one object of this type for each
 * page: in clear in Chromium's files, in compressed streams of objects in Firefox's (ISO 32000-1, 7.5.7).
 */
export function pagesOf(file: Uint8Array): number {
  const clear = Buffer.from(file).toString('latin1');
  const packed = Array.from(clear.matchAll(OBJECT_STREAM), ([, stream]) =>
    inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1'),
  );
  return [clear, ...packed].join('\n').match(PAGE)?.length ?? 0;
}
